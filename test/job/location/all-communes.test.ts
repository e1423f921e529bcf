import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { foldName } from '../../../src/job/location/fold-name.rules.js';
import { loadGazetteer } from '../../../src/job/location/gazetteer.js';
import { type Location } from '../../../src/job/location/location.js';
import { resolveLocalisation } from '../../../src/job/location/resolve-localisation.rules.js';

interface PlaceRecord {
  code: string;
  nom: string;
  type?: string;
  departement: string;
  region: string;
  codesPostaux?: string[];
  chefLieu?: string;
}

// The official list, so that the test also covers the build of the gazetteer.
const require = createRequire(import.meta.url);
const read = (name: string) =>
  require(`@etalab/decoupage-administratif/data/${name}.json`) as readonly PlaceRecord[];
const departments = new Map(read('departements').map(({ code, nom }) => [code, nom]));
const regions = new Map(read('regions').map(({ code, nom }) => [code, nom]));
const places = read('communes').map((record) => ({
  code: record.code,
  chefLieu: record.chefLieu ?? '',
  name: record.nom,
  type: record.type ?? '',
  departmentCode: record.departement,
  department: departments.get(record.departement) ?? '',
  region: regions.get(record.region) ?? '',
  postalCodes: record.codesPostaux ?? [],
}));
const communes = places.filter(({ type }) => type === 'commune-actuelle');

const gazetteer = loadGazetteer();

type Place = (typeof places)[number];

const locationOf = (place: Place, zipCode: string): Location => ({
  addressNbr: null,
  address: null,
  city: place.name,
  department: place.department,
  region: place.region,
  zipCode,
  countryCode: 'FRA',
});
const onlyCodeOf = ({ postalCodes }: Place) => (postalCodes.length === 1 ? (postalCodes[0] ?? '') : '');

/** Comparing strings is 40 times as fast as `toEqual`. */
function failures(cases: Iterable<readonly [text: string, expected: Location]>): string[] {
  const failed: string[] = [];
  for (const [text, expected] of cases) {
    const { location, isResolved } = resolveLocalisation(text, gazetteer);
    if (!isResolved || JSON.stringify(location) !== JSON.stringify(expected)) failed.push(text);
  }
  return failed;
}

describe('every commune of the gazetteer (Contract 4.2.7.1)', () => {
  it('has a department and a region', () => {
    expect(communes).toHaveLength(34_969);
    expect(communes.filter(({ department, region }) => department === '' || region === '')).toEqual([]);
  });

  it('resolves by name and department, and gets its postal code if it has only one', () => {
    expect(
      failures(
        communes.map((place) => [`${place.name}, ${place.department}`, locationOf(place, onlyCodeOf(place))]),
      ),
    ).toEqual([]);
  });

  it('resolves by name with any of its postal codes, and keeps the code', () => {
    const cases = communes.flatMap((place) =>
      place.postalCodes.map((code) => [`${code} ${place.name}`, locationOf(place, code)] as const),
    );
    expect(cases.length).toBeGreaterThan(35_000);
    expect(failures(cases)).toEqual([]);
  });

  it('resolves in capitals without accents, hyphens or apostrophes', () => {
    const plain = (text: string) =>
      text
        .replaceAll(/[Œœ]/g, 'oe')
        .normalize('NFD')
        .replaceAll(/\p{M}/gu, '')
        .replaceAll(/[-']/g, ' ')
        .replaceAll(/\bSaint\b/g, 'St')
        .toUpperCase();
    expect(
      failures(
        communes.map((place) => [
          `${plain(place.name)}, ${plain(place.department)}`,
          locationOf(place, onlyCodeOf(place)),
        ]),
      ),
    ).toEqual([]);
  });

  it('resolves by name and department code, except Corrèze, Doubs and Mayenne', () => {
    const sharedWithDepartment = ['Corrèze', 'Doubs', 'Mayenne'];
    const cases = communes
      .filter(({ name }) => !sharedWithDepartment.includes(name))
      .map(
        (place) => [`${place.name} (${place.departmentCode})`, locationOf(place, onlyCodeOf(place))] as const,
      );
    expect(failures(cases)).toEqual([]);
  });
});

describe('every part of a commune', () => {
  it('that is an arrondissement resolves to its city and first postal code', () => {
    const cases = places
      .filter(({ type }) => type === 'arrondissement-municipal')
      .map((place) => {
        const city = { ...place, name: place.name.split(' ')[0] ?? '' };
        return [place.name, locationOf(city, place.postalCodes[0] ?? '')] as const;
      });
    expect(cases).toHaveLength(45);
    expect(failures(cases)).toEqual([]);
  });

  it('that is a former commune resolves to its commune of today, unless a commune of the department has its name', () => {
    const byCode = new Map(communes.map((place) => [place.code, place]));
    const current = new Set(communes.map(({ name, department }) => `${foldName(name)}, ${department}`));
    const cases = places.flatMap((place) => {
      const today = byCode.get(place.chefLieu);
      const isHidden = current.has(`${foldName(place.name)}, ${place.department}`);
      if (today === undefined || isHidden) return [];
      return [[`${place.name}, ${place.department}`, locationOf(today, onlyCodeOf(today))] as const];
    });
    expect(cases.length).toBeGreaterThan(2_300);
    expect(failures(cases)).toEqual([]);
  });
});

describe('every department and region', () => {
  it('resolves to itself by its name alone', () => {
    for (const name of [...departments.values(), ...regions.values()]) {
      const { location, isResolved } = resolveLocalisation(name, gazetteer);
      expect(isResolved).toBe(true);
      expect([location.department, location.region]).toContain(name);
    }
  });
});
