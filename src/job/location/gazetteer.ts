import { readFileSync } from 'node:fs';
import { countryCodes, FRENCH_TERRITORIES, namesOfCountry } from './country.js';
import { foldName, withArticles, withoutArticle } from './fold-name.rules.js';
import { type Area, type Commune, type Gazetteer } from './gazetteer.rules.js';

/**
 * What the build extracts from the official list of places: parsing that list in each process would cost 0.25 s and 30 MB more. Each
 * commune stays JSON text until a search needs it.
 */
export interface FrenchPlaces {
  readonly regions: readonly string[];
  readonly departments: readonly Omit<Area, 'isOneCommune'>[];
  /** Folded name → `KeptCommune[]` as JSON. */
  readonly communes: Readonly<Record<string, string>>;
  /** Postal code → folded names of its communes, without former communes. */
  readonly namesByPostalCode: Readonly<Record<string, readonly string[]>>;
}

export type KeptCommune = readonly [
  name: string,
  departmentCode: string,
  population: number,
  standing: Commune['standing'],
  postalCodes: readonly string[],
  arrondissements: Commune['arrondissements'],
];

export const frenchPlacesFile = new URL('../../../dist/job/location/french-places.json', import.meta.url);

/** Paris, Saint-Barthélemy, Saint-Martin and Clipperton. */
const ONE_COMMUNE_DEPARTMENTS: ReadonlySet<string> = new Set(['75', '977', '978', '989']);

let gazetteer: Gazetteer | undefined;

/** Each process reads the file once, in about 0.05 s. @throws if the project was not built */
export const loadGazetteer = (): Gazetteer => (gazetteer ??= readGazetteer());

function readGazetteer(): Gazetteer {
  const places = JSON.parse(readFileSync(frenchPlacesFile, 'utf8')) as FrenchPlaces;
  const departmentsByCode = new Map<string, Area>(
    places.departments.map((department) => [
      department.departmentCode,
      { ...department, isOneCommune: ONE_COMMUNE_DEPARTMENTS.has(department.departmentCode) },
    ]),
  );
  const communesNamed = (key: string): Commune[] => {
    // A place name can be "constructor", which every object inherits.
    const kept = Object.hasOwn(places.communes, key) ? places.communes[key] : undefined;
    if (kept === undefined) return [];
    return (JSON.parse(kept) as KeptCommune[]).map(
      ([name, departmentCode, population, standing, postalCodes, arrondissements]) => ({
        name,
        department: mustFind(departmentsByCode, departmentCode),
        population,
        standing,
        postalCodes,
        arrondissements,
      }),
    );
  };
  const areas = areasByName(places.regions, departmentsByCode);
  const countries = countryCodes();
  return {
    communesNamed,
    communesNamedAfterArticle: (key) => withArticles(key).flatMap(communesNamed),
    communesWithPostalCode: (postalCode) =>
      (places.namesByPostalCode[postalCode] ?? [])
        .flatMap(communesNamed)
        .filter(({ standing, postalCodes }) => standing === 'present' && postalCodes.includes(postalCode)),
    areaNamed: (key) => areas.get(withoutArticle(key)),
    departmentsByCode,
    countryNamed: (key) => countries.byName.get(withoutArticle(key)),
    countriesByCode: countries.byCode,
  };
}

/** By name without article. Includes the country names of French territories. */
function areasByName(regions: readonly string[], departmentsByCode: ReadonlyMap<string, Area>) {
  const areas = new Map<string, Area>();
  const addName = (name: string, area: Area) => areas.set(withoutArticle(foldName(name)), area);
  for (const region of regions)
    addName(region, { departmentCode: '', department: '', region, isOneCommune: false });
  for (const area of departmentsByCode.values()) addName(area.department, area);
  for (const [alpha3, code] of FRENCH_TERRITORIES) {
    const area = departmentsByCode.get(code);
    if (area !== undefined) for (const name of [alpha3, ...namesOfCountry(alpha3)]) addName(name, area);
  }
  return areas;
}

export function mustFind<Value>(map: ReadonlyMap<string, Value>, code: string): Value {
  const value = map.get(code);
  if (value === undefined) throw new Error(`The list of communes refers to the missing code ${code}`);
  return value;
}
