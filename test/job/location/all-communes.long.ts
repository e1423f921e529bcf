import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { foldName } from '../../../src/job/location/fold-name.rules.js';
import { loadGazetteer } from '../../../src/job/location/gazetteer.js';
import { emptyLocation, type Location } from '../../../src/job/location/location.js';
import { resolveLocalisation } from '../../../src/job/location/resolve-localisation.rules.js';

interface PlaceRecord {
  code: string;
  nom: string;
  type?: string;
  departement: string;
  region: string;
  codesPostaux?: string[];
  population?: number;
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
  population: record.population ?? 0,
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

describe('every commune of the gazetteer (Contract 5.7.1)', () => {
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

describe('the name of a commune alone (Contract 5.7.2)', () => {
  const byKey = new Map<string, Place[]>();
  for (const place of communes) {
    const words = foldName(place.name).split(' ');
    for (let count = 1; count <= words.length; count += 1) {
      const key = words.slice(0, count).join(' ');
      byKey.set(key, [...(byKey.get(key) ?? []), place]);
    }
  }

  it('resolves to no commune with fewer than twice the inhabitants of another whose name is it or begins so', () => {
    const territories = new Set(
      places.filter(({ name, department }) => name === department).map(({ name }) => name),
    );
    const tooSmall: string[] = [];
    let resolved = 0;
    for (const [key, meant] of byKey) {
      const { city, department } = resolveLocalisation(key, gazetteer).location;
      const [place, ...others] = meant.filter((one) => one.name === city && one.department === department);
      if (place === undefined || others.length > 0 || territories.has(city)) continue;
      resolved += 1;
      if (meant.some((other) => other !== place && other.population * 2 > place.population))
        tooSmall.push(key);
    }
    expect(tooSmall).toEqual([]);
    expect(resolved).toBeGreaterThan(30_000);
  });

  const large = communes.filter(({ population }) => population >= 25_000);
  it('resolves from 25 000 inhabitants on, except where a namesake is nearly as large, or a department', () => {
    expect(large).toHaveLength(376);
    const unresolved = failures(large.map((place) => [place.name, locationOf(place, onlyCodeOf(place))]));
    // A former Bagneux is now part of Saumur, a former Sainte-Suzanne of Orthez: only their shares are known.
    expect(unresolved.sort()).toEqual(['Bagneux', 'Saint-Denis', 'Saint-Denis', 'Sainte-Suzanne', 'Vienne']);
  });

  it('resolves from 25 000 inhabitants on with a postal code, even only up to the hyphen', () => {
    const cases = large.flatMap((place) => {
      const short = /^(?!Saint)[^-]+(?=-)/.exec(place.name)?.[0];
      return place.postalCodes.flatMap((code) =>
        short ? [[`${code} ${short}`, locationOf(place, code)] as const] : [],
      );
    });
    expect(cases.length).toBeGreaterThan(90);
    // Bussy-Saint-Martin has the same code.
    expect(failures(cases)).toEqual(['77600 Bussy']);
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
  it.each([
    ['Auvergne-Rhône-Alpes', 'Auvergne|Rhône-Alpes|ARA|AURA'],
    ['Bourgogne-Franche-Comté', 'Bourgogne|Franche-Comté|Burgundy|Burgundy-Franche-Comté|BFC'],
    ['Bretagne', 'Brittany'],
    ['Centre-Val de Loire', 'Centre|Centre-Loire Valley|CVL'],
    ['Corse', 'Corsica'],
    ['Grand Est', 'Alsace|Champagne-Ardenne|Champagne-Ardennes|Lorraine'],
    ['Hauts-de-France', 'Nord-Pas-de-Calais|Picardie|Picardy|HDF|NPDC'],
    ['Île-de-France', 'IDF|Région parisienne|Paris Region'],
    ['Normandie', 'Basse-Normandie|Haute-Normandie|Normandy|Lower Normandy|Upper Normandy'],
    ['Nouvelle-Aquitaine', 'Aquitaine|Limousin|Poitou-Charentes|New Aquitaine|NAQ'],
    ['Occitanie', 'Languedoc-Roussillon|Midi-Pyrénées|Occitania'],
    ['Pays de la Loire', 'Pays de Loire|PDL'],
    ["Provence-Alpes-Côte d'Azur", 'PACA|Région Sud'],
  ])('resolves by its other names: %s', (region, names) => {
    for (const name of names.split('|')) {
      const { location, isResolved } = resolveLocalisation(name, gazetteer);
      expect([name, location, isResolved]).toEqual([
        name,
        { ...emptyLocation, region, countryCode: 'FRA' },
        true,
      ]);
    }
  });

  it('resolves to itself by its name alone', () => {
    for (const name of [...departments.values(), ...regions.values()]) {
      const { location, isResolved } = resolveLocalisation(name, gazetteer);
      expect(isResolved).toBe(true);
      expect([location.department, location.region]).toContain(name);
    }
  });
});
