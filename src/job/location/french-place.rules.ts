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

/** What is known of a place in France; a key left out is unknown. */
export type FrenchPlace = Partial<Pick<Location, 'city' | 'department' | 'region' | 'zipCode'>>;

/** What a text says of a place beside its name. "", 0 and none stand for "not said". */
export interface PlaceMarks {
  readonly areas: readonly Area[];
  readonly postalCode: string;
  /** A number: the code of a department or the number of an arrondissement, depending on the place. */
  readonly number: string;
  readonly arrondissement: number;
}

/** A commune is meant if it has at least this many times the inhabitants of the next homonym. */
const CLEARLY_LARGER = 2;

/**
 * The place of that name that agrees with every mark; undefined where there is none or more than one. The name of
 * a department or region alone is the area, even where a commune has it too, but for areas of one commune. A name
 * that the gazetteer lacks stays as the city of the area or postal code said.
 */
export function findFrenchPlace(
  name: { readonly name: string; readonly key: string },
  marks: PlaceMarks,
  isFrance: boolean,
  gazetteer: Gazetteer,
): FrenchPlace | undefined {
  const area = findArea(name.key, gazetteer);
  if (area !== undefined && isNamedAlone(area, marks)) return findAreaPlace([area], '', gazetteer);

  const exact = gazetteer.communesByName.get(name.key) ?? [];
  const short = gazetteer.communesByShortName.get(name.key) ?? [];
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
  // No commune of that name lies in the place given. One of the two is wrong, and nobody can know which.
  if (exact.length + short.length > 0) return undefined;
  // A foreign city may have a postal code that also exists in France, and before ", Paris" usually stands a street.
  if (!isFrance && !areas.some((said) => !said.isOneCommune)) return undefined;
  const surroundings = findAreaPlace(areas, marks.postalCode, gazetteer);
  return surroundings && { ...surroundings, city: name.name };
}

/** The place that a postal code or the code of a department alone stands for. */
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

/** The areas given by name and, if a number is given, by code; undefined if no department has that number. */
function areasSaid(marks: PlaceMarks, gazetteer: Gazetteer): readonly Area[] | undefined {
  if (marks.number === '') return marks.areas;
  const department = gazetteer.departmentsByCode.get(marks.number);
  return department && [...marks.areas, department];
}

/** The arrondissement given by an ordinal, or by a number other than the commune's department; 0 for none. */
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

/** The only commune, or the one that clearly has the most inhabitants. */
function pickLargest(communes: readonly Commune[]): Commune | undefined {
  const [largest, next] = [...communes].sort((one, other) => other.population - one.population);
  if (largest === undefined || next === undefined) return largest;
  // For a former commune only an upper bound is known. It may lose by that bound, but it cannot win by it.
  return !largest.isFormer && largest.population >= CLEARLY_LARGER * next.population ? largest : undefined;
}

function placeOf(commune: Commune, marks: PlaceMarks): FrenchPlace {
  const ofArrondissement = commune.arrondissements[arrondissementOf(commune, marks) - 1];
  const [onlyCode = '', ...others] = commune.postalCodes;
  return {
    city: commune.name,
    department: commune.department.department,
    region: commune.department.region,
    // The 16th arrondissement of Paris has two codes, of which the first one holds its number.
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

  const communes = (gazetteer.communesByPostalCode.get(postalCode) ?? []).filter(({ department }) =>
    areas.every((area) => isWithin(department, area)),
  );
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
