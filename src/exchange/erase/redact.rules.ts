import { domainToASCII, domainToUnicode } from 'node:url';
import { codePointLength } from '../../content/field-reader.rules.js';
import { inLocalPart, letter, replaceSeen, seenIn } from '../../content/seen-text.rules.js';

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

const endOfLocalPart = new RegExp(`(?<!${inLocalPart})${inLocalPart}*$`, 'u');
const domainBefore = new RegExp(`^[${letter}.-]+(?=[^${letter}.-])`, 'u');
const domainGoesOn = new RegExp(`^(?:[${letter}]|(?:-+|[.@])[${letter}])`, 'u');
const name = new RegExp(`[${letter}_%]`, 'u');
const oneAddress = /^[^\s@<>()[\],;:\\"]+$/;
const lastWord = /(?<![^\s"<>])[^\s"<>]*$/;
const separators = { ofUrl: /^.*[/?#=]/s, ofSubject: /^.*[|/?#=]/s, ofQuery: /^.*[?&][^?&/=]*=/s };

const isPlain = (value: object): boolean =>
  Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

/** What takes this one address out of values, whatever other addresses they hold. */
export function redactionOf(address: string): Redaction {
  const pattern = new RegExp(spellingsOf(seenIn(address)), 'giu');
  const redactText = (given: string, key: string | null): string =>
    replaceSeen(given, (seen) =>
      [...seen.matchAll(pattern)]
        .map(({ 0: found, index }) => ({ start: index, end: index + found.length, by: markFor(found) }))
        .filter((place) => standsAlone(seen, place, key)),
    );
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
