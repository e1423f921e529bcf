import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadGazetteer } from '../../../src/job/location/gazetteer.js';
import { emptyLocation } from '../../../src/job/location/location.js';
import { resolveLocalisation } from '../../../src/job/location/resolve-localisation.rules.js';

const gazetteer = loadGazetteer();
const resolve = (text: string) => resolveLocalisation(text, gazetteer);

function keysOf(text: string): string[] {
  const { city, department, region, zipCode, countryCode } = resolve(text).location;
  return [city, department, region, zipCode, countryCode];
}

const lyon = (zipCode = '') => ['Lyon', 'Rhône', 'Auvergne-Rhône-Alpes', zipCode, 'FRA'];
const paris = (zipCode = '') => ['Paris', 'Paris', 'Île-de-France', zipCode, 'FRA'];
const marseille = (zipCode = '') => [
  'Marseille',
  'Bouches-du-Rhône',
  "Provence-Alpes-Côte d'Azur",
  zipCode,
  'FRA',
];
const reunion = (city: string) => [city, 'La Réunion', 'La Réunion', '', 'FRA'];
const onlyCity = (city: string, countryCode = '') => [city, '', '', '', countryCode];

it('the gazetteer is loaded once per process', () => {
  expect(loadGazetteer()).toBe(gazetteer);
});

describe('a commune (Contract 5.7.1)', () => {
  it.each([
    ['Lyon', lyon()],
    ['Lyon, Rhône, France', lyon()],
    ['Lyon, Rhône, Auvergne-Rhône-Alpes, France', lyon()],
    ['Lyon (Rhône, France)', lyon()],
    ['Lyon, FR', lyon()],
    ['Île-de-France, Paris', paris()],
    ['Île-de-France, Paris 11e', paris('75011')],
    ['Saint-Denis, La Réunion', reunion('Saint-Denis')],
    ['Saint-Denis, Seine-Saint-Denis', ['Saint-Denis', 'Seine-Saint-Denis', 'Île-de-France', '', 'FRA']],
    ['Vienne, Isère', ['Vienne', 'Isère', 'Auvergne-Rhône-Alpes', '38200', 'FRA']],
    ['La Réunion, Lot-et-Garonne', ['La Réunion', 'Lot-et-Garonne', 'Nouvelle-Aquitaine', '47700', 'FRA']],
    ['Suisse, Moselle', ['Suisse', 'Moselle', 'Grand Est', '57340', 'FRA']],
    ['Vienne (38)', ['Vienne', 'Isère', 'Auvergne-Rhône-Alpes', '38200', 'FRA']],
    // Another Doux has exactly half as many inhabitants.
    ['Doux', ['Doux', 'Deux-Sèvres', 'Nouvelle-Aquitaine', '79390', 'FRA']],
    ['Grenade (31)', ['Grenade', 'Haute-Garonne', 'Occitanie', '31330', 'FRA']],
    // "Ver" is not a fifth arrondissement, although V is five and `er` is an ordinal ending.
    ['Ver, Manche', ['Ver', 'Manche', 'Normandie', '50450', 'FRA']],
  ])('is found by name, with or without department, region and country: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
    expect(resolve(text).isResolved).toBe(true);
  });

  it('has null address keys', () => {
    expect(resolve('Boulogne-Billancourt')).toEqual({
      location: {
        addressNbr: null,
        address: null,
        city: 'Boulogne-Billancourt',
        department: 'Hauts-de-Seine',
        region: 'Île-de-France',
        zipCode: '92100',
        countryCode: 'FRA',
      },
      isResolved: true,
    });
  });

  it.each([
    ['st etienne', 'Saint-Étienne'],
    ['ste-foy-lès-lyon', 'Sainte-Foy-lès-Lyon'],
    ['Boulogne - Billancourt', 'Boulogne-Billancourt'],
    ['Villeneuve d’Ascq', "Villeneuve-d'Ascq"],
    ['lhay les roses', 'lhay les roses'],
    ['Haÿ-les-Roses', "L'Haÿ-les-Roses"],
    ['oeting', 'Œting'],
    ['Chateau-Chinon (Ville)', 'Château-Chinon (Ville)'],
    ['Saint-E\u0301tienne', 'Saint-Étienne'],
  ])('is found by other spellings, and gets its official name: %s', (text, city) => {
    expect(resolve(text).location.city).toBe(city);
  });

  it.each([
    ['69003 Lyon', lyon('69003')],
    ['Lyon, 69003', lyon('69003')],
    ['F-69003 Lyon, France', lyon('69003')],
    ['75011 Paris', paris('75011')],
    ['75011', paris('75011')],
    ['69003, Rhône', lyon('69003')],
    ['35042 Rennes Cedex 9', ['Rennes', 'Ille-et-Vilaine', 'Bretagne', '35042', 'FRA']],
    ['Ajaccio, 20999', ['Ajaccio', 'Corse-du-Sud', 'Corse', '20999', 'FRA']],
    [
      '58120 Château-Chinon (Ville)',
      ['Château-Chinon (Ville)', 'Nièvre', 'Bourgogne-Franche-Comté', '58120', 'FRA'],
    ],
  ])('keeps the given postal code: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
  });

  it.each([
    ['Lyon (69)', lyon()],
    ['69 - Lyon', lyon()],
    ['2a Ajaccio', ['Ajaccio', 'Corse-du-Sud', 'Corse', '', 'FRA']],
    ['Marseille 13', marseille()],
    ['ST DENIS (974)', reunion('Saint-Denis')],
    ['Ajaccio (2a)', ['Ajaccio', 'Corse-du-Sud', 'Corse', '', 'FRA']],
  ])('is found with its department code: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
  });

  it.each([
    ['Paris 11e', paris('75011')],
    ['Paris XIe', paris('75011')],
    ['Paris 11', paris('75011')],
    ['Paris 11e Arrondissement, France', paris('75011')],
    ['Paris, VI', paris('75006')],
    ['Paris 1er', paris('75001')],
    ['Lyon 03', lyon('69003')],
    ['Lyon CEDEX 03', lyon('69003')],
    ['Paris arrondissement', paris()],
    ['Marseille 1er', marseille('13001')],
  ])('gets the postal code of the given arrondissement: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
  });

  it.each([
    ['69 - LYON 03', lyon('69003')],
    ['13 - MARSEILLE 01', marseille('13001')],
    ['69 - LYON 69', lyon()],
    ['974 - ST DENIS', reunion('Saint-Denis')],
    ['75 - Paris (Dept.)', paris()],
    ['69 - Rhône (Dept.)', ['', 'Rhône', 'Auvergne-Rhône-Alpes', '', 'FRA']],
  ])('is found by the label of France Travail: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
  });
});

