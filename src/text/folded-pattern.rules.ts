import { nameKey } from './name-key.rules.js';

/** The last letter of Latin Extended-B: enough for the names of places. */
const lastLetter = 0x24f;
const combining = '[\u0300-\u036f]*';
/** A hyphen counts as a space: people type "ile de france". */
const separators = ' \u00a0\u2009\u202f\u2010\u2011-';
const apostrophes = "'‘’‛ʼ′`";

let gathered: Map<string, string> | undefined;

/** The letters of a key: `e` → `eéÉ…`, `oe` → `œŒ`. Gathered at the first call, not at the start. */
function lettersOf(key: string): string | undefined {
  if (!gathered) {
    gathered = new Map();
    for (let code = 0x21; code <= lastLetter; code++) {
      const letter = String.fromCharCode(code);
      const own = nameKey(letter);
      gathered.set(own, (gathered.get(own) ?? '') + letter);
    }
  }
  return gathered.get(key);
}

function classOf(character: string): string {
  for (const alike of [separators, apostrophes]) if (alike.includes(character)) return `[${alike}]`;
  const letters = lettersOf(character);
  if (!letters) return character;
  // ɓ, the small letter of Ɓ, is beyond the last letter.
  const all = letters.includes(character) ? letters : character + letters;
  // Databases take `[:` for the start of a named class.
  return `[${all.replace(/[\\\]^:.=-]/g, '\\$&')}]${combining}`;
}

/**
 * A pattern of the texts that differ from this one only in case, accents, ligatures, and the kinds of space, hyphen and apostrophe. Null if
 * the text has no visible character.
 */
export function foldedPattern(text: string): string | null {
  // Databases reject a pattern with NUL.
  const key = nameKey(text).replace(/\p{Cc}/gu, '');
  if (key === '') return null;
  const characters = [...key];
  let pattern = '';
  for (let at = 0; at < characters.length; at++) {
    const [one = '', other = ''] = characters.slice(at, at + 2);
    const ligatures = other && lettersOf(one + other);
    if (ligatures) {
      pattern += `(?:${classOf(one)}${classOf(other)}|[${ligatures}])`;
      at++;
    } else pattern += classOf(one);
  }
  return `^${pattern}$`;
}
