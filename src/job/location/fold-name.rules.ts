/** Code units below this one cover all French names, and fold one by one. */
const TABLE_SIZE = 0x180;

function foldSlowly(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
}

const FOLDED_UNITS = Array.from({ length: TABLE_SIZE }, (_, unit) => foldSlowly(String.fromCharCode(unit)));

const SAINT = /(?<!\S)st(e?s?)(?!\S)/g;

const expandSaint = (_: string, ending: string): string =>
  ending.startsWith('e') ? `sainte${ending.slice(1)}` : `saint${ending}`;

/**
 * The form in which two names of places are compared: lower case, no accents or ligatures, every run of
 * hyphens, apostrophes, dots and spaces one space, "St" and "Ste" written out. Folding twice changes nothing.
 * Letters of other scripts stay; "" only when the text has no letter and no digit.
 */
export function foldName(text: string): string {
  let folded = '';
  for (let index = 0; index < text.length; index += 1) {
    const unit = FOLDED_UNITS[text.charCodeAt(index)];
    if (unit === undefined) {
      folded = foldSlowly(text).trim();
      break;
    }
    if (unit !== ' ') folded += unit;
    else if (folded !== '' && !folded.endsWith(' ')) folded += ' ';
  }
  if (folded.endsWith(' ')) folded = folded.slice(0, -1);
  return folded.includes('st') ? folded.replace(SAINT, expandSaint) : folded;
}

/** A folded name without its leading French or English article: "le mans" → "mans". */
export function withoutArticle(folded: string): string {
  return folded.replace(/^(?:les?|la|l|the) (?=.)/, '');
}
