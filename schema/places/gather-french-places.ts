// Writes french-places.json, from which the gateway resolves places, and licences.txt. After an update of the package:
//   npm install --no-save decoupage-administratif-2019@npm:@etalab/decoupage-administratif@0.6.2
//   node --import ./test/runner/typescript.mjs schema/places/gather-french-places.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { foldName, withArticles } from '../../src/job/location/fold-name.rules.js';
import {
  type FrenchPlaces,
  frenchPlacesFile,
  type KeptCommune,
  mustFind,
} from '../../src/job/location/gazetteer.js';

interface AreaRecord {
  readonly code: string;
  readonly nom: string;
  readonly region?: string;
}

interface CommuneRecord extends AreaRecord {
  readonly departement: string;
  readonly type: 'commune-actuelle' | 'commune-deleguee' | 'commune-associee' | 'arrondissement-municipal';
  readonly codesPostaux?: readonly string[];
  readonly population?: number;
  /** Codes of the communes that merged into this one. */
  readonly anciensCodes?: readonly string[];
  /** For a former commune: the commune that it is now part of. */
  readonly chefLieu?: string;
  /** For a municipal arrondissement: its city. */
  readonly commune?: string;
}

/** A commune at one time. */
interface PastRecord extends AreaRecord {
  /** COM for a commune, otherwise a part of one. */
  readonly type: string;
  readonly dateDebut?: string;
}

const listPackage = '@etalab/decoupage-administratif';
/** The communes of 1 January 2019 with the populations of 2018, and all names of communes since 1943. Later versions lack the names. */
const oldListPackage = 'decoupage-administratif-2019';
const endOfOldCounts = '2018-01-01';
const require = createRequire(import.meta.url);
const read = <Item>(file: string, from = listPackage) =>
  require(`${from}/data/${file}.json`) as readonly Item[];

const isCommune = ({ type }: CommuneRecord) => type === 'commune-actuelle';
const isPart = ({ type }: CommuneRecord) => type === 'commune-deleguee' || type === 'commune-associee';

const regions = new Map(read<AreaRecord>('regions').map(({ code, nom }) => [code, nom]));
const records = read<CommuneRecord>('communes');
const current = records.filter(isCommune);
const arrondissements = records.filter(({ type }) => type === 'arrondissement-municipal');
/** Codes of today and of the past → the commune of today. */
const currentByCode = new Map([
  ...current.flatMap((record) => (record.anciensCodes ?? []).map((code) => [code, record] as const)),
  ...current.map((record) => [record.code, record] as const),
]);

const communes = new Map<string, KeptCommune[]>();
const namesByPostalCode = new Map<string, Set<string>>();

function keep(
  key: string,
  { code, nom, departement, codesPostaux = [] }: CommuneRecord,
  population = 0,
  standing: KeptCommune[3] = 'present',
): void {
  const parts = arrondissements.filter(({ commune }) => commune === code);
  const ofParts = parts.map((part) => part.codesPostaux ?? []);
  const kept: KeptCommune = [nom, departement, population, standing, codesPostaux, ofParts];
  communes.set(key, [...(communes.get(key) ?? []), kept]);
}

for (const record of current) {
  const key = foldName(record.nom);
  keep(key, record, record.population);
  for (const postalCode of record.codesPostaux ?? [])
    namesByPostalCode.set(postalCode, (namesByPostalCode.get(postalCode) ?? new Set()).add(key));
}

const oldRecords = read<CommuneRecord>('communes', oldListPackage);
const history = read<PastRecord>('historique-communes', oldListPackage);
const oldCommunes = new Map(oldRecords.filter(isCommune).map((record) => [record.code, record]));
const mergedSinceOldCounts = new Set(
  history
    .filter(({ type, dateDebut = '' }) => type !== 'COM' && dateDebut > endOfOldCounts)
    .map(({ code }) => code),
);

/** Code of a commune of today → code and name of its former communes. */
const formerCommunes = new Map<string, Map<string, string>>();
const seenParts = new Set<string>();
function addPart({ code, nom }: CommuneRecord, codeOfWhole: string): void {
  if (seenParts.has(code)) return;
  seenParts.add(code);
  const whole = mustFind(currentByCode, codeOfWhole).code;
  formerCommunes.set(whole, (formerCommunes.get(whole) ?? new Map<string, string>()).set(code, nom));
}
for (const record of records.filter(isPart)) addPart(record, record.chefLieu ?? '');
for (const record of oldRecords)
  if (isPart(record) || (isCommune(record) && mustFind(currentByCode, record.code).code !== record.code))
    addPart(record, record.code);

/** The old list has the population of the seat of a merger under the name of the merged commune. */
function countOf(code: string, name: string): number {
  const old = oldCommunes.get(code);
  const isCounted = old && (foldName(old.nom) === foldName(name) || mergedSinceOldCounts.has(code));
  return isCounted ? (old.population ?? 0) : 0;
}

for (const [code, parts] of formerCommunes) {
  const commune = mustFind(currentByCode, code);
  const counts = new Map([...parts].map(([part, name]) => [part, countOf(part, name)]));
  if (!counts.has(code)) counts.set(code, 0);
  const known = [...counts.values()].filter(Boolean);
  const rest = (commune.population ?? 0) - known.reduce((sum, count) => sum + count, 0);
  const share = Math.max(0, Math.round(rest / (counts.size - known.length)));
  const keys = new Set([foldName(commune.nom)]);
  for (const [part, name] of parts) {
    const key = foldName(name);
    if (keys.has(key)) continue;
    keys.add(key);
    const count = counts.get(part) ?? 0;
    keep(key, commune, count || share, count === 0 ? 'estimated' : 'former');
  }
}

/** Older names count only where no other name is meant: most are villages that merged half a century ago. */
const taken = new Set(communes.keys());
const seen = new Set<string>();
for (const { code, nom } of history.filter(({ type }) => type === 'COM')) {
  const commune = mustFind(currentByCode, code);
  const key = foldName(nom);
  if ([key, ...withArticles(key)].some((name) => taken.has(name)) || seen.has(`${key} ${commune.code}`))
    continue;
  seen.add(`${key} ${commune.code}`);
  keep(key, commune, 0, 'estimated');
}

const sorted = [...communes].sort(([one], [other]) => (one < other ? -1 : 1));
const places: FrenchPlaces = {
  regions: [...regions.values()],
  departments: read<AreaRecord>('departements').map(({ code, nom, region = '' }) => ({
    departmentCode: code,
    department: nom,
    region: mustFind(regions, region),
  })),
  names: sorted.map(([key]) => key),
  communes: sorted.map(([, kept]) => JSON.stringify(kept)),
  namesByPostalCode: Object.fromEntries([...namesByPostalCode].map(([code, names]) => [code, [...names]])),
};
writeFileSync(frenchPlacesFile, `${JSON.stringify(places, null, 1)}\n`);
// LICENSE covers only the package's code. The README has the licence of the data, and the sources that this licence requires naming.
const texts = [listPackage, oldListPackage].flatMap((name) =>
  ['LICENSE', 'README.md'].map((file) => readFileSync(require.resolve(`${name}/${file}`), 'utf8')),
);
writeFileSync(new URL('licences.txt', frenchPlacesFile), texts.join('\n'));
