import { replaceCodePoint } from 'entities/decode';

/** Control characters other than tabs and line breaks. Nobody sees them, and XML forbids most. */
export const controlCharacter = /[^\P{Cc}\t\n\r]/u;
const replaced = new RegExp(`${controlCharacter.source}|[\u2028\u2029]`, 'gu');
const lineBreaks = ['\v', '\f', '\u2028', '\u2029'];

/**
 * Turns vertical tabs, form feeds, U+2028 and U+2029 into line breaks, and U+0080 to U+009F into the characters that Windows-1252 has
 * there, as browsers do for `&#146;`. Removes other control characters.
 */
export function replaceControlCharacters(raw: string): { text: string; hasRemoved: boolean } {
  let hasRemoved = false;
  const text = raw.replace(replaced, (character) => {
    if (lineBreaks.includes(character)) return '\n';
    const meant = String.fromCodePoint(replaceCodePoint(character.charCodeAt(0)));
    if (character >= '\u0080' && meant !== character) return meant;
    hasRemoved = true;
    return '';
  });
  return { text, hasRemoved };
}

const invisible = '\\p{Cf}\\p{Default_Ignorable_Code_Point}';
const anyInvisible = new RegExp(`[${invisible}]`, 'gu');
/** U+2800 is the space of Braille. */
const visible = new RegExp(`[^${invisible}\\s\\u2800]`, 'u');

/** Removes zero-width characters, direction marks and variation selectors. */
export const visibleText = (text: string): string => text.replace(anyInvisible, '');

export const hasInvisible = (text: string): boolean => text.search(anyInvisible) !== -1;

const ends = new RegExp(`^[${invisible}\\s]+|(?<![${invisible}\\s])[${invisible}\\s]+$`, 'gu');

/** Removes the spaces and invisible characters at both ends. */
export const trimInvisible = (text: string): string => text.replace(ends, '');

/** Whether the text has only spaces and invisible characters. */
export const isBlank = (text: string): boolean => !visible.test(text);
