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

/** A place in France. Keys left out are unknown. */
export type FrenchPlace = Partial<Pick<Location, 'city' | 'department' | 'region' | 'zipCode'>>;

/** What a text says about a place besides its name. "", 0 and an empty list mean "not said". */
export interface PlaceMarks {
  readonly areas: readonly Area[];
  readonly postalCode: string;
  /** The code of a department or the number of an arrondissement, depending on the place. */
  readonly number: string;
  readonly arrondissement: number;
}

/** Of communes with the same name, the largest is meant if it has this many times the inhabitants of the next. */
const CLEARLY_LARGER = 2;

/**
 * The place with this name that agrees with all marks; undefined if there is none or more than one. The name of a department
 * or region without marks means the area, even if a commune has the same name, unless the area consists of that commune. If
 * the gazetteer does not know the name, it becomes the city in the area or postal code that the text gives.
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
  // There are communes with this name, but not in the area given. Either may be wrong, and we cannot know which.
  if (exact.length + short.length > 0) return undefined;
  // A foreign city may have a postal code that also exists in France, and what stands before ", Paris" is usually a street.
  if (!isFrance && !areas.some((said) => !said.isOneCommune)) return undefined;
  const surroundings = findAreaPlace(areas, marks.postalCode, gazetteer);
  return surroundings && { ...surroundings, city: name.name };
}

/** The place that a postal code or the code of a department means by itself. */
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

/** The areas given by name, and the department with the number, if one is given; undefined if no department has it. */
function areasSaid(marks: PlaceMarks, gazetteer: Gazetteer): readonly Area[] | undefined {
  if (marks.number === '') return marks.areas;
  const department = gazetteer.departmentsByCode.get(marks.number);
  return department && [...marks.areas, department];
}

/** The arrondissement given by an ordinal, or by a number that is not the commune's department; 0 if none is given. */
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

/** The only commune, or the one that is clearly the largest. */
function pickLargest(communes: readonly Commune[]): Commune | undefined {
  const [largest, next] = [...communes].sort((one, other) => other.population - one.population);
  if (largest === undefined || next === undefined) return largest;
  // Of a former commune only an upper bound is known, and that cannot show that it is the largest.
  return !largest.isFormer && largest.population >= CLEARLY_LARGER * next.population ? largest : undefined;
}

function placeOf(commune: Commune, marks: PlaceMarks): FrenchPlace {
  const ofArrondissement = commune.arrondissements[arrondissementOf(commune, marks) - 1];
  const [onlyCode = '', ...others] = commune.postalCodes;
  return {
    city: commune.name,
    department: commune.department.department,
    region: commune.department.region,
    // The 16th arrondissement of Paris has two codes. The first one contains its number.
    zipCode: marks.postalCode || (ofArrondissement?.[0] ?? (others.length === 0 ? onlyCode : '')),
  };
}

/** The smallest of the areas, with the postal code; undefined if they contradict each other or none is given. */
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
