import { Parser } from 'htmlparser2';

/** A text that the search of the pages finds: its page, the id to open, the headline above it, and the text. */
type FoundText = [page: string, id: string, headline: string, text: string];

const blocks = new Set(['h1', 'h2', 'h3', 'h4', 'p', 'li', 'tr', 'dt', 'pre', 'table']);
/** Tables of contents, forms, and the calls beside operations and errors: they repeat what stands beside them. */
const isLeftOut = (name: string, { class: classes }: Record<string, string>): boolean =>
  name === 'nav' || name === 'form' || /^(call|try)$/.test(classes ?? '');

/** The texts of a page. A text without an id of its own is found at the last id before it. */
export function textsOf(page: string, html: string): FoundText[] {
  const texts: FoundText[] = [];
  const last = { id: '', headline: '', text: '' };
  let leftOut = 0;
  let isHeadline = false;
  const flush = () => {
    const text = last.text.replace(/\s+/g, ' ').trim();
    last.text = '';
    if (text === '') return;
    if (isHeadline) last.headline = text;
    isHeadline = false;
    texts.push([page, last.id, last.headline, text]);
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (leftOut > 0 || isLeftOut(name, attributes)) leftOut += 1;
      if (leftOut > 0) return;
      if (blocks.has(name) || attributes.id) flush();
      isHeadline = /^h[1-4]$/.test(name) ? attributes.id !== undefined : isHeadline;
      if (attributes.id && !attributes.id.endsWith('-title')) last.id = attributes.id;
      // Cells would run together.
      if (name === 'td' || name === 'dd') last.text += ' ';
    },
    ontext(text) {
      if (leftOut === 0) last.text += text;
    },
    onclosetag(name) {
      if (leftOut > 0) leftOut -= 1;
      else if (blocks.has(name) && name !== 'dt') flush();
    },
  });
  parser.end(html);
  flush();
  return texts;
}
