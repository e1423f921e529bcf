import { visibleText } from './invisible.rules.js';

/** Marks on a Latin or Greek letter, and marks without a letter. In other scripts, a mark can make another letter: バリ is not パリ. */
const accents = /(^|[\s\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;

/**
 * The key by which names are compared: it ignores case, accents, ligatures, invisible characters and repeated spaces. If you
 * change the result, convert the keys of the stored records.
 */
export const nameKey = (name: string): string =>
  visibleText(name)
    // Some letters match only in upper case: ς and σ, ı and i.
    .toUpperCase()
    .normalize('NFKD')
    .replace(accents, '$1')
    .toUpperCase()
    .toLowerCase()
    .replace(/œ/g, 'oe')
    .replace(/æ/g, 'ae')
    .replace(/ß/g, 'ss')
    // U+2800 is the space of Braille.
    .replace(/[\s\u2800]+/g, ' ')
    .trim();
