import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sample } from './highlight.js';
import { withExamples } from './render-errors.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The documents that are pages, by the path of the page. */
export const documents = {
  contract: 'schema/contract.md',
  client: 'schema/client/README.md',
  handbook: 'deploy/README.md',
  errors: 'schema/errors.md',
  changelog: 'CHANGELOG.md',
} as const;

export type DocumentPage = keyof typeof documents;

/** HTML with a table of contents. Statements of the contract have their number as id, and references to them are links. */
export async function renderDocument(page: DocumentPage): Promise<string> {
  const [text, contract] = await Promise.all([documents[page], documents.contract].map(read));
  const statements = new Set([...(contract ?? '').matchAll(numbers)].map(([, number = '']) => number));
  // The changelog names statements of past contracts.
  const cited = page === 'changelog' ? new Set<string>() : statements;
  const numbered = linkReferences(text ?? '', cited, page === 'contract' ? '' : './contract')
    .replace(/^- \*\*(\d+(?:\.\d+)*)\*\* /gm, '- <a id="$1" href="#$1"><strong>$1</strong></a> ')
    .replace(/^(#+) (\d+(?:\.\d+)*) /gm, '$1 <a id="$2" href="#$2">$2</a> ');
  const html = new Marked(gfmHeadingId(), {
    renderer: { code: ({ text: code }) => sample(code) },
  }).parse(numbered, {
    async: false,
  });
  const linked = linkPages(html, documents[page])
    // A wide table scrolls, so the keyboard must be able to focus it.
    .replaceAll('<table>', '<table tabindex="0">')
    .replace(/<tr>(?=\s*<td><code>([A-Z][A-Z_\d]+|gateway_\w+)<)/g, '<tr id="$1">')
    .replace(/<code>([a-z-]+)<\/code>(?=<\/td>\s*<td>\d{3}<)/g, '<a href="./errors#$1">$&</a>');
  if (page === 'errors') return `${contents()}<main class="reference">${withExamples(linked)}</main>`;
  return `${contents()}<main>${nameColumns(page === 'contract' ? linkFields(linked) : linked)}</main>`;
}

/** A narrow screen has no room for the head of a table, so each cell shows the name of its column. */
const nameColumns = (html: string): string =>
  html.replace(/<table [^]*?<\/table>/g, (table) => {
    const columns = [...table.matchAll(/<th>(.*?)<\/th>/g)].map(([, name]) => name);
    let cells = 0;
    return table.replace(/<td>/g, () => `<td data-column="${columns[cells++ % columns.length]}">`);
  });

/** The fields of updates lead to the REST reference. */
const linkFields = (html: string): string =>
  html.replace(/<a id="5\.[24]\.2"[^]*?<\/table>/g, (statement) => {
    const operation = statement.includes('id="5.2.2"') ? 'updateCompany' : 'updateJob';
    return statement.replace(/(?<=<tr>\s*<td>)[^]*?(?=<\/td>)/g, (names) =>
      names.replace(/<code>(\w+)<\/code>/g, `<a href="./docs#${operation}.$1"><code>$1</code></a>`),
    );
  });

const read = (path: string): Promise<string> => readFile(root + path, 'utf8');

const numbers = /^(?:- \*\*|#+ )(\d+(?:\.\d+)*)/gm;

/** Leaves code, versions such as `1.2.0`, and the numbers of statements and headings as they are. */
function linkReferences(text: string, statements: ReadonlySet<string>, page: string): string {
  return text.replace(
    /```[^]*?```|`[^`\n]*`|\]\([^)]*\)|^#+ [\d.]+|(?<=^- )\*\*[\d.]+\*\*|(?<![\w./-])(?<!version )\d+(?:\.\d+)+(?![\w/-]|\.\d)/gm,
    (found) => (statements.has(found) ? `[${found}](${page}#${found})` : found),
  );
}

/** The headings of the second and third level of the document that was parsed last. */
function contents(): string {
  const chapters: Chapter[] = [];
  for (const { id, level, text } of getHeadingList()) {
    const link = `<a href="#${/<a id="([\d.]+)"/.exec(text)?.[1] ?? id}">${text.replace(/<[^>]*>/g, '')}</a>`;
    if (level === 2) chapters.push({ link, parts: [] });
    else if (level === 3) chapters.at(-1)?.parts.push(link);
  }
  return contentsOf(chapters);
}

interface Chapter {
  /** HTML, as each of the parts. */
  link: string;
  parts: string[];
}

/** The contents of a page. On a narrow screen, the script closes them. */
export function contentsOf(chapters: readonly Chapter[]): string {
  const items = chapters.map(
    ({ link, parts }) =>
      `<li>${link}${parts.length > 0 ? `<ul>${parts.map((part) => `<li>${part}</li>`).join('')}</ul>` : ''}</li>`,
  );
  return `<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary><ul>${items.join('')}</ul></details></nav>`;
}

/** Links lead to the page of the document that they name. A file without a page is named without a link. */
function linkPages(html: string, from: string): string {
  const pages = new Map(Object.entries(documents).map(([page, path]) => [path as string, page]));
  return html.replace(/<a href="([^"]*)">([^]*?)<\/a>/g, (all, href: string, inner: string) => {
    if (/^(https?:|#|\.\/contract)/.test(href)) return all;
    const [path = '', anchor] = href.split('#');
    const page = pages.get(posix.join(posix.dirname(from), path));
    return page ? `<a href="./${page}${anchor ? `#${anchor}` : ''}">${inner}</a>` : inner;
  });
}