describe('the name of a commune that has merged', () => {
  const evry = (zipCode = '') => ['Évry-Courcouronnes', 'Essonne', 'Île-de-France', zipCode, 'FRA'];
  const today = (city: string, department: string, region: string, zipCode = '') => [
    ...[city, department, region, zipCode, 'FRA'],
  ];
  it.each([
    ['Évry', evry()],
    ['91000 Évry', evry('91000')],
    ['91 - EVRY', evry()],
    ['Annecy-le-Vieux', today('Annecy', 'Haute-Savoie', 'Auvergne-Rhône-Alpes')],
    ['Cherbourg', today('Cherbourg-en-Cotentin', 'Manche', 'Normandie')],
    ['Hénin-Liétard', today('Hénin-Beaumont', 'Pas-de-Calais', 'Hauts-de-France', '62110')],
    ['Châlons-sur-Marne', today('Châlons-en-Champagne', 'Marne', 'Grand Est', '51000')],
  ])('gives the commune of today: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
  });

  it.each([
    // Évry in the Yonne has 402 inhabitants, Évry in the Essonne had 54 663.
    ['Évry, Yonne', today('Évry', 'Yonne', 'Bourgogne-Franche-Comté', '89140')],
    ['Moulins', today('Moulins', 'Allier', 'Auvergne-Rhône-Alpes', '03000')],
    // The Rhône’s Grigny took another name after 2019, without a merger.
    ['Grigny', today('Grigny', 'Essonne', 'Île-de-France', '91350')],
    ['Rochelle', today('La Rochelle', 'Charente-Maritime', 'Nouvelle-Aquitaine', '17000')],
  ])('does not hide a commune that has the name: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
  });

  it.each([
    // Montlaur has 1 791 inhabitants, the former Montlaur had 545.
    'Montlaur',
    // Nobody counts Rochetaillée in Saint-Étienne, so it cannot have ten times the 151 inhabitants of Rochetaillée in Haute-Marne.
    'Rochetaillée',
    // The former Bagneux in Saumur counts as a fifth of Saumur.
    'Bagneux',
  ])('stays unresolved if neither has ten times the inhabitants of the other: %s', (text) => {
    expect(resolve(text)).toEqual({ location: { ...emptyLocation, city: text }, isResolved: false });
  });
});

