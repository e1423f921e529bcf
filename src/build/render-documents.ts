import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The documents that are pages, by the path of the page. */
export const documents = {
  contract: 'schema/contract.md',
  client: 'schema/client/README.md',
  handbook: 'deploy/README.md',
} as const;

export type DocumentPage = keyof typeof documents;

/** HTML with a table of contents. Statements of the contract have their number as id, and references to them are links. */
export async function renderDocument(page: DocumentPage): Promise<string> {
  const [text, contract] = await Promise.all([documents[page], documents.contract].map(read));
  const statements = new Set([...(contract ?? '').matchAll(numbers)].map(([, number = '']) => number));
  const numbered = linkReferences(text ?? '', statements, page === 'contract' ? '' : './contract')
    .replace(/^- \*\*(\d+(?:\.\d+)*)\*\* /gm, '- <a id="$1" href="#$1"><strong>$1</strong></a> ')
    .replace(/^(#+) (\d+(?:\.\d+)*) /gm, '$1 <a id="$2" href="#$2">$2</a> ');
  const html = new Marked(gfmHeadingId()).parse(numbered, { async: false });
  return (
    linkPages(html, documents[page])
      .replace(/<\/h1>/, `</h1>${contents()}`)
      // A wide table or sample scrolls, so the keyboard must be able to focus it.
      .replaceAll(/<(table|pre)>/g, '<$1 tabindex="0">')
  );
}

const read = (path: string): Promise<string> => readFile(root + path, 'utf8');

const numbers = /^(?:- \*\*|#+ )(\d+(?:\.\d+)*)/gm;

/** Leaves code, versions such as `1.2.0`, and the numbers of statements and headings as they are. */
function linkReferences(text: string, statements: ReadonlySet<string>, page: string): string {
  return text.replace(
    /```[^]*?```|`[^`\n]*`|\]\([^)]*\)|^#+ [\d.]+|(?<=^- )\*\*[\d.]+\*\*|(?<![\w./-])(?<!version )\d+(?:\.\d+)+(?![\w/-]|\.\d)/gm,
    (found) => (statements.has(found) ? `[${found}](${page}#${found})` : found),
  );
}

/** Lists the headings of the second level of the document that was parsed last. */
function contents(): string {
  const entries = getHeadingList()
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${text.replace(/<[^>]*>/g, '')}</a></li>`);
  return `<nav aria-label="Contents"><ul>${entries.join('')}</ul></nav>`;
}

/** Links lead to the page of the document that they name. A file that is no page is named without a link. */
function linkPages(html: string, from: string): string {
  const pages = new Map(Object.entries(documents).map(([page, path]) => [path as string, page]));
  return html.replace(/<a href="([^"]*)">([^]*?)<\/a>/g, (all, href: string, inner: string) => {
    if (/^(https?:|#|\.\/contract)/.test(href)) return all;
    const [path = '', anchor] = href.split('#');
    const page = pages.get(posix.join(posix.dirname(from), path));
    return page ? `<a href="./${page}${anchor ? `#${anchor}` : ''}">${inner}</a>` : inner;
  });
}
