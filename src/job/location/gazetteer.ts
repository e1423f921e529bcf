import { readFileSync } from 'node:fs';
import { codesOfCountry, countryCodes, FRENCH_TERRITORIES, namesOfCountry } from './country.js';
import { foldName, withArticles, withoutArticle } from './fold-name.rules.js';
import { type Area, type Commune, type Gazetteer } from './gazetteer.rules.js';

/**
 * The extract that `schema/places/gather-french-places.ts` makes of the official list of places: parsing that list in each process would
 * cost 0.25 s and 30 MB more. Each commune stays JSON text until a search needs it.
 */
export interface FrenchPlaces {
  readonly regions: readonly string[];
  readonly departments: readonly Omit<Area, 'isOneCommune'>[];
  /** Folded names, sorted. */
  readonly names: readonly string[];
  /** The communes of each name: `KeptCommune[]` as JSON. */
  readonly communes: readonly string[];
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

export const frenchPlacesFile = new URL('../../../schema/places/french-places.json', import.meta.url);

/** Paris, Saint-Barthélemy, Saint-Martin and Clipperton. */
const ONE_COMMUNE_DEPARTMENTS: ReadonlySet<string> = new Set(['75', '977', '978', '989']);

/** Official name of a region → its English name, its everyday short forms, and the regions that merged into it in 2016. */
const OTHER_NAMES_OF_REGIONS: Readonly<Record<string, readonly string[]>> = {
  'Auvergne-Rhône-Alpes': ['Auvergne', 'Rhône-Alpes', 'ARA', 'AURA'],
  'Bourgogne-Franche-Comté': ['Bourgogne', 'Franche-Comté', 'Burgundy', 'Burgundy-Franche-Comté', 'BFC'],
  Bretagne: ['Brittany'],
  'Centre-Val de Loire': ['Centre', 'Centre-Loire Valley', 'CVL'],
  Corse: ['Corsica'],
  'Grand Est': ['Alsace', 'Champagne-Ardenne', 'Champagne-Ardennes', 'Lorraine'],
  'Hauts-de-France': ['Nord-Pas-de-Calais', 'Picardie', 'Picardy', 'HDF', 'NPDC'],
  'Île-de-France': ['IDF', 'Région parisienne', 'Paris Region'],
  Normandie: ['Basse-Normandie', 'Haute-Normandie', 'Normandy', 'Lower Normandy', 'Upper Normandy'],
  'Nouvelle-Aquitaine': ['Aquitaine', 'Limousin', 'Poitou-Charentes', 'New Aquitaine', 'NAQ'],
  Occitanie: ['Languedoc-Roussillon', 'Midi-Pyrénées', 'Occitania'],
  'Pays de la Loire': ['Pays de Loire', 'PDL'],
  "Provence-Alpes-Côte d'Azur": ['PACA', 'Région Sud'],
};

let gazetteer: Gazetteer | undefined;

/** Each process reads the file once, in about 0.05 s. */
export const loadGazetteer = (): Gazetteer => (gazetteer ??= readGazetteer());

function readGazetteer(): Gazetteer {
  const places = JSON.parse(readFileSync(frenchPlacesFile, 'utf8')) as FrenchPlaces;
  const departmentsByCode = new Map<string, Area>(
    places.departments.map((department) => [
      department.departmentCode,
      { ...department, isOneCommune: ONE_COMMUNE_DEPARTMENTS.has(department.departmentCode) },
    ]),
  );
  const communesAt = (index: number): Commune[] =>
    (JSON.parse(places.communes[index] ?? '[]') as KeptCommune[]).map(
      ([name, departmentCode, population, standing, postalCodes, arrondissements]) => ({
        name,
        department: mustFind(departmentsByCode, departmentCode),
        population,
        standing,
        postalCodes,
        arrondissements,
      }),
    );
  const communesNamed = (key: string): Commune[] => {
    const index = findSorted(places.names, key);
    return places.names[index] === key ? communesAt(index) : [];
  };
  const communesBeginning = (prefix: string): Commune[] => {
    const found: Commune[] = [];
    for (let index = findSorted(places.names, prefix); places.names[index]?.startsWith(prefix); index += 1)
      found.push(...communesAt(index));
    return found;
  };
  const areas = areasByName(places.regions, departmentsByCode);
  const territories = [...FRENCH_TERRITORIES].flatMap(([alpha3, departmentCode]) => {
    const area = departmentsByCode.get(departmentCode);
    return area ? codesOfCountry(alpha3).map((code) => [code, area] as const) : [];
  });
  const countries = countryCodes();
  return {
    communesNamed,
    communesNamedAfterArticle: (key) => withArticles(key).flatMap(communesNamed),
    communesNamedLonger: (key) =>
      [key, ...withArticles(key)].flatMap((name) => communesBeginning(`${name} `)),
    communesWithPostalCode: (postalCode) =>
      (places.namesByPostalCode[postalCode] ?? [])
        .flatMap(communesNamed)
        .filter(({ standing, postalCodes }) => standing === 'present' && postalCodes.includes(postalCode)),
    areaNamed: (key) => areas.get(withoutArticle(key)),
    territoriesByCode: new Map(territories),
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
    for (const name of [region, ...(OTHER_NAMES_OF_REGIONS[region] ?? [])])
      addName(name, { departmentCode: '', department: '', region, isOneCommune: false });
  for (const area of departmentsByCode.values()) addName(area.department, area);
  for (const [alpha3, code] of FRENCH_TERRITORIES) {
    const area = departmentsByCode.get(code);
    if (area !== undefined) for (const name of [alpha3, ...namesOfCountry(alpha3)]) addName(name, area);
  }
  return areas;
}

/** The index of the first name that is not less than the key. */
function findSorted(names: readonly string[], key: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((names[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function mustFind<Value>(map: ReadonlyMap<string, Value>, code: string): Value {
  const value = map.get(code);
  if (value === undefined) throw new Error(`The list of communes refers to the missing code ${code}`);
  return value;
}
