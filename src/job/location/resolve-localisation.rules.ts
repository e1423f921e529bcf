import { findFrenchPlace, findMarkedPlace, type PlaceMarks } from './french-place.rules.js';
import { type Area, type Gazetteer, isPlaceName } from './gazetteer.rules.js';
import { isStreet, type LocalisationPart, readLocalisation } from './localisation-part.rules.js';
import { emptyLocation, type Location, type ResolveLocation } from './location.js';
import { isGroupOfCountries } from './workplace.rules.js';

/** Countries whose name alone is also a city. */
const CITY_STATES: ReadonlySet<string> = new Set(['GIB', 'HKG', 'LUX', 'MAC', 'MCO', 'SGP', 'SMR', 'VAT']);

/** After a city, the name of this country more likely means a state of the US. */
const NAMED_LIKE_A_STATE = 'GEO';

/**
 * Resolves "[street, ]city[, department or region][, country]", using only the gazetteer. The parts after the city can
 * have any order. A French commune gets its official name, department and region, with the postal code of the text or, without one, of the
 * arrondissement named, or the commune's only postal code. The name of a commune that has merged gives the commune of today. Among
 * communes of the same name, the department, region or postal code in the text decides, or else the population (`findFrenchPlace`). A
 * street is read only before a French postal code.
 *
 * In all other cases nothing is guessed: a country, a group of countries and words about the workplace are left out, and the rest becomes
 * the city. No text is rejected. An empty text gives an unknown location.
 */
export function resolveLocalisation(localisation: string, gazetteer: Gazetteer): ReturnType<ResolveLocation> {
  const text = localisation.trim();
  const allParts = readLocalisation(text, gazetteer);
  const namesNoPlace = (part: LocalisationPart) =>
    part.isWorkplace || (isGroupOfCountries(part.key) && !isTownOfEu(part, allParts, gazetteer));
  const places = allParts.filter((part) => !namesNoPlace(part));
  const cityState = findCityState(places, gazetteer);
  if (cityState !== undefined) return { location: { ...emptyLocation, ...cityState }, isResolved: true };

  const country = findCountry(places, allParts.length > 1, gazetteer);
  const rest = withoutParts(text, allParts, (part) => part === country?.part || namesNoPlace(part));
  const parts = rest === text ? allParts : readLocalisation(rest, gazetteer);
  const isFrance = country?.code === 'FRA';
  const french = isFrance || !country ? resolveAddress(parts, rest, isFrance, gazetteer) : undefined;
  if (french !== undefined)
    return { location: { ...emptyLocation, ...french, countryCode: 'FRA' }, isResolved: true };
  const isStreetOnly = isFrance && parts.some((part) => isStreet(part, gazetteer));
  return {
    location: { ...emptyLocation, city: rest, countryCode: country?.code ?? '' },
    isResolved: (country !== undefined && !isStreetOnly) || text === '',
  };
}

/** "Eu" is a town in Normandy. "EU" is the town only beside the code or name of a department. */
const isTownOfEu = (
  part: LocalisationPart,
  parts: readonly LocalisationPart[],
  gazetteer: Gazetteer,
): boolean =>
  part.key === 'eu' &&
  (part.name === 'Eu' ||
    parts.some(
      ({ key, postalCode, number }) =>
        postalCode !== '' || number !== '' || Boolean(gazetteer.areaNamed(key)?.departmentCode),
    ));

/** The only name of a text, which may also have a postal code that is not French. */
function findCityState(
  parts: readonly LocalisationPart[],
  gazetteer: Gazetteer,
): Partial<Location> | undefined {
  const [name, ...others] = parts.filter(({ key }) => key !== '');
  if (name === undefined || others.length > 0) return undefined;
  const countryCode = gazetteer.countryNamed(name.key) ?? '';
  if (!CITY_STATES.has(countryCode)) return undefined;
  const marks = gatherMarks(parts, []);
  if (marks === undefined || marks.number !== '' || marks.arrondissement > 0) return undefined;
  if (gazetteer.communesWithPostalCode(marks.postalCode).length > 0) return undefined;
  return { city: name.name, zipCode: marks.postalCode, countryCode };
}

