import { findFrenchPlace, findMarkedPlace, type FrenchPlace, type PlaceMarks } from './french-place.rules.js';
import { type Area, findArea, findCountry, type Gazetteer } from './gazetteer.rules.js';
import { type LocalisationPart, readLocalisation } from './localisation-part.rules.js';
import { emptyLocation, type ResolveLocation } from './location.js';

/**
 * Resolves "city[, department or region][, country]", using only the gazetteer. A French commune gets its official name, department and
 * region, with the postal code of the text or, without one, of the arrondissement named, or the commune's only postal code. Among
 * communes of the same name, the department, region or postal code in the text decides. Without these, the largest wins if it has at
 * least twice the population of the second largest. In all other cases nothing is guessed: a country at the end of the text is split
 * off, and the rest becomes the city. No text is rejected. An empty text gives an unknown location.
 */
export function resolveLocalisation(text: string, gazetteer: Gazetteer): ReturnType<ResolveLocation> {
  const parts = readLocalisation(text, gazetteer);
  const last = parts.at(-1);
  const countryCode = last && countryOf(last, parts.length > 1, gazetteer);
  const isCountrySaid = last !== undefined && countryCode !== undefined;
  const rest = (isCountrySaid ? text.slice(0, last.start).replace(/[\s,;|(–—-]+$/u, '') : text).trim();
  if (isCountrySaid) parts.pop();

  const isFrance = countryCode === 'FRA';
  const french = isFrance || !isCountrySaid ? resolveInFrance(parts, isFrance, gazetteer) : undefined;
  return french
    ? { location: { ...emptyLocation, ...french, countryCode: 'FRA' }, isResolved: true }
    : {
        location: { ...emptyLocation, city: rest, countryCode: countryCode ?? '' },
        isResolved: isCountrySaid || rest === '',
      };
}

function countryOf(part: LocalisationPart, isAfterOthers: boolean, gazetteer: Gazetteer): string | undefined {
  // "Grenade (31)" is a French commune, although "Grenade" alone is a country.
  if (part.postalCode !== '' || part.number !== '' || part.arrondissement > 0) return undefined;
  const byName = findCountry(part.key, gazetteer);
  // Two letters alone are more likely a typo or an abbreviation than a country.
  if (byName !== undefined || (part.name.length === 2 && !isAfterOthers)) return byName;
  return gazetteer.countriesByCode.get(part.name);
}

/** Undefined if the parts name no place or several, or contradict each other. */
function resolveInFrance(
  parts: readonly LocalisationPart[],
  isFrance: boolean,
  gazetteer: Gazetteer,
): FrenchPlace | undefined {
  const names = parts.filter(({ key }) => key !== '');
  const areas: Area[] = [];
  while (names.length > 1) {
    const area = findArea(names.at(-1)?.key ?? '', gazetteer);
    if (area === undefined) return undefined;
    areas.push(area);
    names.pop();
  }
  const marks = gatherMarks(parts, areas);
  if (marks === undefined) return undefined;
  const name = names[0];
  if (name === undefined) return findMarkedPlace(marks, gazetteer);
  return findFrenchPlace(name, marks, isFrance, gazetteer);
}

/** Undefined if two marks contradict each other. */
function gatherMarks(parts: readonly LocalisationPart[], areas: readonly Area[]): PlaceMarks | undefined {
  const said = <Mark extends 'postalCode' | 'number' | 'arrondissement'>(mark: Mark) => [
    ...new Set(parts.map((part) => part[mark]).filter(Boolean)),
  ];
  const [postalCode = '', ...otherCodes] = said('postalCode');
  const [number = '', ...otherNumbers] = said('number');
  const [arrondissement = 0, ...otherArrondissements] = said('arrondissement');
  if (otherCodes.length + otherNumbers.length + otherArrondissements.length > 0) return undefined;
  return { areas, postalCode, number, arrondissement };
}
