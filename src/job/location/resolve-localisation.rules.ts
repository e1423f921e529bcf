import { findFrenchPlace, findMarkedPlace, type PlaceMarks } from './french-place.rules.js';
import { type Area, type Gazetteer, isPlaceName } from './gazetteer.rules.js';
import { isStreet, type LocalisationPart, readLocalisation } from './localisation-part.rules.js';
import { emptyLocation, type Location, type ResolveLocation } from './location.js';

/**
 * Resolves "[street, ]city[, department or region][, country]", using only the gazetteer. A French commune gets its official name,
 * department and region, with the postal code of the text or, without one, of the arrondissement named, or the commune's only postal
 * code. The name of a commune that has merged gives the commune of today. Among communes of the same name, the department, region or
 * postal code in the text decides. Without these, the largest wins if it has at least twice the population of each other, ten times if
 * one of them is a former commune. A street is read only before a French postal code.
 *
 * In all other cases nothing is guessed: a country at the end of the text is split off, and the rest becomes the city. No text is
 * rejected. An empty text gives an unknown location.
 */
export function resolveLocalisation(text: string, gazetteer: Gazetteer): ReturnType<ResolveLocation> {
  const parts = readLocalisation(text, gazetteer);
  const last = parts.at(-1);
  const countryCode = last && countryOf(last, parts.length > 1, gazetteer);
  const isCountrySaid = last !== undefined && countryCode !== undefined;
  const rest = (isCountrySaid ? text.slice(0, last.start).replace(/[\s,;|(–—-]+$/u, '') : text).trim();
  if (isCountrySaid) parts.pop();

  const isFrance = countryCode === 'FRA';
  const french = isFrance || !isCountrySaid ? resolveAddress(parts, text, isFrance, gazetteer) : undefined;
  if (french !== undefined)
    return { location: { ...emptyLocation, ...french, countryCode: 'FRA' }, isResolved: true };
  const isStreetOnly = isFrance && parts.some((part) => isStreet(part, gazetteer));
  return {
    location: { ...emptyLocation, city: rest, countryCode: countryCode ?? '' },
    isResolved: (isCountrySaid && !isStreetOnly) || rest === '',
  };
}

function countryOf(part: LocalisationPart, isAfterOthers: boolean, gazetteer: Gazetteer): string | undefined {
  const byCode = part.postalCode === '' ? gazetteer.countriesByCode.get(part.name) : undefined;
  // "Dublin, IE" is not about a first arrondissement.
  if (byCode !== undefined && isAfterOthers) return byCode;
  // "Grenade (31)" is a French commune, although "Grenade" alone is a country.
  if (part.postalCode !== '' || part.number !== '' || part.arrondissement > 0) return undefined;
  const byName = gazetteer.countryNamed(part.key);
  // Two letters alone are more likely a typo or an abbreviation than a country.
  return byName ?? (part.name.length === 2 ? undefined : byCode);
}

/** Before a part with a postal code and a city, any text that is not a place belongs to the street. */
function resolveAddress(
  parts: readonly LocalisationPart[],
  text: string,
  isFrance: boolean,
  gazetteer: Gazetteer,
): Partial<Location> | undefined {
  const coded = parts.findLastIndex(({ postalCode }) => postalCode !== '');
  const isCityCoded = parts[coded]?.key !== '';
  const start = parts.findIndex(
    (part, index) =>
      index >= coded || isPlaceName(part.key, gazetteer) || !(isCityCoded || isStreet(part, gazetteer)),
  );
  const place = resolveInFrance(parts.slice(Math.max(0, start)), isFrance, gazetteer);
  return place && start > 0
    ? { ...place, ...streetIn(parts.slice(0, start), text.slice(0, parts[start]?.start), gazetteer) }
    : place;
}

const HOUSE_NUMBER =
  /^(\d{1,4}(?:\s?(?:bis|ter|quater|[a-d](?![\p{L}\p{N}])))?(?:\s?[-–/]\s?\d{1,4})?)[\s,]+(?=\p{L})/iu;

/** The text of these parts from the first street on. */
function streetIn(parts: readonly LocalisationPart[], text: string, gazetteer: Gazetteer): Partial<Location> {
  const first = parts.findIndex((part) => isStreet(part, gazetteer));
  if (first === -1) return {};
  // In "12, rue de la Paix", the house number is a part of its own.
  const number = parts[first - 1];
  const start = number?.number && number.key === '' ? number.start : parts[first]?.start;
  const street = text
    .slice(start)
    .replace(/[\s,;|(–—-]+$/u, '')
    .replace(/\s*[\n\r]\s*/g, ', ');
  const addressNbr = HOUSE_NUMBER.exec(street);
  return { addressNbr: addressNbr?.[1] ?? null, address: street.slice(addressNbr?.[0].length ?? 0) };
}

/** Undefined if the parts name no place or several, or contradict each other. */
function resolveInFrance(parts: readonly LocalisationPart[], isFrance: boolean, gazetteer: Gazetteer) {
  const names = parts.filter(({ key }) => key !== '');
  const areas: Area[] = [];
  while (names.length > 1) {
    const area = gazetteer.areaNamed(names.at(-1)?.key ?? '');
    if (area === undefined) return undefined;
    areas.push(area);
    names.pop();
  }
  const marks = gatherMarks(parts, areas);
  if (marks === undefined) return undefined;
  const name = names[0];
  if (name === undefined) return findMarkedPlace(marks, gazetteer);
  if (isStreet(name, gazetteer)) return undefined;
  return findFrenchPlace(name, marks, isFrance, gazetteer);
}

/** Undefined if two marks contradict each other. */
function gatherMarks(parts: readonly LocalisationPart[], areas: readonly Area[]): PlaceMarks | undefined {
  const alone = parts.find(({ key, number }) => key === '' && number !== '')?.number ?? '';
  // In "69 - LYON 03", the number next to the name is the arrondissement.
  const isArrondissement = ({ key, number }: LocalisationPart) =>
    alone !== '' && key !== '' && number !== alone && /^\d{1,2}$/.test(number);
  const marked = parts.map((part) =>
    isArrondissement(part) ? { ...part, number: '', arrondissement: Number(part.number) } : part,
  );
  const said = <Mark extends 'postalCode' | 'number' | 'arrondissement'>(mark: Mark) => [
    ...new Set(marked.map((part) => part[mark]).filter(Boolean)),
  ];
  const [postalCode = '', ...otherCodes] = said('postalCode');
  const [number = '', ...otherNumbers] = said('number');
  const [arrondissement = 0, ...otherArrondissements] = said('arrondissement');
  if (otherCodes.length + otherNumbers.length + otherArrondissements.length > 0) return undefined;
  return { areas, postalCode, number, arrondissement };
}
