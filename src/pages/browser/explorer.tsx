import { type Fetcher, StorageAPI } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import 'graphiql/style.css';
import { type GraphQLSchema, parse } from 'graphql';
import { createRoot } from 'react-dom/client';
import { chosenFiles } from './chosen-files';
import './explorer.css';
import { ChooseFileButton, filesPlugin } from './files-plugin';
import { multipartRequest, type Operation } from './multipart-request';
import { pageElement, readPageData } from './page-data';
import { uploadPaths } from './upload-paths';

interface ExampleTab {
  document: string;
  variables: Record<string, unknown>;
}

interface ExplorerData {
  tabs: [ExampleTab, ...ExampleTab[]];
  authorization: string | null;
}

/** The workers of the editor by the label that it asks with; the build puts their URLs in. */
declare const WORKER_URLS: Record<'editor' | 'json' | 'graphql', string>;

window.MonacoEnvironment = {
  getWorker: (_id, label) =>
    new Worker(WORKER_URLS[label === 'json' || label === 'graphql' ? label : 'editor']),
};

let knownSchema: GraphQLSchema | null = null;

const fetcher: Fetcher = async ({ query, operationName, variables }, options) => {
  const operation: Operation = {
    query,
    operationName,
    variables: variables as Record<string, unknown> | undefined,
  };
  const files = filesOf(operation);
  const isMultipart = files.size > 0;
  const reply = await fetch('/graphql', {
    method: 'POST',
    headers: {
      accept: 'application/json',
      // The gateway takes multipart only from a caller whose browser had to ask whether it may send this header.
      ...(isMultipart ? { 'apollo-require-preflight': 'yes' } : { 'content-type': 'application/json' }),
      ...(options?.headers as Record<string, string> | undefined),
    },
    body: isMultipart ? multipartRequest(operation, files) : JSON.stringify(operation),
  });
  return (await reply.json()) as Awaited<ReturnType<Fetcher>>;
};

/** The chosen files that this operation takes, so that a logo does not go with an update of a job. */
function filesOf({ query, operationName }: Operation): ReadonlyMap<string, File> {
  if (!knownSchema || chosenFiles().size === 0) return new Map();
  const paths = new Set(uploadPaths(knownSchema, parse(query), operationName));
  return new Map([...chosenFiles()].filter(([path]) => paths.has(path)));
}

const { tabs, authorization } = readPageData<ExplorerData>();
const headers = JSON.stringify({ Authorization: authorization ?? 'Bearer <ACCESS_TOKEN>' }, null, 2);

const defaultTabs = tabs.map(({ document, variables }) => ({
  query: document,
  variables: JSON.stringify(variables, null, 2),
  headers,
}));
const opened = keptTab() ?? defaultTabs[0];

/** The tab that was active when the page was last open here; undefined at the first visit. */
function keptTab(): { query: string | null; variables: string | null } | undefined {
  const kept = new StorageAPI().get('tabState');
  if (kept === null) return undefined;
  const { tabs: keptTabs, activeTabIndex } = JSON.parse(kept) as {
    tabs: { query: string | null; variables: string | null }[];
    activeTabIndex: number;
  };
  return keptTabs[activeTabIndex];
}

createRoot(pageElement()).render(
  <GraphiQL
    fetcher={fetcher}
    // Without the history, which would keep headers in the browser, and so tokens.
    plugins={[filesPlugin]}
    defaultTabs={defaultTabs}
    // GraphiQL fills the editors from here alone, and takes the tab that has the same as the active one.
    initialQuery={opened?.query ?? ''}
    initialVariables={opened?.variables ?? ''}
    // Tabs are kept without headers, and get those of this page when they come back.
    defaultHeaders={headers}
    showPersistHeadersSettings={false}
    defaultEditorToolsVisibility="variables"
    onSchemaChange={(schema) => {
      knownSchema = schema;
    }}
  >
    <GraphiQL.Toolbar>
      {({ prettify, merge, copy }) => (
        <>
          {prettify}
          {merge}
          {copy}
          <ChooseFileButton />
        </>
      )}
    </GraphiQL.Toolbar>
    <GraphiQL.Logo>
      <a href="/docs">REST reference</a>
    </GraphiQL.Logo>
  </GraphiQL>,
);
