/** The folded forms of all characters that occur in French names. Other characters are folded when they occur. */
const FOLDED_CHARACTERS: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0x180 }, (_, unit) => String.fromCharCode(unit)).map((one) => [one, foldRun(one)]),
);

function foldRun(run: string): string {
  return run
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
}

/** St, Ste, Sts and Stes. */
const SAINT = /(?<!\S)st(e?s?)(?!\S)/g;

/**
 * The form in which names of places are compared: lower case, no accents or ligatures, one space for each run of hyphens,
 * apostrophes, dots and spaces, "St" and "Ste" written out. Folding again changes nothing; other scripts stay.
 */
export function foldName(text: string): string {
  // At the start, all names of the gazetteer are folded. It is faster to let a regular expression skip plain letters.
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, (run) => FOLDED_CHARACTERS.get(run) ?? foldRun(run))
    .trim()
    .replace(SAINT, 'saint$1');
}

/** A folded name without its leading French or English article: "le mans" → "mans". */
export function withoutArticle(folded: string): string {
  return folded.replace(/^(?:les?|la|l|the) (?=.)/, '');
}
