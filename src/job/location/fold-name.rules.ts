const SAINT = /(?<!\S)st(e?s?)(?!\S)/g;

/**
 * Normalises a place name for comparison: lower case, no accents or ligatures, "St" and "Ste" written out. Each run of characters other
 * than digits and letters becomes one space. Folding a folded name changes nothing.
 */
export function foldName(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(SAINT, 'saint$1');
}

const ARTICLES = ['les', 'le', 'la', 'l', 'the'];
const LEADING_ARTICLE = new RegExp(`^(?:${ARTICLES.join('|')}) (?=.)`);

/** "le mans" → "mans". */
export const withoutArticle = (folded: string): string => folded.replace(LEADING_ARTICLE, '');

/** "mans" → "les mans", "le mans"… */
export const withArticles = (folded: string): string[] => ARTICLES.map((article) => `${article} ${folded}`);
