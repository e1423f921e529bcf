import { replaceCodePoint } from 'entities/decode';

/** Control characters other than tabs and line breaks. Nobody sees them, and XML forbids most. */
export const controlCharacter = /[^\P{Cc}\t\n\r]/u;
const controlCharacters = new RegExp(controlCharacter, 'gu');

/**
 * Turns vertical tabs and form feeds into line breaks, and U+0080 to U+009F into the characters that Windows-1252 has there, as browsers
 * do for `&#146;`. Removes other control characters.
 */
export function replaceControlCharacters(given: string): { text: string; hasRemoved: boolean } {
  let hasRemoved = false;
  const text = given.replace(controlCharacters, (character) => {
    if (character === '\v' || character === '\f') return '\n';
    const meant = String.fromCodePoint(replaceCodePoint(character.charCodeAt(0)));
    if (character >= '\u0080' && meant !== character) return meant;
    hasRemoved = true;
    return '';
  });
  return { text, hasRemoved };
}
