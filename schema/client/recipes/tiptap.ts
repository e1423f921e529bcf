import { Editor } from '@tiptap/core';
import { StarterKit } from '@tiptap/starter-kit';
import { type Edit, type JobInput, type NameOf } from 'recruitment-gateway-client/forms';

/** What `allowedTags` has. The gateway would remove everything else. */
const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: { isAllowedUri: (url) => /^(https?|mailto):/i.test(url), openOnClick: false },
    blockquote: false,
    code: false,
    codeBlock: false,
    horizontalRule: false,
    strike: false,
    // It would add a paragraph behind a list, and so change a text that nobody has changed.
    trailingNode: false,
  }),
];

/** Opens an editor for a text of a job. Call `destroy()` of the editor when the form closes. */
export function openEditor(
  element: HTMLElement,
  edit: Edit<JobInput>,
  name: NameOf<JobInput> & `description${string}`,
) {
  let shown = edit.get(name);
  const editor = new Editor({
    element,
    extensions,
    content: shown ?? '',
    onUpdate() {
      shown = editor.getHTML();
      edit.set(name, shown);
    },
  });
  // What a merge took from a colleague, or a save stored in another spelling. The caret stays.
  const end = edit.subscribe(() => {
    if (edit.get(name) === shown) return;
    shown = edit.get(name);
    const { from, to } = editor.state.selection;
    editor
      .chain()
      .setContent(shown ?? '', { emitUpdate: false })
      .setTextSelection({ from, to })
      .run();
  });
  editor.on('destroy', end);
  return editor;
}