describe('a French address with a postal code', () => {
  const street = (addressNbr: string | null, address: string | null, zipCode = '75002') => ({
    ...{ addressNbr, address, city: 'Paris', department: 'Paris', region: 'Île-de-France', zipCode },
    countryCode: 'FRA',
  });
  it.each([
    ['12 rue de la Paix, 75002 Paris, France', street('12', 'rue de la Paix')],
    ['12 BIS, rue de la Paix  75002 Paris', street('12 BIS', 'rue de la Paix')],
    ['12, rue de la Paix, 75002 PARIS CEDEX 02', street('12', 'rue de la Paix')],
    ['12-14 RUE DE LA PAIX, F-75002 Paris, Île-de-France', street('12-14', 'RUE DE LA PAIX')],
    ['rue de la Paix, 75002 Paris', street(null, 'rue de la Paix')],
    ['5 Grande Rue, Paris, 75002', street('5', 'Grande Rue')],
    ['12 rue de la Paix, CS 10217, 75002 Paris', street('12', 'rue de la Paix, CS 10217')],
    ['Acme\n12 rue de la Paix\r\nBât. B\n75002 Paris\nFrance', street('12', 'rue de la Paix, Bât. B')],
    ['Palais Brongniart, 75002 Paris', street(null, null)],
    // "Centre" is also a region of before 2016.
    ['12 rue de la Paix, Centre, 75002 Paris', street('12', 'rue de la Paix, Centre')],
    ['12 rue de la Paix, 75002 Paris, France (Remote)', street('12', 'rue de la Paix')],
  ])('gives the city and the street: %s', (text, location) => {
    expect(resolve(text)).toEqual({ location, isResolved: true });
  });

  it.each([
    ['12 rue de Silly, 92100 Boulogne', '12', 'rue de Silly', 'Boulogne-Billancourt', '92100'],
    ['92100 Boulogne', null, null, 'Boulogne-Billancourt', '92100'],
    ['Ivry, 94200', null, null, 'Ivry-sur-Seine', '94200'],
    ['94170 Perreux', null, null, 'Le Perreux-sur-Marne', '94170'],
    ['94240 Haÿ', null, null, "L'Haÿ-les-Roses", '94240'],
  ])('can shorten the name of a commune of the code: %s', (text, addressNbr, address, city, zipCode) => {
    expect(resolve(text)).toMatchObject({
      location: { addressNbr, address, city, zipCode },
      isResolved: true,
    });
  });

  it.each([
    // Two communes of the code begin so.
    '10700 Torcy',
    '92100 Boul',
    '92200 Boulogne',
    '92100 Boulogne, Rhône',
  ])('stays unresolved if the code has no such commune or several: %s', (text) => {
    expect(resolve(text)).toEqual({ location: { ...emptyLocation, city: text }, isResolved: false });
  });

  it.each([
    ['12 rue de la République, Lyon, France', '12 rue de la République, Lyon', 'FRA'],
    ['12 rue de la République, 69002 Paris, France', '12 rue de la République, 69002 Paris', 'FRA'],
    ['rue de la République, Rhône', 'rue de la République, Rhône', ''],
    ['12 rue de la République', '12 rue de la République', ''],
    ['Lyon, 69100 Villeurbanne', 'Lyon, 69100 Villeurbanne', ''],
  ])('is needed for a street: %s stays unresolved', (text, city, countryCode) => {
    expect(resolve(text)).toEqual({ location: { ...emptyLocation, city, countryCode }, isResolved: false });
  });
});

describe('a territory without inhabitants', () => {
  it('has no postal code', () => {
    const territory = 'Terres australes et antarctiques françaises';
    const islands = 'Îles Saint-Paul et Nouvelle-Amsterdam';
    expect(keysOf(islands)).toEqual([islands, territory, territory, '', 'FRA']);
  });
});

