import { decodeHTMLStrict } from 'entities';
import { parseUrl } from './parse-url.rules.js';

/** Character class: letters, digits and marks. */
export const letter = '\\p{L}\\p{N}\\p{M}\\uFFFD';
/** Characters of a local part (RFC 5322, 3.2.3; RFC 6531), plus the typographic apostrophe. */
export const inLocalPart = `[${letter}.!#$%&'’*+/=?^_\`{|}~-]`;

const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** The rest of an HTML tag after its name, unlike in `<ann@mail.example>`. */
const values = `\\s(?:[^<>"']|"[^"]*"|'[^']*')*`;
const tag = `</?[a-z][a-z\\d]*(?:${values})?/?>`;
const tagsWithValues = new RegExp(`</?[a-z][a-z\\d]*${values}>`, 'gi');
/** Tags of cleaned HTML that start a new line. */
const breakingTag = /^<\/?(?:p|br|[uo]l|li|h\d)\b/i;
const entity = '&(?:#\\d+|#x[\\da-f]+|[a-z][a-z\\d]*);';
/** The text after the first `%`: the rest of a UTF-8 sequence, otherwise one byte. */
const encoded = [
  '[0-7][\\da-f]',
  ...['[cd]', 'e', 'f'].map((lead, index) => `${lead}[\\da-f]${`%[89ab][\\da-f]`.repeat(index + 1)}`),
  '[\\da-f]{2}',
];
/** Parts that a reader does not see as written: tags, entities, percent-encoding, invisible characters. */
const writtenParts = new RegExp(
  `${tag}|${entity}|%(?:${encoded.join('|')})|\\p{Default_Ignorable_Code_Point}+`,
  'giu',
);

function visible(part: string): string {
  if (part.startsWith('<')) return breakingTag.test(part) ? '\n' : '';
  const character = part.startsWith('&')
    ? decodeHTMLStrict(part)
    : part.startsWith('%')
      ? Buffer.from(part.replaceAll('%', ''), 'hex').toString()
      : '';
  return character.replace(invisible, '');
}

/** A part of a text that a reader does not see as written. Offsets are in UTF-16 units. */
interface UnseenPart {
  /** In the text. */
  start: number;
  end: number;
  /** In the text as a reader sees it. */
  seenStart: number;
  seenEnd: number;
}

interface SeenText {
  seen: string;
  parts: readonly UnseenPart[];
}

function see(text: string): SeenText {
  const parts: UnseenPart[] = [];
  /** Most parts repeat, and decoding one takes longer than finding it. */
  const visibleOf = new Map<string, string>();
  let seen = '';
  let end = 0;
  let length = 0;
  writtenParts.lastIndex = 0;
  for (let found = writtenParts.exec(text); found; found = writtenParts.exec(text)) {
    const written = found[0];
    const start = found.index;
    let as = visibleOf.get(written);
    if (as === undefined) visibleOf.set(written, (as = visible(written)));
    seen += text.slice(end, start) + as;
    const seenStart = length + start - end;
    length = seenStart + as.length;
    end = start + written.length;
    parts.push({ start, end, seenStart, seenEnd: length });
  }
  return { seen: seen + text.slice(end), parts };
}

/** The text as a reader sees it after a browser renders the HTML and decodes its links. */
export const seenIn = (text: string): string => see(text).seen;

