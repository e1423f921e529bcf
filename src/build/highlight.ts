import { escapeHtml } from '../text/html-writer.rules.js';

/** In this order, the first that matches at a place counts. */
const tokens =
  /(?<comment>(?<=^|\s)(?:#|\/\/)[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>\b\d[\d.]*\b)/g;

/** Code as HTML, with comments, strings and numbers marked. It reads enough of shell, JSON, GraphQL, TypeScript, Python and PHP. */
export function highlight(code: string): string {
  let html = '';
  let end = 0;
  for (const { 0: found, index, groups } of code.matchAll(tokens)) {
    const [kind] = Object.entries(groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    html += `${escapeHtml(code.slice(end, index))}<i class="${kind}">${escapeHtml(found)}</i>`;
    end = index + found.length;
  }
  return html + escapeHtml(code.slice(end));
}

/** A sample that scrolls, so the keyboard must be able to focus it. */
export const sample = (code: string): string => `<pre tabindex="0"><code>${highlight(code)}</code></pre>`;
