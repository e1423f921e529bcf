/** The folded form of each single character of French names. Other characters are folded when they occur. */
const FOLDED_CHARACTERS: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0x180 }, (_, unit) => String.fromCharCode(unit)).map((one) => [one, foldRun(one)]),
);

function foldRun(run: string): string {
  return run
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
}

const SAINT = /(?<!\S)st(e?s?)(?!\S)/g;

const expandSaint = (_: string, ending: string): string =>
  ending.startsWith('e') ? `sainte${ending.slice(1)}` : `saint${ending}`;

/**
 * The form in which two names of places are compared: lower case, no accents or ligatures, every run of
 * hyphens, apostrophes, dots and spaces one space, "St" and "Ste" written out. Folding twice changes nothing.
 * Letters of other scripts stay; "" only when the text has no letter and no digit.
 */
export function foldName(text: string): string {
  // All names of the gazetteer pass through here at the start, so unchanged letters are left to the regular expression.
  const folded = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, (run) => FOLDED_CHARACTERS.get(run) ?? foldRun(run))
    .trim();
  return folded.includes('st') ? folded.replace(SAINT, expandSaint) : folded;
}

/** A folded name without its leading French or English article: "le mans" → "mans". */
export function withoutArticle(folded: string): string {
  return folded.replace(/^(?:les?|la|l|the) (?=.)/, '');
}