/** An @ in any encoding. Most texts have none, and decoding a text takes several times as long as this test. */
const anyAt = /@|%40|&(?:commat|#0*64|#x0*40);/i;

/**
 * Finds addresses in linear time: looks for an @ first, then to both sides of it.
 * @param local what stands before the @, a pattern that matches no @
 * @param domain what stands after the @
 */
export const addressPattern = (local: string, domain: string, flags = ''): RegExp =>
  new RegExp(`@(?<=(${local})@)(?:${domain})`, `gu${flags}`);

/** Gets an address `found`, which starts at `start` in the text `seen`. Null keeps the address. */
type Replace = (found: string, seen: string, start: number) => string | null;

/**
 * Replaces addresses in the text as a reader sees it, including attribute values. Tags inside an address stay, so the HTML stays
 * well-formed. Returns a text without an @ unchanged.
 * @param pattern from {@link addressPattern}
 */
export function replaceSeenAddresses(html: string, pattern: RegExp, replace: Replace): string {
  if (!anyAt.test(html)) return html;
  const text = html.replace(
    tagsWithValues,
    (found) => `<${replaceSeenAddresses(found.slice(1), pattern, replace)}`,
  );
  return replaceIn(text, see(text), pattern, replace);
}

function replaceIn(text: string, { seen, parts }: SeenText, pattern: RegExp, replace: Replace): string {
  let replaced = '';
  /** Where the text goes on after the last replaced address, and the part that comes next. */
  let [end, seenEnd, next] = [0, 0, 0];
  /** Between two parts, a reader sees the text as written. */
  const positionOf = (offset: number, before = parts[next - 1]) =>
    before ? before.end + Math.max(0, offset - before.seenEnd) : offset;
  for (const { 0: rest, 1: local = '', index } of seen.matchAll(pattern)) {
    // Two addresses can share characters: `ann@mail.example@mail.example`.
    const start = Math.max(seenEnd, index - local.length);
    const by = replace(seen.slice(start, index) + rest, seen, start);
    if (by === null) continue;
    let part = parts[next];
    while (part && part.seenEnd <= start) part = parts[(next += 1)];
    replaced += text.slice(end, part && part.seenStart <= start ? part.start : positionOf(start)) + by;
    for (seenEnd = index + rest.length; part && part.seenStart < seenEnd; part = parts[(next += 1)])
      if (text.startsWith('<', part.start)) replaced += text.slice(part.start, part.end);
    end = positionOf(seenEnd);
  }
  return replaced + text.slice(end);
}

/** Every character that the list fields accept in an address. */
const accepted = `(?:[^\\s\\p{Cc}\\p{Cf}\\p{Cs}@<>()[\\],;:\\\\"]|[\\u200C\\u200D])`;
const inLabel = `[${letter}\\p{So}_-]`;
/** Lacks the characters that can end the part of a URL before an address: `#`, `/`, `=`, `?`, `|`. */
const usualLocal = `[${letter}\\p{So}.!$%&'’*+^_\`{}~-]+`;
/** In a URL, an @ after a slash starts a name: `https://video.example/@acme.jobs`. */
const notInUrl = `(?<!://[^\\s@]*)`;
const ipAddress = '\\[[^\\s[\\]]*[.:][^\\s[\\]]*\\]';
/** In each alternation, the usual form comes first: it takes no punctuation around the address. */
const anyAddress = addressPattern(
  `"[^"\\n]{1,64}"|${usualLocal}|${accepted}+${notInUrl}`,
  `(?:${inLabel}+\\.)+${inLabel}+|(?!\\.)${accepted}*[.\u3002\uFF0E\uFF61](?:(?!\\.)${accepted})+|localhost(?!${inLabel})|${ipAddress}`,
  'i',
);
/** The @ of Asian keyboards. */
const wideAt = /[\uFF20\uFE6B]/g;
const link = /<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs;

const withoutMailLink = (whole: string, href: string, text: string): string =>
  parseUrl(href)?.protocol === 'mailto:' ? text : whole;

/**
 * Removes e-mail addresses from plain text or cleaned HTML: every address that a job's lists accept, in any encoding, and addresses at
 * `localhost` or an IP address. Replaces each wide @ by a plain one, and each `mailto:` link by its text.
 */
export function withoutAddresses(text: string): string {
  const remove = () => '';
  const left = replaceSeenAddresses(
    text.replace(wideAt, '@').replace(link, withoutMailLink),
    anyAddress,
    remove,
  );
  // Also search without decoding: a program that does not decode ann%0a@mail.example reads it as an address.
  return replaceIn(left, { seen: left, parts: [] }, anyAddress, remove);
}
