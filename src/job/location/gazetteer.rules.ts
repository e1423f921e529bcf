import { withoutArticle } from './fold-name.rules.js';

/** A department with its region, or a region alone. Names are official. */
export interface Area {
  /** Such as "69", "2A" or "974"; "" for a region. */
  readonly departmentCode: string;
  /** "" for a region. */
  readonly department: string;
  readonly region: string;
  /** True for Paris and the territories with a single commune: the area is also the city. */
  readonly isOneCommune: boolean;
}

/** A commune, or a former commune that is now part of another commune. */
export interface Commune {
  readonly name: string;
  readonly department: Area;
  /** A former commune has the postal codes of the commune that it is now part of. Empty for uninhabited territories. */
  readonly postalCodes: readonly string[];
  /** Population; 0 if not counted. For a former commune, this is only an upper bound. */
  readonly population: number;
  readonly isFormer: boolean;
  /** Postal codes of each municipal arrondissement, starting with the first. Empty except for Paris, Lyon and Marseille. */
  readonly arrondissements: readonly (readonly string[])[];
}

/** The places that texts are matched against. All names to look up are folded with `foldName`. */
export interface Gazetteer {
  /** Communes and former communes with this name. */
  readonly communesNamed: (key: string) => readonly Commune[];
  /** Communes and former communes whose name is an article followed by this name. */
  readonly communesNamedAfterArticle: (key: string) => readonly Commune[];
  /** Communes with this postal code, without former communes. */
  readonly communesWithPostalCode: (postalCode: string) => readonly Commune[];
  /** Departments and regions by name without article. If both have the same name, the department wins. */
  readonly areasByName: ReadonlyMap<string, Area>;
  readonly departmentsByCode: ReadonlyMap<string, Area>;
  /** English and French country names without article → alpha-3 code. */
  readonly countriesByName: ReadonlyMap<string, string>;
  /** Country codes in capitals → alpha-3 code. */
  readonly countriesByCode: ReadonlyMap<string, string>;
}

/** The department or region with this folded name, with or without its article. */
export function findArea(key: string, gazetteer: Gazetteer): Area | undefined {
  return gazetteer.areasByName.get(withoutArticle(key));
}

/** The alpha-3 code of the country with this folded name, with or without its article. */
export function findCountry(key: string, gazetteer: Gazetteer): string | undefined {
  return gazetteer.countriesByName.get(withoutArticle(key));
}

/** Whether the whole folded text is the name of a place. */
export function isPlaceName(key: string, gazetteer: Gazetteer): boolean {
  return (
    gazetteer.communesNamed(key).length > 0 ||
    gazetteer.communesNamedAfterArticle(key).length > 0 ||
    findArea(key, gazetteer) !== undefined ||
    findCountry(key, gazetteer) !== undefined
  );
}

export function isWithin(inner: Area, outer: Area): boolean {
  if (outer.departmentCode !== '') return inner.departmentCode === outer.departmentCode;
  return inner.region === outer.region;
}

/**
 * Whether a commune can have this postal code. True if the code is listed for this commune, or if the code is listed for no
 * commune and fits the department.
 */
export function hasPostalCode(commune: Commune, postalCode: string, gazetteer: Gazetteer): boolean {
  if (commune.postalCodes.includes(postalCode)) return true;
  return isUnlistedIn(postalCode, commune.department, gazetteer);
}

/** Whether the postal code fits the department but is listed for no commune. Examples are CEDEX codes and "69000". */
export function isUnlistedIn(postalCode: string, area: Area, gazetteer: Gazetteer): boolean {
  if (area.departmentCode === '' || gazetteer.communesWithPostalCode(postalCode).length > 0) return false;
  return postalCode.startsWith(area.departmentCode.replace(/^2[AB]$/, '20'));
}
