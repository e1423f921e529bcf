import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { foldName } from '../job/location/fold-name.rules.js';
import {
  type FrenchPlaces,
  frenchPlacesFile,
  type KeptCommune,
  mustFind,
} from '../job/location/gazetteer.js';
import { licencesOf } from '../release/licences.js';

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

const listPackage = '@etalab/decoupage-administratif';
const require = createRequire(import.meta.url);
const read = <Item>(file: string) => require(`${listPackage}/data/${file}.json`) as readonly Item[];

const regions = new Map(read<AreaRecord>('regions').map(({ code, nom }) => [code, nom]));
const records = read<CommuneRecord>('communes');
const current = records.filter(({ type }) => type === 'commune-actuelle');
const former = records.filter(({ type }) => type === 'commune-deleguee' || type === 'commune-associee');
const currentByCode = new Map(current.map((record) => [record.code, record]));
const arrondissements = records.filter(({ type }) => type === 'arrondissement-municipal');

const communes = new Map<string, KeptCommune[]>();
const namesByPostalCode = new Map<string, Set<string>>();

/** The list has little more than the name of a former commune. The rest comes from `present`, the commune that it is now part of. */
function keep({ nom, departement }: CommuneRecord, present: CommuneRecord, isFormer: boolean): void {
  const { code, codesPostaux = [], population = 0 } = present;
  const parts = arrondissements.filter(({ commune }) => commune === code);
  const kept: KeptCommune = [
    nom,
    departement,
    population,
    isFormer,
    codesPostaux,
    parts.map((part) => part.codesPostaux ?? []),
  ];
  const key = foldName(nom);
  communes.set(key, [...(communes.get(key) ?? []), kept]);
  if (isFormer) return;
  for (const postalCode of codesPostaux)
    namesByPostalCode.set(postalCode, (namesByPostalCode.get(postalCode) ?? new Set()).add(key));
}

for (const record of current) keep(record, record, false);
for (const record of former) {
  const present = mustFind(currentByCode, record.chefLieu ?? '');
  if (foldName(record.nom) !== foldName(present.nom)) keep(record, present, true);
}

const places: FrenchPlaces = {
  regions: [...regions.values()],
  departments: read<AreaRecord>('departements').map(({ code, nom, region = '' }) => ({
    departmentCode: code,
    department: nom,
    region: mustFind(regions, region),
  })),
  communes: Object.fromEntries([...communes].map(([key, kept]) => [key, JSON.stringify(kept)])),
  namesByPostalCode: Object.fromEntries([...namesByPostalCode].map(([code, names]) => [code, [...names]])),
};
writeFileSync(frenchPlacesFile, JSON.stringify(places));
// LICENSE covers only the package's code. The README has the licence of the data, and the sources that this licence requires naming.
const readme = require.resolve(`${listPackage}/README.md`);
writeFileSync(
  new URL('licences.txt', frenchPlacesFile),
  `${licencesOf([readme])}\n${readFileSync(readme, 'utf8')}`,
);
