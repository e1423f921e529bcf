import { foldName, withoutArticle } from './fold-name.rules.js';
import { type Area, type Commune, type Gazetteer, isUnlistedIn, isWithin } from './gazetteer.rules.js';
import { type Location } from './location.js';

export type FrenchPlace = Partial<Pick<Location, 'city' | 'department' | 'region' | 'zipCode'>>;

/** The parts of a text about a place, besides its name. "", 0 and an empty list mean "not given". */
export interface PlaceMarks {
  readonly areas: readonly Area[];
  readonly postalCode: string;
  /** A department code or an arrondissement number, depending on the place, in upper case, without ordinal suffix: "69", "2A". */
  readonly number: string;
  readonly arrondissement: number;
}

/** The largest commune of a name wins if it has at least this many times the population of each other that the name can mean. */
const CLEARLY_LARGER = { amongPresent: 2, withFormer: 10, thanLonger: 2 };

/**
 * Finds the place that has this name and agrees with all marks. Undefined if none agrees, or if several agree and none is clearly the
 * largest. Without marks, the name of a department or region means that area, even if a commune has the same name. Without a department
 * or postal code, a name may also be short for a longer one: "Aix" is not the village. With a postal code, a name may be short for a commune
 * of the code. A name that the gazetteer doesn't know becomes the city in the given area or postal code.
 */
export function findFrenchPlace(
  name: { readonly name: string; readonly key: string },
  marks: PlaceMarks,
  isFrance: boolean,
  gazetteer: Gazetteer,
): FrenchPlace | undefined {
  const area = gazetteer.areaNamed(name.key);
  if (area !== undefined && isNamedAlone(area, marks)) return findAreaPlace([area], '', gazetteer);

  const agreeing = (communes: readonly Commune[]) =>
    communes.filter((commune) => agrees(commune, marks, gazetteer));
  const exact = gazetteer.communesNamed(name.key);
  const short = gazetteer.communesNamedAfterArticle(name.key);
  const homonyms = [exact, short].map(agreeing).find(({ length }) => length > 0);
  if (homonyms !== undefined) {
    const isCertain = area?.isOneCommune === true || isInDepartment(marks);
    const longer = isCertain ? [] : agreeing([...short, ...gazetteer.communesNamedLonger(name.key)]);
    const commune = pickLargest(homonyms, longer);
    return commune && placeOf(commune, marks);
  }
  const [ofCode, ...others] = agreeing(gazetteer.communesWithPostalCode(marks.postalCode)).filter((commune) =>
    isShortFor(name.key, commune),
  );
  if (ofCode !== undefined && others.length === 0) return placeOf(ofCode, marks);
  if (marks.arrondissement > 0) return undefined;

  const areas = areasSaid(marks, gazetteer);
  if (areas === undefined) return undefined;
  if (area !== undefined) return findAreaPlace([area, ...areas], marks.postalCode, gazetteer);
  // Communes have this name, but none is in the given area: the name or the area is wrong, so don't guess.
  if (exact.length + short.length > 0) return undefined;
  // If the text does not name France, a postal code or ", Paris" is not enough: foreign cities have the same postal codes, and the text
  // before ", Paris" is usually a street.
  if (!isFrance && !areas.some((said) => !said.isOneCommune)) return undefined;
  const surroundings = findAreaPlace(areas, marks.postalCode, gazetteer);
  return surroundings && { ...surroundings, city: name.name };
}

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

const isInDepartment = ({ areas, postalCode, number }: PlaceMarks): boolean =>
  postalCode !== '' || number !== '' || areas.some(({ departmentCode }) => departmentCode !== '');

const isShortFor = (key: string, { name }: Commune): boolean =>
  withoutArticle(foldName(name)).startsWith(`${withoutArticle(key)} `);

function areasSaid(marks: PlaceMarks, gazetteer: Gazetteer): readonly Area[] | undefined {
  if (marks.number === '') return marks.areas;
  const department = gazetteer.departmentsByCode.get(marks.number);
  return department && [...marks.areas, department];
}

/** An ordinal, or a number that is not the commune's department code; 0 if there is none. */
function arrondissementOf(commune: Commune, marks: PlaceMarks): number {
  if (marks.number === '' || marks.number === commune.department.departmentCode) return marks.arrondissement;
  return Number(marks.number);
}

function agrees(commune: Commune, marks: PlaceMarks, gazetteer: Gazetteer): boolean {
  const { postalCode } = marks;
  if (!marks.areas.every((area) => isWithin(commune.department, area))) return false;
  const isListed = commune.postalCodes.includes(postalCode);
  if (postalCode !== '' && !isListed && !isUnlistedIn(postalCode, commune.department, gazetteer))
    return false;
  const arrondissement = arrondissementOf(commune, marks);
  if (arrondissement === 0) return true;
  const codes = commune.arrondissements[arrondissement - 1];
  return codes !== undefined && (!isListed || codes.includes(postalCode));
}

/** Undefined if another commune has too many inhabitants, unless the largest is now part of it. */
function pickLargest(homonyms: readonly Commune[], longer: readonly Commune[]): Commune | undefined {
  const [largest, ...others] = [...homonyms].sort((one, other) => other.population - one.population);
  if (largest === undefined) return undefined;
  const isClear = (other: Commune, factor: number) =>
    (other.name === largest.name && other.department === largest.department) ||
    (largest.standing !== 'estimated' && largest.population >= factor * other.population);
  const { amongPresent, withFormer, thanLonger } = CLEARLY_LARGER;
  const factorFor = ({ standing }: Commune) =>
    largest.standing === 'present' && standing === 'present' ? amongPresent : withFormer;
  const isLargest =
    others.every((other) => isClear(other, factorFor(other))) &&
    longer.every((other) => isClear(other, thanLonger));
  return isLargest ? largest : undefined;
}

function placeOf(commune: Commune, marks: PlaceMarks): FrenchPlace {
  const ofArrondissement = commune.arrondissements[arrondissementOf(commune, marks) - 1];
  const [onlyCode = '', ...others] = commune.postalCodes;
  return {
    city: commune.name,
    department: commune.department.department,
    region: commune.department.region,
    // The 16th arrondissement of Paris has 75016 and 75116; only 75016, the first, follows the usual pattern.
    zipCode: marks.postalCode || (ofArrondissement?.[0] ?? (others.length === 0 ? onlyCode : '')),
  };
}

/** The place that the areas and the postal code name together. Undefined if they contradict each other, or if nothing is given. */
function findAreaPlace(
  areas: readonly Area[],
  postalCode: string,
  gazetteer: Gazetteer,
): FrenchPlace | undefined {
  const smallest = areas.find(({ departmentCode }) => departmentCode !== '') ?? areas[0];
  if (smallest !== undefined && !areas.every((area) => isWithin(smallest, area))) return undefined;
  const area = smallest && { department: smallest.department, region: smallest.region };
  if (postalCode === '') return area;

  const communes = gazetteer
    .communesWithPostalCode(postalCode)
    .filter(({ department }) => areas.every((area) => isWithin(department, area)));
  const [first, ...others] = communes;
  if (first === undefined)
    return smallest && isUnlistedIn(postalCode, smallest, gazetteer)
      ? { ...area, zipCode: postalCode }
      : undefined;
  const { department, region } = first.department;
  return {
    city: others.length === 0 ? first.name : '',
    department: others.every((other) => other.department.department === department) ? department : '',
    region: others.every((other) => other.department.region === region) ? region : '',
    zipCode: postalCode,
  };
}
