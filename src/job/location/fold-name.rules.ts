/** Matches st, ste, sts and stes as whole words. */
const SAINT = /(?<!\S)st(e?s?)(?!\S)/g;

/**
 * Normalises a place name for comparison: lower case, no accents or ligatures, "St" and "Ste" written out. Keeps digits and
 * the letters of all scripts. Each run of other characters, such as hyphens, apostrophes, dots and spaces, becomes one space.
 * Folding a folded name changes nothing.
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

/** Removes the leading French or English article of a folded name: "le mans" → "mans". */
export function withoutArticle(folded: string): string {
  return folded.replace(LEADING_ARTICLE, '');
}

/** The folded name with each article in front: "mans" → "les mans", "le mans"… */
export function withArticles(folded: string): string[] {
  return ARTICLES.map((article) => `${article} ${folded}`);
}
