/** A department with its region, or a region alone, with official names. */
export interface Area {
  /** Such as "69", "2A" or "974"; "" for a region. */
  readonly departmentCode: string;
  /** "" for a region. */
  readonly department: string;
  readonly region: string;
  /** The area is also the city: Paris and the territories with a single commune. */
  readonly isOneCommune: boolean;
}

/** A commune of today, found by its own name or by the name of a commune that is now part of it. */
export interface Commune {
  readonly name: string;
  readonly department: Area;
  /** Empty for uninhabited territories. */
  readonly postalCodes: readonly string[];
  /** The population of the commune that had the name; 0 if not counted. */
  readonly population: number;
  /** Whether the name is that of today's commune. The population of a former one is counted or only estimated. */
  readonly standing: 'present' | 'former' | 'estimated';
  /** Postal codes of each municipal arrondissement, in order. Empty except for Paris, Lyon and Marseille. */
  readonly arrondissements: readonly (readonly string[])[];
}

/** Names to look up are folded with `foldName`. */
export interface Gazetteer {
  /** Includes former communes. */
  readonly communesNamed: (key: string) => readonly Commune[];
  /** Communes and former communes whose name is an article followed by this name. */
  readonly communesNamedAfterArticle: (key: string) => readonly Commune[];
  /** Communes and former communes whose name, with or without an article, begins with this name and a space or hyphen. */
  readonly communesNamedLonger: (key: string) => readonly Commune[];
  /** Without former communes. */
  readonly communesWithPostalCode: (postalCode: string) => readonly Commune[];
  /** With or without an article. A department wins over a region with the same name. */
  readonly areaNamed: (key: string) => Area | undefined;
  /** Departments by ISO 3166 code of a country in capitals. */
  readonly territoriesByCode: ReadonlyMap<string, Area>;
  readonly departmentsByCode: ReadonlyMap<string, Area>;
  /** The alpha-3 code, by the English or French name with or without an article. */
  readonly countryNamed: (key: string) => string | undefined;
  /** Codes in capitals → alpha-3. */
  readonly countriesByCode: ReadonlyMap<string, string>;
}

export const isPlaceName = (key: string, gazetteer: Gazetteer): boolean =>
  gazetteer.communesNamed(key).length > 0 ||
  gazetteer.communesNamedAfterArticle(key).length > 0 ||
  gazetteer.areaNamed(key) !== undefined ||
  gazetteer.countryNamed(key) !== undefined;

export function isWithin(inner: Area, outer: Area): boolean {
  if (outer.departmentCode !== '') return inner.departmentCode === outer.departmentCode;
  return inner.region === outer.region;
}

/** Whether the code fits the department but is listed for no commune, such as a CEDEX code or "69000". */
export function isUnlistedIn(postalCode: string, area: Area, gazetteer: Gazetteer): boolean {
  if (area.departmentCode === '' || gazetteer.communesWithPostalCode(postalCode).length > 0) return false;
  return postalCode.startsWith(area.departmentCode.replace(/^2[AB]$/, '20'));
}
