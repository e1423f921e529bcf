import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { countryCodesByCode, countryCodesByName, FRENCH_TERRITORIES, namesOfCountry } from './country.js';
import { foldName, withoutArticle } from './fold-name.rules.js';
import { type Area, type Commune, type Gazetteer } from './gazetteer.rules.js';

interface AreaRecord {
  readonly code: string;
  readonly nom: string;
  readonly region?: string;
}

interface CommuneRecord {
  readonly code: string;
  readonly nom: string;
  readonly departement: string;
  readonly type: 'commune-actuelle' | 'commune-deleguee' | 'commune-associee' | 'arrondissement-municipal';
  readonly codesPostaux?: readonly string[];
  readonly population?: number;
  /** For a former commune: the commune that it is now part of. */
  readonly chefLieu?: string;
  /** For a municipal arrondissement: its city. */
  readonly commune?: string;
}

/** A commune whose arrondissements are still being gathered. */
type CommuneDraft = Omit<Commune, 'arrondissements'> & { arrondissements: Commune['arrondissements'] };

const require = createRequire(import.meta.url);
const fileOf = (name: string): string => require.resolve(`@etalab/decoupage-administratif/data/${name}.json`);

/** Bytes of the list of communes that are parsed at once, in a few milliseconds. */
const SLICE_BYTES = 64 * 1024;

/** Paris, Saint-Barthélemy, Saint-Martin and Clipperton. */
const ONE_COMMUNE_DEPARTMENTS: ReadonlySet<string> = new Set(['75', '977', '978', '989']);

const NONE: readonly never[] = [];

/** The communes, parsed in slices: to parse all at once would block requests for 60 ms. A closing brace ends a flat record. */
async function* readCommunes(): AsyncGenerator<CommuneRecord[]> {
  let rest = Buffer.alloc(0);
  for await (const read of createReadStream(fileOf('communes'), { highWaterMark: SLICE_BYTES })) {
    const bytes = Buffer.concat([rest, read as Buffer]);
    const end = bytes.lastIndexOf('}') + 1;
    rest = bytes.subarray(end);
    yield JSON.parse(`[${bytes.toString('utf8', bytes.indexOf('{'), end)}]`) as CommuneRecord[];
  }
}

async function readAreas(name: 'departements' | 'regions'): Promise<AreaRecord[]> {
  return JSON.parse(await readFile(fileOf(name), 'utf8')) as AreaRecord[];
}

/** Departments by code, and all areas by name. French territories can also be found by their names as countries. */
async function loadAreas(): Promise<Pick<Gazetteer, 'departmentsByCode' | 'areasByName'>> {
  const [regions, departments] = await Promise.all([readAreas('regions'), readAreas('departements')]);
  const areasByName = new Map<string, Area>();
  const departmentsByCode = new Map<string, Area>();
  const regionNames = new Map(regions.map((region) => [region.code, region.nom]));
  const addName = (name: string, area: Area) => areasByName.set(withoutArticle(foldName(name)), area);

  for (const region of regionNames.values())
    addName(region, { departmentCode: '', department: '', region, isOneCommune: false });
  for (const { code, nom, region = '' } of departments) {
    const area: Area = {
      departmentCode: code,
      department: nom,
      region: regionNames.get(region) ?? '',
      isOneCommune: ONE_COMMUNE_DEPARTMENTS.has(code),
    };
    departmentsByCode.set(code, area);
    addName(nom, area);
  }
  for (const [alpha3, code] of FRENCH_TERRITORIES) {
    const area = departmentsByCode.get(code);
    if (area !== undefined) for (const name of [alpha3, ...namesOfCountry(alpha3)]) addName(name, area);
  }
  return { areasByName, departmentsByCode };
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** Communes by their names and postal codes. */
async function loadCommunes(
  departmentsByCode: ReadonlyMap<string, Area>,
): Promise<Pick<Gazetteer, 'communesByName' | 'communesByShortName' | 'communesByPostalCode'>> {
  const communesByName = new Map<string, Commune[]>();
  const communesByShortName = new Map<string, Commune[]>();
  const communesByPostalCode = new Map<string, Commune[]>();
  const add = (commune: Commune): void => {
    const key = foldName(commune.name);
    append(communesByName, key, commune);
    const shortKey = withoutArticle(key);
    if (shortKey !== key) append(communesByShortName, shortKey, commune);
    if (commune.isFormer) return;
    for (const postalCode of commune.postalCodes) append(communesByPostalCode, postalCode, commune);
  };
  const communesByCode = new Map<string, CommuneDraft>();
  const parts: CommuneRecord[] = [];
  for await (const records of readCommunes()) {
    for (const record of records) {
      if (record.type !== 'commune-actuelle') {
        parts.push(record);
        continue;
      }
      const commune: CommuneDraft = {
        name: record.nom,
        department: mustFind(departmentsByCode, record.departement),
        postalCodes: record.codesPostaux ?? NONE,
        population: record.population ?? 0,
        isFormer: false,
        arrondissements: NONE,
      };
      communesByCode.set(record.code, commune);
      add(commune);
    }
  }
  // In the list, a part of a commune may come before the commune itself.
  for (const record of parts) {
    const whole = mustFind(communesByCode, record.commune ?? record.chefLieu ?? '');
    if (record.type === 'arrondissement-municipal') {
      whole.arrondissements = [...whole.arrondissements, record.codesPostaux ?? NONE];
    } else if (foldName(record.nom) !== foldName(whole.name)) {
      const department = mustFind(departmentsByCode, record.departement);
      add({ ...whole, name: record.nom, department, isFormer: true });
    }
  }
  return { communesByName, communesByShortName, communesByPostalCode };
}

function mustFind<Value>(map: ReadonlyMap<string, Value>, code: string): Value {
  const value = map.get(code);
  if (value === undefined)
    throw new Error(`The list of communes refers to the code ${code}, which is not in it`);
  return value;
}

let loading: Promise<Gazetteer> | undefined;

/**
 * Loads French communes and areas and all countries from the installed packages, once a process: some 0.1 s, in short steps.
 * @throws if a package's data is missing or not in the expected form
 */
export const loadGazetteer = (): Promise<Gazetteer> => (loading ??= readGazetteer());

async function readGazetteer(): Promise<Gazetteer> {
  const areas = await loadAreas();
  return {
    ...areas,
    ...(await loadCommunes(areas.departmentsByCode)),
    countriesByName: countryCodesByName(),
    countriesByCode: countryCodesByCode(),
  };
}