describe('homonyms (Contract 5.7.2)', () => {
  it.each([
    // Villages of these names are in Corrèze, Vendée, Côte-d'Or, Eure, Yonne and Marne.
    ...['Aix', 'Boulogne', 'Ivry', 'Épinay', 'Villefranche', 'Corbeil', 'Villefranche, Occitanie'],
    // With an article, larger communes have these names, or names that begin so.
    ...['Cannet', 'Port', 'Seyne', 'Plessis', 'Vergne'],
  ])('do not resolve if a longer name is that of a larger commune: %s', (text) => {
    expect(resolve(text)).toEqual({ location: { ...emptyLocation, city: text }, isResolved: false });
  });

  it.each([
    ['Aix, Corrèze', 'Aix', 'Corrèze'],
    ['Vergne, Charente-Maritime', 'Vergné', 'Charente-Maritime'],
    ['Le Cannet', 'Le Cannet', 'Alpes-Maritimes'],
    ['Clichy', 'Clichy', 'Hauts-de-Seine'],
    ['Évry', 'Évry-Courcouronnes', 'Essonne'],
  ])(
    'resolve if the department decides, or no longer name is near as large: %s',
    (text, city, department) => {
      expect(resolve(text).location).toMatchObject({ city, department });
    },
  );

  it.each([
    ['Sainte-Marie', 'La Réunion'],
    ['Saint-Martin', 'Saint-Martin'],
  ])('resolve to the largest if it has at least twice the population of the next: %s', (text, department) => {
    expect(resolve(text).location.department).toBe(department);
  });

  it.each(['Saint-Denis', 'Saint Denis', 'La Trinité', 'Sainte-Colombe'])(
    'of similar population do not resolve: %s',
    (text) => {
      expect(resolve(text)).toEqual({ location: { ...emptyLocation, city: text }, isResolved: false });
    },
  );

  it('differ if only their article differs', () => {
    expect(resolve('La Vergne').location.city).toBe('La Vergne');
    expect(resolve('Rochelle').location.city).toBe('La Rochelle');
  });
});

