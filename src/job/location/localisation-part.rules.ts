import { foldName } from './fold-name.rules.js';
import { type PlaceMarks } from './french-place.rules.js';
import { type Gazetteer, isPlaceName } from './gazetteer.rules.js';
import { findWorkplace } from './workplace.rules.js';

/** A name, marks such as a postal code, or both. "" and 0 mean "not given". */
export interface LocalisationPart extends Omit<PlaceMarks, 'areas'> {
  /** Start and end in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** As written, without a postal code. */
  readonly name: string;
  /** The folded name, without marks. */
  readonly key: string;
  /** Whether the part says only how people work, such as "100% télétravail". */
  readonly isWorkplace: boolean;
}

/**
 * Splits a localisation at commas, semicolons, bars and line ends. Also splits at parentheses, at spaced dashes and before a postal
 * code, unless the whole is a place name such as "Château-Chinon (Ville)", and between a place and words about the workplace. Drops parts without a letter or digit.
 */
export function readLocalisation(text: string, gazetteer: Gazetteer): LocalisationPart[] {
  const parts: LocalisationPart[] = [];
  for (const match of text.matchAll(/[^,;|\n\r]+/g)) cut(match[0], match.index, gazetteer, parts);
  return parts;
}

const INNER_SEPARATOR = /\(|\s[-–—]\s|\s(?=(?:FR?-)?\d{5}(?![\p{L}\p{N}]))/u;

function cut(raw: string, rawStart: number, gazetteer: Gazetteer, parts: LocalisationPart[]): void {
  const text = raw.trim();
  if (foldName(text) === '') return;
  const start = rawStart + (raw.length - raw.trimStart().length);
  const part = readPart(text, start, gazetteer);
  const separator = INNER_SEPARATOR.exec(text);
  // In "Paris, France 75002", the code is a part of its own.
  const isCodedCountry = part.postalCode !== '' && gazetteer.countryNamed(part.key) !== undefined;
  const isWhole = part.key === '' || (isPlaceName(part.key, gazetteer) && !isCodedCountry);
  if (!isWhole && separator !== null) {
    const end = separator.index + separator[0].length;
    cut(text.slice(0, separator.index), start, gazetteer, parts);
    cut(text.slice(end).replace(/\)$/, ''), start + end, gazetteer, parts);
    return;
  }
  const workplace = isWhole ? null : findWorkplace(text);
  if (workplace === null) {
    parts.push(part);
    return;
  }
  cut(text.slice(0, workplace.start), start, gazetteer, parts);
  parts.push({ ...noPart, start: start + workplace.start, end: start + workplace.end, isWorkplace: true });
  cut(text.slice(workplace.end), start + workplace.end, gazetteer, parts);
}

const noPart = { name: '', key: '', postalCode: '', number: '', arrondissement: 0, isWorkplace: false };

/** After any house number, the first word of a street or estate. */
const STREET_WORDS =
  'allees? avenue av bd bld boulevard chaussee chemin cours esplanade faubourg impasse lieu lotissement mail montee parc passage ' +
  'place pl promenade quai residence rond route rte rue ruelle sentier square traverse venelle voie za zac zi zone';
const STREET = new RegExp(
  `^(?:(?:\\d{1,4} ?(?:bis|ter|quater|[a-d])? )+(?=\\p{L})|(?:${STREET_WORDS.replaceAll(' ', '|')}) )`,
  'u',
);

export const isStreet = ({ key }: LocalisationPart, gazetteer: Gazetteer): boolean =>
  STREET.test(key) && !isPlaceName(key, gazetteer);

const POSTAL_CODE = /(?<![\p{L}\p{N}])(?:FR?-)?(\d{5})(?![\p{L}\p{N}])/u;
const ARRONDISSEMENT_WORD = /^(?:arrondissement|arrdt|ardt|arrt|arr)$/;
const ORDINAL = /^(\d{1,2}|[ivx]+)(?:ier|iere|er|ere|ieme|eme|e|nde|nd|de|d|th|rd)$/;
const ROMAN_NUMBERS = ' i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'.split(' ');
const NUMBER = /^(?:\d{1,3}|2[ab])$/;

/** The number in "11", "11e", "1er", "xi" or "xie"; 0 for any other token. */
function ordinalValue(token: string): number {
  const digits = ORDINAL.exec(token)?.[1] ?? token;
  if (/^\d{1,2}$/.test(digits)) return Number(digits);
  return Math.max(0, ROMAN_NUMBERS.indexOf(digits), ROMAN_NUMBERS.indexOf(token));
}

/**
 * Extracts the marks of a part: a postal code anywhere, "CEDEX", an arrondissement at the end, a number at the start or end. Marks
 * other than the postal code count only alone or next to a place name: in "Zone 51", the number is part of the name.
 */
function readPart(text: string, start: number, gazetteer: Gazetteer): LocalisationPart {
  const postalCode = POSTAL_CODE.exec(text)?.[1] ?? '';
  const name = postalCode === '' ? text : text.replace(POSTAL_CODE, ' ').replace(/\s+/g, ' ').trim();
  const key = foldName(name);
  const plain = { ...noPart, start, end: start + text.length, name, key, postalCode };
  if (isPlaceName(key, gazetteer)) return plain;

  const { tokens, number, arrondissement } = takeMarks(key.split(' '), postalCode !== '');
  const markedKey = tokens.join(' ');
  const isMarked = markedKey === '' || isPlaceName(markedKey, gazetteer);
  return isMarked ? { ...plain, key: markedKey, number, arrondissement } : plain;
}

function takeMarks(tokens: string[], hasPostalCode: boolean) {
  // In labels of France Travail such as "75 - Paris (Dept.)".
  if (tokens.at(-1) === 'dept') tokens.pop();
  const cedex = tokens.lastIndexOf('cedex');
  // With a postal code, the number after CEDEX identifies a sorting office: drop the number too.
  if (cedex > 0) tokens.splice(cedex, hasPostalCode ? 2 : 1);

  const hasWord = tokens.length > 1 && ARRONDISSEMENT_WORD.test(tokens.at(-1) ?? '');
  if (hasWord) tokens.pop();
  const last = tokens.at(-1) ?? '';
  if (NUMBER.test(last) && !hasWord)
    return { tokens: tokens.slice(0, -1), number: last.toUpperCase(), arrondissement: 0 };
  const arrondissement = ordinalValue(last);
  if (arrondissement > 0) return { tokens: tokens.slice(0, -1), number: '', arrondissement };
  const first = tokens[0] ?? '';
  if (NUMBER.test(first)) return { tokens: tokens.slice(1), number: first.toUpperCase(), arrondissement: 0 };
  return { tokens, number: '', arrondissement: 0 };
}
