/** St, Ste, Sts and Stes. */
const SAINT = /(?<!\S)st(e?s?)(?!\S)/g;

/**
 * The form in which names of places are compared: lower case, no accents or ligatures, one space for each run of hyphens,
 * apostrophes, dots and spaces, "St" and "Ste" written out. Folding again changes nothing; other scripts stay.
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

/** A folded name without its leading French or English article: "le mans" → "mans". */
export function withoutArticle(folded: string): string {
  return folded.replace(LEADING_ARTICLE, '');
}

/** The folded names of which this one is left without their article: "mans" → "les mans", "le mans"… */
export function withArticles(folded: string): string[] {
  return ARTICLES.map((article) => `${article} ${folded}`);
}
