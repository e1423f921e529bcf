import { withoutArticle } from './fold-name.rules.js';

/** A department with its region, or a region alone, with official names. */
export interface Area {
  /** "69", "2A", "974"; "" for a region. */
  readonly departmentCode: string;
  /** "" for a region. */
  readonly department: string;
  readonly region: string;
  /** True for Paris and for territories that consist of a single commune: the area and the city are the same. */
  readonly isOneCommune: boolean;
}

/** A commune, or a former one that is now a named part of another. */
export interface Commune {
  readonly name: string;
  readonly department: Area;
  /** For a former commune, those of the commune that it is now part of. Empty for uninhabited territories. */
  readonly postalCodes: readonly string[];
  /** Inhabitants; 0 if not counted. Of a former commune only an upper bound is known. */
  readonly population: number;
  readonly isFormer: boolean;
  /** Postal codes of the first, second… municipal arrondissement. Only Paris, Lyon and Marseille have any. */
  readonly arrondissements: readonly (readonly string[])[];
}

/** The places in which a text is looked up. All names are folded by `foldName`. */
export interface Gazetteer {
  /** Communes and former communes with this name. */
  readonly communesNamed: (key: string) => readonly Commune[];
  /** Communes and former communes whose name is an article and this one. */
  readonly communesNamedAfterArticle: (key: string) => readonly Commune[];
  /** Communes for which the postal code is listed, without former communes. */
  readonly communesWithPostalCode: (postalCode: string) => readonly Commune[];
  /** Departments and regions, by the name without article. If both have the same name, it means the department. */
  readonly areasByName: ReadonlyMap<string, Area>;
  readonly departmentsByCode: ReadonlyMap<string, Area>;
  /** English and French names without article → alpha-3. */
  readonly countriesByName: ReadonlyMap<string, string>;
  /** Codes in capitals → alpha-3. */
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

/** Whether the folded text as a whole names a place. */
export function isPlaceName(key: string, gazetteer: Gazetteer): boolean {
  return (
    gazetteer.communesNamed(key).length > 0 ||
    gazetteer.communesNamedAfterArticle(key).length > 0 ||
    findArea(key, gazetteer) !== undefined ||
    findCountry(key, gazetteer) !== undefined
  );
}

/** Whether all of the inner area lies in the outer one. */
export function isWithin(inner: Area, outer: Area): boolean {
  if (outer.departmentCode !== '') return inner.departmentCode === outer.departmentCode;
  return inner.region === outer.region;
}

/** Whether a postal code may be the commune's: it is listed for it, or it is listed for no commune and fits the department. */
export function hasPostalCode(commune: Commune, postalCode: string, gazetteer: Gazetteer): boolean {
  if (commune.postalCodes.includes(postalCode)) return true;
  return isUnlistedIn(postalCode, commune.department, gazetteer);
}

/** Whether the postal code begins like those of the department but is listed for no commune, as CEDEX codes and "69000" are. */
export function isUnlistedIn(postalCode: string, area: Area, gazetteer: Gazetteer): boolean {
  if (area.departmentCode === '' || gazetteer.communesWithPostalCode(postalCode).length > 0) return false;
  return postalCode.startsWith(area.departmentCode.replace(/^2[AB]$/, '20'));
}
