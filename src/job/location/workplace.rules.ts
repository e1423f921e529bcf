import { foldName } from './fold-name.rules.js';

/** Folded, as are all words here. */
const WORKPLACES = [
  ...['remote(?:ly)?', 'hybride?', 'tele ?travail(?:lable)?', 'tele ?work(?:ing)?', 'telecommut(?:e|ing)'],
  ...['on ?site', 'sur site', 'presentiel', 'in person', 'in ?office', 'distanciel', 'a distance'],
  ...['home ?office', 'work(?:ing)? from (?:home|anywhere)', 'wfh'],
].join('|');

/** "2 à 3 jours", "50%". */
const AMOUNTS =
  '\\d{1,2} (?:(?:a|ou|or|to) )?\\d{1,2} ?(?:j|jours?|days?)|\\d{1,2} ?(?:j|jours?|days?)|\\d{1,3}%|100';
const WORDS_BEFORE =
  'a and avec de du en et flexible full fully job mode occasional of or ou par partial partially partly per poste possible regular ' +
  'semaine the travail week with work';
const WORDS_BEHIND =
  'accepte at au autorise aux available base based complet complete depuis eligible first friendly from in model mois month ' +
  'occasionnel occasionnelle ok only option optional partiel partielle policy ponctuel ponctuelle position propose regulier role total ' +
  'totale within working';
const before = `${AMOUNTS}|${WORDS_BEFORE.replaceAll(' ', '|')}`;
const phrase = `(?:(?:${before}) )*(?:${WORKPLACES})(?: (?:${WORKPLACES}|${before}|${WORDS_BEHIND.replaceAll(' ', '|')}))*`;
const AT_START = new RegExp(`^${phrase}(?= |$)`);
const AT_END = new RegExp(`(?<= )${phrase}$`);

/**
 * Finds what a text says about the workplace, at its start or else at its end, such as "Télétravail partiel à" in "Télétravail partiel à
 * Lyon". Offsets are in UTF-16 units.
 */
export function findWorkplace(text: string): { start: number; end: number } | null {
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+(?:\s?%)?/gu)]
    .map(({ 0: word, index: start }) => ({
      folded: foldName(word) + (word.endsWith('%') ? '%' : ''),
      start,
      end: start + word.length,
    }))
    .filter(({ folded }) => folded !== '');
  const folded = words.map((word) => word.folded).join(' ');
  const first = AT_START.exec(folded)?.[0];
  if (first !== undefined) return { start: 0, end: words[first.split(' ').length - 1]?.end ?? text.length };
  const last = AT_END.exec(folded)?.[0];
  if (last === undefined) return null;
  return { start: words.at(-last.split(' ').length)?.start ?? 0, end: text.length };
}

const GROUPS = [
  ...['eu', 'ue', 'eea', 'eee', 'emea', 'apac', 'dach', 'latam', 'amer', 'mena', 'benelux', 'nordics'],
  ...['european union', 'union europeenne', 'zone euro', 'scandinavi(?:a|e)', 'pays nordiques'],
  ...['(?:(?:western|eastern|northern|southern|central) )?europe', 'asi(?:a|e)(?: pacific| pacifique)?'],
  ...['afri(?:ca|que)', 'oceani(?:a|e)', 'middle east', 'moyen orient', 'americas', 'ameriques'],
  ...['(?:north|south|latin) america', 'amerique (?:du nord|du sud|latine)'],
  ...['worldwide', 'global', 'international', 'anywhere', 'monde entier'],
].join('|');
const GROUP_OF_COUNTRIES = new RegExp(
  `^(?:(?:anywhere|in|le|l|the|within) )*(?:${GROUPS})(?: (?:based|countries|only|time ?zones?))*$`,
);

/** @param key a folded name */
export const isGroupOfCountries = (key: string): boolean => GROUP_OF_COUNTRIES.test(key);