describe('a department or region', () => {
  it.each([
    ['Rhône', ['', 'Rhône', 'Auvergne-Rhône-Alpes', '', 'FRA']],
    ['Auvergne-Rhône-Alpes, Rhône', ['', 'Rhône', 'Auvergne-Rhône-Alpes', '', 'FRA']],
    ['69', ['', 'Rhône', 'Auvergne-Rhône-Alpes', '', 'FRA']],
    ['Bretagne', ['', '', 'Bretagne', '', 'FRA']],
    ['Centre - Val de Loire', ['', '', 'Centre-Val de Loire', '', 'FRA']],
    // Communes in two departments share the first postal code, communes in two regions the second.
    ['01200', ['', '', 'Auvergne-Rhône-Alpes', '01200', 'FRA']],
    ['01410', ['', '', '', '01410', 'FRA']],
    ['la Île-de-France', ['', '', 'Île-de-France', '', 'FRA']],
    // Arrondissement numbers have one or two digits, so 974 is a department.
    ['974 arr', reunion('')],
    ['Guadeloupe, France', ['', 'Guadeloupe', 'Guadeloupe', '', 'FRA']],
    ['French Guiana', ['', 'Guyane', 'Guyane', '', 'FRA']],
    ['01400', ['', 'Ain', 'Auvergne-Rhône-Alpes', '01400', 'FRA']],
    ['Vienne', ['', 'Vienne', 'Nouvelle-Aquitaine', '', 'FRA']],
  ])('resolves without a city: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
    expect(resolve(text).isResolved).toBe(true);
  });

  const occitanie = (city: string, department = '') => [city, department, 'Occitanie', '', 'FRA'];
  it.each([
    ['Toulouse, Midi-Pyrénées, France', occitanie('Toulouse', 'Haute-Garonne')],
    ['Rennes, Brittany, France', ['Rennes', 'Ille-et-Vilaine', 'Bretagne', '', 'FRA']],
    ['Paris, IDF', paris()],
    ['Lyon, Rhône, Rhône-Alpes, France', lyon()],
    ['Tours, Centre, France', ['Tours', 'Indre-et-Loire', 'Centre-Val de Loire', '', 'FRA']],
    ['Midi-Pyrénées', occitanie('')],
    ['Bourgogne, Marne', ['Bourgogne-Fresne', 'Marne', 'Grand Est', '51110', 'FRA']],
    ['Nord - Pas-de-Calais', ['', '', 'Hauts-de-France', '', 'FRA']],
    ['Fictiville, Alsace', ['Fictiville', '', 'Grand Est', '', 'FRA']],
  ])('has its names of before 2016, in English and in short: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
    expect(resolve(text).isResolved).toBe(true);
  });

  it.each([
    ['Saint-Denis, RE', reunion('Saint-Denis')],
    ['Saint-Denis (RE), France', reunion('Saint-Denis')],
    ['Les Abymes, GP', ['Les Abymes', 'Guadeloupe', 'Guadeloupe', '', 'FRA']],
    ['Saint-Denis, Ré', onlyCity('Saint-Denis, Ré')],
    ['Nouméa, NC', onlyCity('Nouméa, NC')],
  ])('has its ISO 3166 codes: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
  });

  it.each([
    [
      'Sophia Antipolis, Alpes-Maritimes',
      ['Sophia Antipolis', 'Alpes-Maritimes', "Provence-Alpes-Côte d'Azur", '', 'FRA'],
    ],
    [
      '06560 Sophia Antipolis, France',
      ['Sophia Antipolis', 'Alpes-Maritimes', "Provence-Alpes-Côte d'Azur", '06560', 'FRA'],
    ],
    ['Fictiville, Rhône, Auvergne-Rhône-Alpes', ['Fictiville', 'Rhône', 'Auvergne-Rhône-Alpes', '', 'FRA']],
    ['Arr, 69', ['Arr', 'Rhône', 'Auvergne-Rhône-Alpes', '', 'FRA']],
    ['69 (Fictiville) Nord', ['Fictiville) Nord', 'Rhône', 'Auvergne-Rhône-Alpes', '', 'FRA']],
    ['Fictiville  Nord, Rhône', ['Fictiville  Nord', 'Rhône', 'Auvergne-Rhône-Alpes', '', 'FRA']],
    ['Fictiville (99), France', onlyCity('Fictiville (99)', 'FRA')],
  ])('is kept with a city that the gazetteer lacks: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
  });
});

describe('a country', () => {
  it.each([
    ['Bruxelles, Belgique', onlyCity('Bruxelles', 'BEL')],
    ['la Belgique', onlyCity('', 'BEL')],
    ['Bruxelles, BE', onlyCity('Bruxelles', 'BEL')],
    ['London, United Kingdom', onlyCity('London', 'GBR')],
    ['Londres, Angleterre', onlyCity('Londres', 'GBR')],
    ['New York, NY, États-Unis', onlyCity('New York, NY', 'USA')],
    ['Genève, Suisse', onlyCity('Genève', 'CHE')],
    ['10117 Berlin, Allemagne', onlyCity('10117 Berlin', 'DEU')],
    ['東京, Japon', onlyCity('東京', 'JPN')],
    ['Vienne, Autriche', onlyCity('Vienne', 'AUT')],
    ['France', onlyCity('', 'FRA')],
    ['France; ', onlyCity('', 'FRA')],
    ['Sainte-Colombe, France', onlyCity('Sainte-Colombe', 'FRA')],
    ['Caracas (VE)', onlyCity('Caracas', 'VEN')],
    ['221B Baker Street, London, UK', onlyCity('221B Baker Street, London', 'GBR')],
  ])('resolves, and any text before it becomes the city: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
    expect(resolve(text).isResolved).toBe(true);
  });
});

