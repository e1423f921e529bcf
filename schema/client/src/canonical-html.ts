import { allowedTags } from './format-table.js';

const tags: readonly string[] = allowedTags;
const tag = /(<\/?[a-z\d]+(?:\s+[a-z]+="[^"<>]*")*\s*\/?>)/i;
const partsOfTag = /^<(\/?)([a-z\d]+)(.*?)\/?>$/is;
const attribute = /\s+([a-z]+)="([^"]*)"/gi;
/** What only the gateway can read. */
const unknownText = /<|&(?!(?:nbsp|amp|lt|gt|quot);)/;
const characters: Readonly<Record<string, string>> = {
  nbsp: '\u00a0',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
};

/**
 * One spelling for the texts that editors write and the gateway stores alike: `<br>` and `<br />`, the `target` of a link, a text of empty
 * paragraphs, `&nbsp;` and U+00A0. A text with anything else comes back as it is, so no two texts are alike that the gateway stores
 * differently.
 */
export function canonicalHtml(text: string): string {
  const parts = text.split(tag);
  // Without a tag, the gateway may take the text as it is.
  if (parts.length === 1) return text;
  const spelled = parts.map((part, index) => (index % 2 === 1 ? canonicalTag(part) : canonicalText(part)));
  if (spelled.includes(null)) return text;
  const html = spelled.join('');
  return html.replace(/<[^>]*>/g, '').trim() === '' ? '' : html;
}

function canonicalTag(text: string): string | null {
  const [, slash = '', name = '', rest = ''] = partsOfTag.exec(text) ?? [];
  const lower = name.toLowerCase();
  const attributes = [...rest.matchAll(attribute)].map(([, key = '', value = '']) => ({
    key: key.toLowerCase(),
    value,
  }));
  const isKnown = attributes.every(({ key }) => lower === 'a' && ['href', 'target', 'rel'].includes(key));
  if (!tags.includes(lower) || !isKnown || (slash && (rest.trim() || lower === 'br'))) return null;
  if (lower !== 'a' || slash) return `<${slash}${lower}>`;
  const href = attributes.find(({ key }) => key === 'href');
  if (!href) return '<a>';
  const value = canonicalText(href.value);
  return value === null ? null : `<a href="${value.replaceAll('"', '&quot;')}">`;
}

/** Null if only the gateway can read the text. */
function canonicalText(text: string): string | null {
  if (unknownText.test(text)) return null;
  return withCharacters(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The characters that a stored text spells as references. */
export const withCharacters = (text: string): string =>
  text.replace(/&(\w+);/g, (found, name: string) => characters[name] ?? found);
