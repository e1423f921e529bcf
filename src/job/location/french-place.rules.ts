import {
  type Area,
  type Commune,
  findArea,
  type Gazetteer,
  hasPostalCode,
  isUnlistedIn,
  isWithin,
} from './gazetteer.rules.js';
import { type Location } from './location.js';

/** Unknown keys are absent. */
export type FrenchPlace = Partial<Pick<Location, 'city' | 'department' | 'region' | 'zipCode'>>;

/** What a text says about a place apart from its name. "", 0 and an empty list mean "not given". */
export interface PlaceMarks {
  readonly areas: readonly Area[];
  readonly postalCode: string;
  /** A department code or an arrondissement number, depending on the place. */
  readonly number: string;
  readonly arrondissement: number;
}

/** Among communes with the same name, the largest wins if it has at least this many times the population of the next. */
const CLEARLY_LARGER = 2;

/**
 * Finds the one place with this name that agrees with all marks; undefined if none or several do. Without marks, the
 * name of a department or region means that area, even if a commune has the same name. Exception: an area that consists
 * of this one commune, such as Paris. A name that the gazetteer doesn't know becomes the city in the given area or postal
 * code.
 */
export function findFrenchPlace(
  name: { readonly name: string; readonly key: string },
  marks: PlaceMarks,
  isFrance: boolean,
  gazetteer: Gazetteer,
): FrenchPlace | undefined {
  const area = findArea(name.key, gazetteer);
  if (area !== undefined && isNamedAlone(area, marks)) return findAreaPlace([area], '', gazetteer);

  const exact = gazetteer.communesNamed(name.key);
  const short = gazetteer.communesNamedAfterArticle(name.key);
  for (const homonyms of [exact, short]) {
    const agreeing = homonyms.filter((commune) => agrees(commune, marks, gazetteer));
    if (agreeing.length === 0) continue;
    const commune = pickLargest(agreeing);
    return commune && placeOf(commune, marks);
  }
  if (marks.arrondissement > 0) return undefined;

  const areas = areasSaid(marks, gazetteer);
  if (areas === undefined) return undefined;
  if (area !== undefined) return findAreaPlace([area, ...areas], marks.postalCode, gazetteer);
  // Communes have this name, but not in the given area. Either the name or the area is wrong, so don't guess.
  if (exact.length + short.length > 0) return undefined;
  // Unless the text names France, neither a postal code nor ", Paris" is enough: foreign cities have the same codes, and
  // the text before ", Paris" is usually a street.
  if (!isFrance && !areas.some((said) => !said.isOneCommune)) return undefined;
  const surroundings = findAreaPlace(areas, marks.postalCode, gazetteer);
  return surroundings && { ...surroundings, city: name.name };
}

/** Finds the place of a postal code or department code without a name. */
export function findMarkedPlace(marks: PlaceMarks, gazetteer: Gazetteer): FrenchPlace | undefined {
  const areas = areasSaid(marks, gazetteer);
  if (areas === undefined || marks.arrondissement > 0) return undefined;
  return findAreaPlace(areas, marks.postalCode, gazetteer);
}

function isNamedAlone(area: Area, marks: PlaceMarks): boolean {
  if (area.isOneCommune || marks.areas.length > 0 || marks.postalCode !== '' || marks.arrondissement > 0)
    return false;
  return marks.number === '' || marks.number === area.departmentCode;
}

/** The areas given by name, plus the department with the given number. Undefined if no department has this number. */
function areasSaid(marks: PlaceMarks, gazetteer: Gazetteer): readonly Area[] | undefined {
  if (marks.number === '') return marks.areas;
  const department = gazetteer.departmentsByCode.get(marks.number);
  return department && [...marks.areas, department];
}

/** The arrondissement, given by an ordinal or by a number that is not the commune's department; 0 if not given. */
function arrondissementOf(commune: Commune, marks: PlaceMarks): number {
  if (marks.number === '' || marks.number === commune.department.departmentCode) return marks.arrondissement;
  return Number(marks.number);
}

function agrees(commune: Commune, marks: PlaceMarks, gazetteer: Gazetteer): boolean {
  const { postalCode } = marks;
  if (!marks.areas.every((area) => isWithin(commune.department, area))) return false;
  if (postalCode !== '' && !hasPostalCode(commune, postalCode, gazetteer)) return false;
  const arrondissement = arrondissementOf(commune, marks);
  if (arrondissement === 0) return true;
  const codes = commune.arrondissements[arrondissement - 1];
  return codes !== undefined && (!commune.postalCodes.includes(postalCode) || codes.includes(postalCode));
}

/** Returns the only commune, or the clearly largest one. */
function pickLargest(communes: readonly Commune[]): Commune | undefined {
  const [largest, next] = [...communes].sort((one, other) => other.population - one.population);
  if (largest === undefined || next === undefined) return largest;
  // A former commune's population is only an upper bound, so it cannot be known to be the largest.
  return !largest.isFormer && largest.population >= CLEARLY_LARGER * next.population ? largest : undefined;
}

function placeOf(commune: Commune, marks: PlaceMarks): FrenchPlace {
  const ofArrondissement = commune.arrondissements[arrondissementOf(commune, marks) - 1];
  const [onlyCode = '', ...others] = commune.postalCodes;
  return {
    city: commune.name,
    department: commune.department.department,
    region: commune.department.region,
    // Take the first code: the 16th arrondissement of Paris has two, and the first contains its number.
    zipCode: marks.postalCode || (ofArrondissement?.[0] ?? (others.length === 0 ? onlyCode : '')),
  };
}

/** Returns the smallest area, with the postal code. Undefined if the areas contradict each other, or if nothing is given. */
function findAreaPlace(
  areas: readonly Area[],
  postalCode: string,
  gazetteer: Gazetteer,
): FrenchPlace | undefined {
  const smallest = areas.find(({ departmentCode }) => departmentCode !== '') ?? areas[0];
  if (smallest !== undefined && !areas.every((area) => isWithin(smallest, area))) return undefined;
  if (postalCode === '') return smallest && { department: smallest.department, region: smallest.region };

  const communes = gazetteer
    .communesWithPostalCode(postalCode)
    .filter(({ department }) => areas.every((area) => isWithin(department, area)));
  const [first, ...others] = communes;
  if (first === undefined) {
    const isOfArea = smallest !== undefined && isUnlistedIn(postalCode, smallest, gazetteer);
    return isOfArea
      ? { department: smallest.department, region: smallest.region, zipCode: postalCode }
      : undefined;
  }
  const { department, region } = first.department;
  return {
    city: others.length === 0 ? first.name : '',
    department: others.every((other) => other.department.department === department) ? department : '',
    region: others.every((other) => other.department.region === region) ? region : '',
    zipCode: postalCode,
  };
}