describe('the parts after the city', () => {
  it.each([
    ['Toulouse, FR, 31000', ['Toulouse', 'Haute-Garonne', 'Occitanie', '31000', 'FRA']],
    ['Paris (France) 75002', paris('75002')],
    ['Paris, IDF 75002, France', paris('75002')],
    ['Berlin, Germany 10117', onlyCity('Berlin 10117', 'DEU')],
    ['Lyon, 69003, FRA, Auvergne-Rhône-Alpes, Rhône', lyon('69003')],
    ['Saint-Denis, France, 974', reunion('Saint-Denis')],
    ['Paris, France, 11e arrondissement', paris('75011')],
    ['France, Bretagne', ['', '', 'Bretagne', '', 'FRA']],
    ['Sainte-Colombe, France, Bretagne, 75002', onlyCity('Sainte-Colombe, Bretagne, 75002', 'FRA')],
    ['12 rue de la Paix, France, 75002 Paris', paris('75002')],
    ['Berlin, Germany, 10117', onlyCity('Berlin, 10117', 'DEU')],
    ['Suisse, 57', ['Suisse', 'Moselle', 'Grand Est', '57340', 'FRA']],
  ])('come in any order: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
    expect(resolve(text).isResolved).toBe(true);
  });

  it.each(['Bruxelles, Luxembourg, Paris', 'Munich, Germany, Bavaria', 'Belgique, 10000', 'France, Lyon'])(
    'are not a country between two other names: %s',
    (text) => {
      expect(resolve(text)).toEqual({ location: { ...emptyLocation, city: text }, isResolved: false });
    },
  );

  it.each([
    ['Atlanta, Georgia', onlyCity('Atlanta, Georgia')],
    ['Atlanta (Georgia), USA', onlyCity('Atlanta (Georgia)', 'USA')],
    ['Tbilisi, GEO', onlyCity('Tbilisi', 'GEO')],
    ['Georgia', onlyCity('', 'GEO')],
    ['Belfast, Northern Ireland', onlyCity('Belfast', 'GBR')],
  ])('are a country only if its name is no state of the US: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
    expect(resolve(text).isResolved).toBe(keys[4] !== '');
  });
});

describe('a city-state', () => {
  it.each([
    ['Luxembourg', onlyCity('Luxembourg', 'LUX')],
    ['Monaco', onlyCity('Monaco', 'MCO')],
    ['SINGAPOUR', onlyCity('SINGAPOUR', 'SGP')],
    ['98000 Monaco', ['Monaco', '', '', '98000', 'MCO']],
    ['Monaco, Monaco', onlyCity('Monaco', 'MCO')],
    ['Hong Kong', onlyCity('Hong Kong', 'HKG')],
    ['MCO', onlyCity('', 'MCO')],
  ])('is city and country: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
    expect(resolve(text).isResolved).toBe(true);
  });

  it.each(['75006 Luxembourg', 'Monaco, 1er', 'Monaco 98000, 98001'])('is not in France: %s', (text) => {
    expect(resolve(text)).toEqual({ location: { ...emptyLocation, city: text }, isResolved: false });
  });
});

describe('a word about the workplace (Contract 5.7.3)', () => {
  it.each([
    ['Remote, France', onlyCity('', 'FRA')],
    ['France (100% télétravail)', onlyCity('', 'FRA')],
    ['Berlin, Germany (Remote)', onlyCity('Berlin', 'DEU')],
    ['Remote, Berlin, Germany', onlyCity('Berlin', 'DEU')],
    ...[
      ...['Remote', 'Télétravail', 'Telework', 'À distance', 'Travail à distance', 'En distanciel', 'WFH'],
      ...[
        'Home office',
        'HomeOffice',
        'Work from home',
        'Fully remote',
        'Poste 100% télétravail',
        'Job remote',
      ],
      ...['Télétravail complet', 'Télétravail total', 'Télétravail ponctuel', 'Remote work', 'Remote only'],
    ].map((words) => [`Lyon, ${words}`, lyon()] as const),
    ['Lyon (télétravail partiel)', lyon()],
    ['Télétravail, Lyon, France', lyon()],
    ['Télétravail possible, 69003 Lyon', lyon('69003')],
    ['Télétravail partiel à Lyon (69)', lyon()],
    ['Berlin / Remote, Germany', onlyCity('Berlin', 'DEU')],
    ['Paris (Hybride, 3 jours sur site)', paris()],
    ['Lyon, 2 à 3 jours de télétravail par semaine', lyon()],
    ['Lyon 50 % télétravail', lyon()],
    ['Lyon 3 télétravail', lyon('69003')],
    ['69003 Remote', lyon('69003')],
    ['Remote: Paris', paris()],
    ['Lyon ou télétravail', lyon()],
    ['Hybrid - Centre - Val de Loire', ['', '', 'Centre-Val de Loire', '', 'FRA']],
    ...['Remote (FR)', 'Remote, FR', 'Remote FR'].map((text) => [text, onlyCity('', 'FRA')] as const),
  ])('is no city: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
    expect(resolve(text).isResolved).toBe(true);
  });

  it.each([
    ['Télétravail', ''],
    ['Remote', ''],
    ['Fictiville (à distance)', 'Fictiville'],
    ['Remote (Fictiville)', 'Fictiville'],
    ['(Fictiville Ficti)', '(Fictiville Ficti)'],
    // California or Canada.
    ['Remote (CA)', 'CA'],
    ['Remote, Georgia', 'Georgia'],
    ['Remote, Paris, Texas', 'Paris, Texas'],
  ])('leaves the place unresolved without a place or country: %s', (text, city) => {
    expect(resolve(text)).toEqual({ location: { ...emptyLocation, city }, isResolved: false });
  });
});

