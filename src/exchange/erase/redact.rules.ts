import { domainToASCII, domainToUnicode } from 'node:url';
import { decodeHTMLStrict } from 'entities';
import { codePointLength } from '../../content/field-reader.rules.js';

/** Replaces an address in texts. */
export const erased = '[erased]';
/** Replaces an address shorter than `erased`: a text that grew could exceed its bound. No address is shorter than this. */
export const erasedShort = '[...]';

/** Whether this is what replaces an address. */
export const isMark = (value: unknown): boolean => value === erased || value === erasedShort;

const markFor = (found: string): string => (codePointLength(found) < erased.length ? erasedShort : erased);

/** Takes an address out of values, however it is spelled. A longer address that only contains this one stays. */
export interface Redaction {
  /** The value without the address; if it does not hold the address, the very same value. Public ids stay as they are. */
  redact<T>(this: void, value: T): T;
  /** Whether the value holds the address, in a public id or elsewhere. */
  isIn(this: void, value: unknown): boolean;
}

/** Under these keys stand public ids, of the record itself or of another. Whoever knows a record knows it by them. */
const idKeys = ['publicId', 'media', 'company', 'brand', 'parent'];
/** Under these keys stands who did something, such as `samlp|acme|ann@mail.example`. */
const subjectKeys = ['actor', 'createdBy', 'key'];
/** How much of a text is looked at to find out what an address belongs to. No stored URL is longer. */
const longestContext = 4_096;

const letter = '\\p{L}\\p{N}\\p{M}\\uFFFD';
/** What a local part may hold (RFC 5322, 3.2.3; RFC 6531), and the apostrophe that word processors write. */
const inLocalPart = `[${letter}.!#$%&'’*+/=?^_\`{|}~-]`;
const endOfLocalPart = new RegExp(`(?<!${inLocalPart})${inLocalPart}*$`, 'u');
const domainBefore = new RegExp(`^[${letter}.-]+(?=[^${letter}.-])`, 'u');
const domainGoesOn = new RegExp(`^(?:[${letter}]|(?:-+|[.@])[${letter}])`, 'u');
const name = new RegExp(`[${letter}_%]`, 'u');
const oneAddress = /^[^\s@<>()[\],;:\\"]+$/;
const lastWord = /(?<![^\s"<>])[^\s"<>]*$/;
const separators = { ofUrl: /^.*[/?#=]/s, ofSubject: /^.*[|/?#=]/s, ofQuery: /^.*[?&][^?&/=]*=/s };

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

const visibleIn = (text: string): string => text.replace(writtenParts, shown);

/** An @, however it is written. Most texts have none, and reading those whole would take forty times as long. */
const atSign = /@|%(?:25)*40|&(?:amp;)*(?:#0*64|#x0*40|commat);/i;

const isPlain = (value: object): boolean =>
  Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

/** What takes this one address out of values, whatever other addresses they hold. */
export function redactionOf(address: string): Redaction {
  const pattern = new RegExp(spellingsOf(visibleIn(address)), 'giu');
  /** Compares what a reader sees of the text with the address. Tags within the address stay, so that HTML stays whole. */
  const redactText = (given: string, key: string | null): string => {
    if (!atSign.test(given)) return given;
    const text = given.replace(tags, (found) => `<${redactText(found.slice(1), key)}`);
    const visible = visibleIn(text);
    const places = [...visible.matchAll(pattern)]
      .map(({ 0: found, index }) => ({ found, start: index, end: index + found.length }))
      .filter((place) => standsAlone(visible, place, key));
    let [place] = places;
    if (!place) return text;
    let at = 0;
    let next = 0;
    return text.replace(writtenCharacters, (part) => {
      const before = at;
      at += shown(part).length;
      while (place && place.end <= before) place = places[(next += 1)];
      if (!place || at <= place.start) return part;
      if (before <= place.start) return markFor(place.found);
      return /^<./.test(part) ? part : '';
    });
  };
  const redactExcept = (kept: readonly string[]) => {
    /** @param key at which the value stands in its record; null for the element of a list */
    const redact = <T>(value: T, key: string | null): T => {
      if (typeof value === 'string') return kept.includes(key ?? '') ? value : (redactText(value, key) as T);
      if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
      const isList = Array.isArray(value);
      const entries = Object.entries(value).map(
        ([name, held]) => [name, held, redact(held as unknown, isList ? null : name)] as const,
      );
      if (entries.every(([, held, after]) => held === after)) return value;
      return (
        isList
          ? entries.map(([, , after]) => after)
          : Object.fromEntries(entries.map(([name, , after]) => [name, after]))
      ) as T;
    };
    return <T>(value: T): T => redact(value, '');
  };
  const redactAll = redactExcept([]);
  return { redact: redactExcept(idKeys), isIn: (value) => redactAll(value) !== value };
}

/** A pattern of every way to write an address, its domain in the letters of its language or in ASCII (RFC 5890, 2.3.2). */
function spellingsOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  // A domain that cannot be converted becomes empty.
  const domains = [domain, domainToASCII(domain), domainToUnicode(domain)].filter(Boolean);
  return [[address.slice(0, at + 1)], domains].map(anyOf).join('');
}

/** A pattern of these texts, with accents in the letters or after them. */
function anyOf(texts: readonly string[]): string {
  const forms = texts.flatMap((text) => [text, text.normalize('NFC'), text.normalize('NFD')]);
  return `(?:${[...new Set(forms)].map((form) => [...form].map(inEitherCase).join('')).join('|')})`;
}

const inEitherCase = (character: string): string => {
  const forms = [character, character.toLowerCase(), character.toUpperCase()].filter(
    (form) => [...form].length === 1,
  );
  return `(?:${[...new Set(forms)].map((form) => form.replace(/[.*+?^${}()|[\]\\/]/, '\\$&')).join('|')})`;
};

/**
 * Whether what was found is the address itself and not the end or beginning of another one. Anything that a local part
 * may hold counts as part of it, if a letter, a digit or `_` comes before: `o'brien@…` is not `brien@…`. Punctuation alone,
 * such as a quote or a slash, is none, nor is what a URL has before its last separator. In a list each element is one
 * address, from its first character on.
 */
function standsAlone(
  text: string,
  { start, end }: { start: number; end: number },
  key: string | null,
): boolean {
  if (domainGoesOn.test(text.slice(end, end + longestContext))) return false;
  const before = text.slice(Math.max(0, start - longestContext), start);
  if (key === null && oneAddress.test(before)) return false;
  const [run = ''] = endOfLocalPart.exec(before) ?? [];
  // After an @ stands the domain of the address before.
  const own = before.at(-run.length - 1) === '@' ? run.replace(domainBefore, '') : run;
  const separator = subjectKeys.includes(key ?? '')
    ? separators.ofSubject
    : lastWord.exec(before)?.[0].includes('//')
      ? separators.ofUrl
      : separators.ofQuery;
  return !name.test(own.replace(separator, ''));
}
