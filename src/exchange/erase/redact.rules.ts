import { domainToASCII, domainToUnicode } from 'node:url';
import { codePointLength } from '../../fields/field-reader.rules.js';
import {
  addressPattern,
  inLocalPart,
  letter,
  replaceSeenAddresses,
  seenIn,
} from '../../text/seen-text.rules.js';

export const erased = '[erased]';
/** For an address shorter than `erased`: the text must not grow past its maximum. No address is shorter than this mark. */
export const erasedShort = '[...]';

export const isMark = (value: unknown): boolean => value === erased || value === erasedShort;

const markFor = (found: string): string => (codePointLength(found) < erased.length ? erasedShort : erased);

/** Removes one address, in any spelling, but keeps a longer address that contains it. */
export interface Redaction {
  /** Returns the identical value if the address is not in it. Public ids stay. */
  redact<T>(this: void, value: T): T;
  /** Looks in public ids too. */
  isIn(this: void, value: unknown): boolean;
}

/** Keys of public ids, which stay: callers know a record by its public id. */
const idKeys = ['publicId', 'media', 'company', 'brand', 'parent'];
/** Keys whose values say who did something, such as `samlp|acme|ann@mail.example`. */
const subjectKeys = ['actor', 'createdBy', 'key'];
/** How many characters on each side of a match are checked for a longer address: the length of the longest URL that can be stored. */
const longestContext = 4_096;

const endOfLocalPart = new RegExp(`(?<=(${inLocalPart}{0,${longestContext}}))`, 'uy');
const domainBefore = new RegExp(`^[${letter}.-]+(?=[^${letter}.-])`, 'u');
const domainGoesOn = new RegExp(`^(?:[${letter}]|(?:-+|[.@])[${letter}])`, 'u');
const name = new RegExp(`[${letter}_%]`, 'u');
const oneAddress = /^[^\s@<>()[\],;:\\"]+$/;
const lastWord = new RegExp(`(?<=([^\\s"<>]{0,${longestContext}}))`, 'y');
const separators = { ofUrl: /^.*[/?#=]/s, ofSubject: /^.*[|/?#=]/s, ofQuery: /^.*[?&][^?&/=]*=/s };

/** @param before a sticky pattern whose group ends at the offset */
function endingAt(offset: number, before: RegExp, text: string): string {
  before.lastIndex = offset;
  return before.exec(text)?.[1] ?? '';
}

const isPlain = (value: object): boolean =>
  Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

export function redactionOf(address: string): Redaction {
  const pattern = patternOf(seenIn(address));
  const redactText = (text: string, key: string | null): string =>
    replaceSeenAddresses(text, pattern, (found, seen, start) =>
      standsAlone(seen, { start, end: start + found.length }, key) ? markFor(found) : null,
    );
  const redactExcept = (kept: readonly string[]) => {
    /** @param key the value's key in its record; null for a list element */
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

/** Matches the domain in Unicode and in ASCII (RFC 5890, 2.3.2). */
function patternOf(address: string): RegExp {
  const end = address.lastIndexOf('@');
  const domain = address.slice(end + 1);
  // A failed conversion gives an empty text.
  const domains = [domain, domainToASCII(domain), domainToUnicode(domain)].filter(Boolean);
  return addressPattern(anyOf([address.slice(0, end)]), anyOf(domains), 'i');
}

/** Matches accents composed or decomposed. */
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
 * Whether a match is a whole address. Local-part characters before the match belong to the address if they include a letter, a digit or
 * `_`: `o'brien@…` is not `brien@…`. Punctuation alone, such as a quote or a slash, does not belong to the address, nor does a URL up to
 * its last separator. In a list element, all text before the match belongs to the address if that text could be a local part.
 */
function standsAlone(text: string, { start, end }: { start: number; end: number }, key: string | null) {
  if (domainGoesOn.test(text.slice(end, end + longestContext))) return false;
  if (key === null && oneAddress.test(text.slice(0, start))) return false;
  const run = endingAt(start, endOfLocalPart, text);
  // After an @, the run starts with the domain of the previous address.
  const own = text.charAt(start - run.length - 1) === '@' ? run.replace(domainBefore, '') : run;
  const separator = subjectKeys.includes(key ?? '')
    ? separators.ofSubject
    : endingAt(start, lastWord, text).includes('//')
      ? separators.ofUrl
      : separators.ofQuery;
  return !name.test(own.replace(separator, ''));
}