describe('a name of our own references for remote work', () => {
  const names = readFileSync(new URL('../../../schema/examples/demo.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type?: string; name: Record<string, string> })
    .filter(({ type }) => type === 'remote')
    .flatMap(({ name }) => Object.values(name));

  it.each(names)('is no place: %s', (name) => {
    expect(resolve(name)).toEqual({ location: emptyLocation, isResolved: false });
    expect(keysOf(`${name} - Lyon`)).toEqual(lyon());
    expect(keysOf(`Lyon (${name})`)).toEqual(lyon());
  });
});

describe('a group of countries (Contract 5.7.3)', () => {
  it.each([
    'EU',
    'eu',
    'Remote (EU)',
    'EU (Remote)',
    'Remote in the EU only',
    'Europe',
    'EMEA',
    'Union européenne',
  ])('is no place, not even the town of Eu: %s', (text) => {
    expect(resolve(text)).toEqual({ location: emptyLocation, isResolved: false });
  });

  it.each([
    ['Remote (EU), France', onlyCity('', 'FRA')],
    ['Lyon, EMEA', lyon()],
    ...['Eu', 'Eu, France', 'EU (76)', '76 - EU', '76260 EU', 'EU, Seine-Maritime'].map(
      (text) => [text, ['Eu', 'Seine-Maritime', 'Normandie', '76260', 'FRA']] as const,
    ),
  ])('beside a place leaves the place, and its code makes EU the town: %s', (text, keys) => {
    expect(keysOf(text)).toEqual(keys);
  });
});

describe('a text that cannot be resolved (Contract 5.7.2)', () => {
  it.each([
    ...['12 rue de la République, Lyon', '12 rue de Rivoli, Paris', 'Paris, Texas'],
    ...['Paris / Lyon', 'San Francisco, CA', 'Lyon, Bretagne', 'Marseille 17e', 'Bordeaux 3e'],
    ...['69100 Lyon', '75011 Paris 12e', 'Lyon, Isère', 'Vienne 1er', '1er, 69001'],
    ...['69001 1er arrondissement', 'Crozet, Rhône', 'Bretagne (99)', 'CEDEX', 'CEDEX 69'],
    ...['69003 Lyon CEDEX 03 Nord', '69 (arr)', '69 - LYON 12', '69 - PARIS 03', 'Dept.', '69, 75'],
    ...['Paris 11e, 12e', 'Paris x11e', 'Paris 11ex', 'Paris carr', 'Paris arrx', 'USA 1er', 'FR'],
    ...['Paris 111', 'Ajaccio, 69999', 'Fictiville, Bretagne, Rhône', 'Fictiville, 35000, Rhône'],
    ...['Fictiville, 99999, Bretagne', 'Fictiville, 1er, Rhône', '20121 Milano', '99999', 'Zone 51'],
    ...['Lyon, Lyon', 'Kinshasa, Congo', '---'],
  ])('becomes the city as a whole: %s', (text) => {
    expect(resolve(` ${text} `)).toEqual({ location: { ...emptyLocation, city: text }, isResolved: false });
  });

  it('is never the empty text', () => {
    expect(resolve('')).toEqual({ location: emptyLocation, isResolved: true });
  });
});
