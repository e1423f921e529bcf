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
  // What a merge took from a colleague.
  const end = edit.subscribe(() => {
    if (edit.get(name) === shown) return;
    shown = edit.get(name);
    editor.commands.setContent(shown ?? '', { emitUpdate: false });
  });
  editor.on('destroy', end);
  return editor;
}
