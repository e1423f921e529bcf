import { allOf } from './query.rules.js';
import { nameKey } from '../text/name-key.rules.js';

/** In code points: more than any name has. */
const longestSearch = 256;

/** In UTF-16 units, with room for control characters. Limits the work: one request can pass the same text of 1 MiB to many fields. */
const longestText = 4 * longestSearch;

/** In bytes of UTF-8: the more fields an index has, the fewer DocumentDB allows, 370 in an index of jobs. */
const longestPattern = 256;

/** Callers type one, and names have another. */
const apostrophe = /['‘’‛ʼ′`]/;

/**
 * Matches records by their {@link nameKey}: every word of the text occurs in it, in any order, in whole or as a part of a word. Every
 * character is literal. A text without words matches all records.
 */
export const nameQuery = (text: string): Record<string, unknown> =>
  allOf(...[...new Set(wordsOf(text))].map((word) => ({ nameKey: new RegExp(patternOf(word)) })));

const special = /[\\^$.*+?()[\]{}|/-]/g;

const wordsOf = (text: string): string[] => nameKey(cutOf(text)).split(' ').filter(Boolean);

function cutOf(text: string): string {
  const head = text.trim().slice(0, longestText);
  // Names have no control characters, and the database rejects a pattern that contains NUL.
  return [...head.replace(/(?!\s)\p{Cc}/gu, '').trim()].slice(0, longestSearch).join('');
}

function patternOf(word: string): string {
  let pattern = '';
  for (const character of word) {
    const next =
      pattern + (apostrophe.test(character) ? apostrophe.source : character.replace(special, '\\$&'));
    if (Buffer.byteLength(next) > longestPattern) break;
    pattern = next;
  }
  return pattern;
}
