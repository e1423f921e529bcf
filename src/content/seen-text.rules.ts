import { decodeHTMLStrict } from 'entities';
import { parseUrl } from './parse-url.rules.js';

/** Character class: letters, digits and marks. */
export const letter = '\\p{L}\\p{N}\\p{M}\\uFFFD';
/** Characters of a local part (RFC 5322, 3.2.3; RFC 6531), plus the typographic apostrophe. */
export const inLocalPart = `[${letter}.!#$%&'’*+/=?^_\`{|}~-]`;

const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** An HTML tag, unlike `<ann@mail.example>`. */
const tag = `</?[a-z][a-z\\d]*(?:\\s(?:[^<>"']|"[^"]*"|'[^']*')*)?/?>`;
const tags = new RegExp(tag, 'gi');
/** Tags of cleaned HTML that start a new line. */
const breakingTag = /^<\/?(?:p|br|[uo]l|li|h\d)\b/i;
const entity = '&(?:amp;)*(?:#\\d+|#x[\\da-f]+|[a-z][a-z\\d]*);';
const byte = '%(?:25)*';
/** What follows the first `%`: the rest of a UTF-8 sequence, otherwise one byte. Each `%` may be encoded again, as `%25`. */
const encoded = [
  '[0-7][\\da-f]',
  ...['[cd]', 'e', 'f'].map((lead, index) => `${lead}[\\da-f]${`${byte}[89ab][\\da-f]`.repeat(index + 1)}`),
  '[\\da-f]{2}',
];
/** Parts that a reader does not see as written: tags, entities, percent-encoding, invisible characters. */
const written = `${tag}|${entity}|${byte}(?:${encoded.join('|')})|\\p{Default_Ignorable_Code_Point}`;
const writtenParts = new RegExp(written, 'giu');
const writtenCharacters = new RegExp(`${written}|[^]`, 'giu');

function shown(part: string): string {
  if (part.startsWith('<') && part.length > 1) return breakingTag.test(part) ? '\n' : '';
  const character = /^&./.test(part)
    ? decodeHTMLStrict(part.replace(/^&(?:amp;)+/i, '&'))
    : /^%./.test(part)
      ? Buffer.from(part.replace(/%(?:25)*(?=[\da-f]{2})/gi, ''), 'hex').toString()
      : part;
  return character.replace(invisible, '');
}

/** The text as a reader sees it after a browser renders the HTML and decodes its links. */
export const seenIn = (text: string): string => text.replace(writtenParts, shown);

/** An @ in any encoding. Most texts have no @, and decoding a text takes 40 times as long as this test. */
const atSign = /@|%(?:25)*40|&(?:amp;)*(?:#0*64|#x0*40|commat);/i;

/**
 * Replaces matches in the text as a reader sees it, including attribute values. Tags inside a match stay, so the HTML stays well-formed.
 * Returns a text without an @ unchanged.
 * @param pattern a global pattern
 * @param replace gets `found`, which starts at `start` in the text `seen`; null keeps the match
 */
export function replaceSeen(
  given: string,
  pattern: RegExp,
  replace: (found: string, seen: string, start: number) => string | null,
): string {
  if (!atSign.test(given)) return given;
  const text = given.replace(tags, (found) => `<${replaceSeen(found.slice(1), pattern, replace)}`);
  const seen = seenIn(text);
  const places = [...seen.matchAll(pattern)].flatMap(({ 0: found, index: start }) => {
    const by = replace(found, seen, start);
    return by === null ? [] : [{ start, end: start + found.length, by }];
  });
  let [place] = places;
  if (!place) return text;
  let at = 0;
  let next = 0;
  return text.replace(writtenCharacters, (part) => {
    const before = at;
    at += shown(part).length;
    while (place && place.end <= before) place = places[(next += 1)];
    if (!place || at <= place.start) return part;
    if (before <= place.start) return place.by;
    return /^<./.test(part) ? part : '';
  });
}

const label = `[${letter}-]+`;
/** Characters of a local part, without those that can end the part of a URL before an address: `#`, `/`, `=`, `?`, `|`. */
const inAddress = `[${letter}.!$%&'’*+^_\`{}~-]`;
const anyAddress = new RegExp(
  `(?<!${inAddress})(?:"[^"\\n]{1,64}"|${inAddress}+)@(?:${label}\\.)+${label}`,
  'gu',
);
const link = /<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs;

const withoutMailLink = (whole: string, href: string, shown: string): string =>
  parseUrl(href)?.protocol === 'mailto:' ? shown : whole;

/** Removes e-mail addresses from plain text or cleaned HTML. Replaces each `mailto:` link by its text. */
export const withoutAddresses = (text: string): string =>
  replaceSeen(text.replace(link, withoutMailLink), anyAddress, () => '')
    // Also search without decoding: a program that does not decode ann%0a@mail.example reads it as an address.
    .replace(anyAddress, '');
