import Quill from 'quill';
import Link from 'quill/formats/link';
import { type Edit, type JobInput, type NameOf } from 'recruitment-gateway-client/forms';

/** What `allowedTags` has. The gateway would remove everything else. */
const formats = ['bold', 'italic', 'underline', 'link', 'list', 'header'];
const toolbar = [
  [{ header: [2, 3, 4, false] }],
  ['bold', 'italic', 'underline', 'link'],
  [{ list: 'bullet' }, { list: 'ordered' }],
];

/** The gateway keeps only these links. */
class KeptLink extends Link {
  static override sanitize(url: string) {
    return /^(https?|mailto):/i.test(url) ? url : this.SANITIZED_URL;
  }
  static override formats(node: HTMLElement) {
    const url = super.formats(node);
    return url && this.sanitize(url) === url ? url : null;
  }
}
Quill.register('formats/link', KeptLink, true);

/** Quill reads a no-break space, wide or narrow, as a usual one, so it gets another character meanwhile. */
const hidden = (html: string) => html.replace(/&nbsp;|\u00a0/g, '\ue000').replaceAll('\u202f', '\ue001');
const shownAgain = (text: string) => text.replaceAll('\ue000', '\u00a0').replaceAll('\ue001', '\u202f');

/** Opens an editor for a text of a job. Call `end()` when the form closes. */
export function openEditor(
  element: HTMLElement,
  edit: Edit<JobInput>,
  name: NameOf<JobInput> & `description${string}`,
) {
  const quill = new Quill(element, { theme: 'snow', formats, modules: { toolbar } });
  let shown: string | null | undefined;
  function show(): void {
    if (edit.get(name) === shown) return;
    shown = edit.get(name);
    const selection = quill.getSelection();
    const { ops } = quill.clipboard.convert({ html: hidden(shown ?? '') });
    const texts = ops.map((op) =>
      typeof op.insert === 'string' ? { ...op, insert: shownAgain(op.insert) } : op,
    );
    quill.setContents(texts, 'silent');
    if (selection) quill.setSelection(selection, 'silent');
  }
  show();
  quill.on('text-change', () => {
    // Quill writes each space as a reference. A no-break space that somebody typed is a character.
    shown = quill.getSemanticHTML().replaceAll('&nbsp;', ' ');
    edit.set(name, shown);
  });
  // What a merge took from a colleague, or a save stored in another spelling. The caret stays.
  return { quill, end: edit.subscribe(show) };
}
