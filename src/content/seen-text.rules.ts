import { decodeHTMLStrict } from 'entities';
import { parseUrl } from './parse-url.rules.js';

/** What counts as a letter of an e-mail address. */
export const letter = '\\p{L}\\p{N}\\p{M}\\uFFFD';
/** What a local part may hold (RFC 5322, 3.2.3; RFC 6531), and the apostrophe that word processors write. */
export const inLocalPart = `[${letter}.!#$%&'’*+/=?^_\`{|}~-]`;

const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** A tag whose name HTML could have: `<ann@mail.example>` is none. */
const tag = `</?[a-z][a-z\\d]*(?:\\s(?:[^<>"']|"[^"]*"|'[^']*')*)?/?>`;
const tags = new RegExp(tag, 'gi');
/** A browser begins a new line here. Of what cleaned HTML may hold, all other tags only change how their text looks. */
const breakingTag = /^<\/?(?:p|br|[uo]l|li|h\d)\b/i;
const entity = '&(?:amp;)*(?:#\\d+|#x[\\da-f]+|[a-z][a-z\\d]*);';
const byte = '%(?:25)*';
/** A UTF-8 sequence, percent-encoded once or several times over; failing that, one byte. */
const encoded = [
  '[0-7][\\da-f]',
  ...['[cd]', 'e', 'f'].map((lead, index) => `${lead}[\\da-f]${`${byte}[89ab][\\da-f]`.repeat(index + 1)}`),
  '[\\da-f]{2}',
];
/** What stands in a text for something else, or for nothing. */
const written = `${tag}|${entity}|${byte}(?:${encoded.join('|')})|\\p{Default_Ignorable_Code_Point}`;
const writtenParts = new RegExp(written, 'giu');
const writtenCharacters = new RegExp(`${written}|[^]`, 'giu');

/** What a reader sees of a part of a text, whether a browser shows it as HTML or follows it as a link. */
function shown(part: string): string {
  if (part.startsWith('<') && part.length > 1) return breakingTag.test(part) ? '\n' : '';
  const character = /^&./.test(part)
    ? decodeHTMLStrict(part.replace(/^&(?:amp;)+/i, '&'))
    : /^%./.test(part)
      ? Buffer.from(part.replace(/%(?:25)*(?=[\da-f]{2})/gi, ''), 'hex').toString()
      : part;
  return character.replace(invisible, '');
}

/** What a reader sees of a text, whether a browser shows it as HTML or follows it as a link. */
export const seenIn = (text: string): string => text.replace(writtenParts, shown);

/** An @, however it is written. Most texts have none, and reading those whole would take forty times as long. */
const atSign = /@|%(?:25)*40|&(?:amp;)*(?:#0*64|#x0*40|commat);/i;

/** A place in what a reader sees of a text, and what replaces it. */
interface Place {
  start: number;
  end: number;
  by: string;
}

/**
 * Replaces e-mail addresses that a reader sees in a text, in the values of its attributes too. Tags within an address stay, so that
 * HTML stays whole.
 * @param find the places to replace in what a reader sees, the first one first
 */
export function replaceSeen(given: string, find: (seen: string) => Place[]): string {
  if (!atSign.test(given)) return given;
  const text = given.replace(tags, (found) => `<${replaceSeen(found.slice(1), find)}`);
  const places = find(seenIn(text));
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
/** An address, as far as nothing in it could part it from a URL before it. */
const inAddress = `[${letter}.!$%&'’*+^_\`{}~-]`;
const anyAddress = new RegExp(
  `(?<!${inAddress})(?:"[^"\\n]{1,64}"|${inAddress}+)@(?:${label}\\.)+${label}`,
  'gu',
);
const link = /<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs;

const withoutMailLink = (whole: string, href: string, shown: string): string =>
  parseUrl(href)?.protocol === 'mailto:' ? shown : whole;

/** A text of ours, cleaned HTML or plain, without the e-mail addresses in it and without links that open a mail. */
export const withoutAddresses = (text: string): string =>
  replaceSeen(
    text.replace(link, withoutMailLink),
    (seen) =>
      [...seen.matchAll(anyAddress)].map(({ 0: found, index }) => ({
        start: index,
        end: index + found.length,
        by: '',
      })),
    // A text that nobody decodes shows %0a as it is.
  ).replace(anyAddress, '');