/** The last name that is not a French area, if it is a country. After another country than France, only postal codes can follow. */
function findCountry(parts: readonly LocalisationPart[], isAmongOthers: boolean, gazetteer: Gazetteer) {
  const index = parts.findLastIndex((part) =>
    part.key === '' ? gazetteer.countriesByCode.has(part.name) : areaOf(part, gazetteer) === undefined,
  );
  const part = parts[index];
  const code = part && countryOf(part, isAmongOthers, gazetteer);
  if (code === undefined) return undefined;
  const after = parts.slice(index + 1);
  const areCodes = index > 0 && after.every(({ key, postalCode }) => key === '' && postalCode !== '');
  return code === 'FRA' || after.length === 0 || areCodes ? { part, code } : undefined;
}

function countryOf(part: LocalisationPart, isAmongOthers: boolean, gazetteer: Gazetteer): string | undefined {
  const byCode = part.postalCode === '' ? gazetteer.countriesByCode.get(part.name) : undefined;
  // "Dublin, IE" is not about a first arrondissement.
  if (byCode !== undefined && isAmongOthers) return byCode;
  // "Grenade (31)" is a French commune, although "Grenade" alone is a country.
  if (part.postalCode !== '' || part.number !== '' || part.arrondissement > 0) return undefined;
  const byName = gazetteer.countryNamed(part.key);
  if (byName === NAMED_LIKE_A_STATE && isAmongOthers) return undefined;
  // Two letters alone are more likely a typo or an abbreviation than a country.
  return byName ?? (part.name.length === 2 ? undefined : byCode);
}

const areaOf = ({ name, key }: LocalisationPart, gazetteer: Gazetteer): Area | undefined =>
  gazetteer.areaNamed(key) ?? gazetteer.territoriesByCode.get(name);

const SEPARATORS_AT_END = /[\s,;:|/+&(–—-]+$/u;
const SEPARATORS_AT_START = /^[\s,;:|/+&)–—-]+/u;

/** The text without some of its parts and the separators before them. */
function withoutParts(
  text: string,
  parts: readonly LocalisationPart[],
  isDropped: (part: LocalisationPart) => boolean,
): string {
  let rest = '';
  let from = 0;
  const add = (kept: string) => {
    const after = rest === '' ? SEPARATORS_AT_START : /^\s*\)/u;
    rest += from === 0 ? kept : kept.replace(after, '');
  };
  for (const part of parts.filter(isDropped)) {
    add(text.slice(from, part.start).replace(SEPARATORS_AT_END, ''));
    from = part.end;
  }
  const last = parts.at(-1);
  if (last === undefined || from < last.end) add(text.slice(from));
  // "Remote (Fictiville)"
  return from === 0 ? rest.trim() : rest.trim().replace(/^\(([^()]*)\)$/, '$1');
}

/** Before a part with a postal code and a city, any text that is not a place, or only a region, belongs to the street. */
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
      index >= coded ||
      (isPlaceName(part.key, gazetteer) && gazetteer.areaNamed(part.key)?.departmentCode !== '') ||
      !(isCityCoded || isStreet(part, gazetteer)),
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
    .replace(SEPARATORS_AT_END, '')
    .replace(/\s*[\n\r]\s*/g, ', ');
  const addressNbr = HOUSE_NUMBER.exec(street);
  return { addressNbr: addressNbr?.[1] ?? null, address: street.slice(addressNbr?.[0].length ?? 0) };
}

/** Undefined if the parts name no place or several, or contradict each other. */
function resolveInFrance(parts: readonly LocalisationPart[], isFrance: boolean, gazetteer: Gazetteer) {
  const names = parts.filter(({ key }) => key !== '');
  const [first] = names;
  const city = names.find(({ key }) => gazetteer.areaNamed(key)?.isOneCommune);
  // In "Île-de-France, Paris", the city comes second.
  const name = first && city && areaOf(first, gazetteer) ? city : first;
  const areas = names.filter((other) => other !== name).map((other) => areaOf(other, gazetteer));
  if (!areas.every((area) => area !== undefined)) return undefined;
  const marks = gatherMarks(parts, areas);
  if (marks === undefined) return undefined;
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
