import { type GraphiQLPlugin, ToolbarButton, useEditorContext, useSchemaStore } from '@graphiql/react';
import { useEffect, useRef } from 'react';
import { chooseFile, useChosenFiles } from './chosen-files';
import { uploadPaths } from './upload-paths';

/** A panel with a file picker for each Upload variable of the current operation. */
export const filesPlugin: GraphiQLPlugin = { title: 'Files', icon: FilesIcon, content: FilesPanel };

export function ChooseFileButton() {
  const { paths } = useUploadPaths();
  return (
    paths.length > 0 && (
      <ToolbarButton label="Choose a file" onClick={openPanel}>
        <FilesIcon />
      </ToolbarButton>
    )
  );
}

// Only the sidebar’s own button can open the plugin pane.
function openPanel(): void {
  document
    .querySelector<HTMLButtonElement>(`.graphiql-sidebar button[aria-label='Show ${filesPlugin.title}']`)
    ?.click();
}

function useUploadPaths(): { operationName: string | undefined; paths: string[] } {
  const { schema } = useSchemaStore();
  const { queryEditor, tabs, activeTabIndex } = useEditorContext({ nonNull: true });
  const documentAST = queryEditor?.documentAST;
  const operationName = tabs[activeTabIndex]?.operationName ?? undefined;
  const paths = schema && documentAST ? uploadPaths(schema, documentAST, operationName) : [];
  return { operationName, paths };
}

function FilesPanel() {
  const { operationName, paths } = useUploadPaths();
  return (
    <section className="files-panel" aria-label="Files">
      <h2 className="files-title">Files</h2>
      {paths.length === 0 ? (
        <p>
          {operationName ? `${operationName} takes no file.` : 'This operation takes no file.'} Choose files
          here for variables of type Upload, such as the logo of updateCompany.
        </p>
      ) : (
        paths.map((path) => <FileField key={path} path={path} />)
      )}
    </section>
  );
}

function FileField({ path }: { path: string }) {
  const file = useChosenFiles().get(path);
  const input = useRef<HTMLInputElement>(null);
  // A reopened panel starts with an empty input, and "Remove" does not clear the input.
  useEffect(() => {
    if (input.current) input.current.files = fileList(file);
  }, [file]);
  const remove = () => {
    chooseFile(path, null);
    // This button disappears with the file.
    input.current?.focus();
  };
  return (
    <div className="files-field">
      <label>
        <span className="files-path">${path}</span>
        <input
          ref={input}
          type="file"
          onChange={(event) => chooseFile(path, event.target.files?.[0] ?? null)}
        />
      </label>
      <p className="files-chosen" role="status">
        {file ? `${file.name}, ${sizeText(file.size)}` : 'Without a file the operation is sent as JSON.'}
      </p>
      {file && (
        <button type="button" className="graphiql-button" onClick={remove}>
          Remove
        </button>
      )}
    </div>
  );
}

function fileList(file: File | undefined): FileList {
  const transfer = new DataTransfer();
  if (file) transfer.items.add(file);
  return transfer.files;
}

function sizeText(bytes: number): string {
  return bytes < 1_024 ? `${bytes} B` : `${(bytes / 1_024).toFixed(1)} KiB`;
}

function FilesIcon() {
  return (
    <svg
      className="files-icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path
        strokeLinecap="round"
        strokeLinejoin="round"
        d="m18.4 12.7-7.7 7.7a4.5 4.5 0 0 1-6.4-6.4L15.3 3.1a3 3 0 0 1 4.2 4.2L8.6 18.3a1.5 1.5 0 0 1-2.1-2.1l8.6-8.6"
      />
    </svg>
  );
}
