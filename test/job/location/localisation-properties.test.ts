import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldName } from '../../../src/job/location/fold-name.rules.js';
import { loadGazetteer } from '../../../src/job/location/gazetteer.js';
import { resolveLocalisation } from '../../../src/job/location/resolve-localisation.rules.js';
import { leastCpuMsOf } from '../../support/prompt.js';
import { sample } from '../../support/sample.js';

const gazetteer = loadGazetteer();

const words =
  'Lyon|Paris|11e|XI|IE|12|rue|Évry|Saint-Denis|Rhône|69|69003|75011|2A|La Réunion|France|Belgique|USA|CEDEX|arr.|St|Bretagne|Zürich|PACA|RE|FR|Georgia|Monaco|98000|Remote|東京|Hybrid|EU|2 jours|(|)|,| - |;|\n|’|🏝'.split(
    '|',
  );
const namesNoPlace = /remote|hybrid|eu/i;
const localisation = fc.oneof(
  fc.string({ maxLength: 255, unit: 'grapheme' }),
  fc.string({ maxLength: 255, unit: 'binary' }),
  fc.array(fc.constantFrom(...words, ' '), { maxLength: 20 }).map((chosen) => chosen.join('')),
  fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((chosen) => chosen.join(' ')),
);

describe('any text', () => {
  it('resolves to strings, and counts as resolved only if it is blank or gets a country', () => {
    fc.assert(
      fc.property(localisation, (text) => {
        const { location, isResolved } = resolveLocalisation(text, gazetteer);
        const { addressNbr, address, ...texts } = location;
        // Words about the workplace are left out, also from the middle of an address.
        const isSaid = (part: string) =>
          namesNoPlace.test(text)
            ? new RegExp(part.replaceAll(' ', ' (?:.* )?')).test(foldName(text))
            : foldName(text).includes(part);
        expect([addressNbr, address].every((part) => part === null || isSaid(foldName(part)))).toBe(true);
        expect(Object.values(texts).every((value) => typeof value === 'string')).toBe(true);
        if (isResolved) expect(location.countryCode !== '' || text.trim() === '').toBe(true);
      }),
      sample(2_000),
    );
  });

  it('becomes the city as a whole if it does not resolve and says nothing about the workplace', () => {
    fc.assert(
      fc.property(localisation, (text) => {
        const { location, isResolved } = resolveLocalisation(text, gazetteer);
        if (!isResolved && location.countryCode === '' && !namesNoPlace.test(text))
          expect(location.city).toBe(text.trim());
      }),
      sample(2_000),
    );
  });

  it('becomes the city as a whole before a foreign country', () => {
    fc.assert(
      fc.property(localisation, (text) => {
        fc.pre(!namesNoPlace.test(text));
        const { location } = resolveLocalisation(`Hors de ${text}x, Belgique`, gazetteer);
        expect(location.city).toBe(`Hors de ${text}x`);
        expect(location.countryCode).toBe('BEL');
      }),
      sample(1_000),
    );
  });

  it('resolves the same with a word for remote work behind it', () => {
    fc.assert(
      fc.property(localisation, (text) => {
        const place = `Lieu ${text}x`;
        expect(resolveLocalisation(`${place}, télétravail`, gazetteer)).toEqual(
          resolveLocalisation(place, gazetteer),
        );
      }),
      sample(1_000),
    );
  });

  it('resolves the same with its parts after the city in any order', () => {
    const parts = ['69003', 'Rhône', 'Rhône-Alpes', 'Auvergne-Rhône-Alpes', 'France', 'Remote'];
    fc.assert(
      fc.property(
        fc.shuffledSubarray(parts, { minLength: 1 }),
        fc.constantFrom('Lyon', 'Fictiville'),
        (shuffled, city) => {
          const inOrder = parts.filter((part) => shuffled.includes(part));
          const [{ location, isResolved }, expected] = [shuffled, inOrder].map((after) =>
            resolveLocalisation([city, ...after].join(', '), gazetteer),
          ) as [ReturnType<typeof resolveLocalisation>, ReturnType<typeof resolveLocalisation>];
          expect(isResolved).toBe(expected.isResolved);
          if (city === 'Lyon') expect(location).toEqual(expected.location);
        },
      ),
      sample(1_000),
    );
  });
});

describe('a text of 255 code points', () => {
  it.each([
    ...['(', '()', 'a (', ' - ', 'a - ', ', ', 'Lyon, ', 'Rhône, ', '69003 ', 'x', '1', ' ', 'e\u0301'],
    ...['Remote, ', '(Remote) ', 'Remote ', '100 ', 'France, ', 'Saint-Jean, ', '), ', 'Lieu (Remote), '],
    ...[
      '𝓁',
      'St ',
      'cedex 1 ',
      'F-F-',
      '12 rue 69003 ',
      '1 a ',
      '1, rue\n',
      '12 - ',
      'xi',
      '2 à 3 jours ',
      'Remote EU ',
    ],
  ])('resolves in linear time if it repeats %j', async (unit) => {
    const msOf = async (length: number): Promise<number> => {
      const text = [...`y${unit.repeat(length)}`].slice(0, length - 1).join('') + 'z';
      return leastCpuMsOf(() => {
        for (let run = 0; run < 20; run += 1) resolveLocalisation(text, gazetteer);
      });
    };
    // Five times the text takes a quadratic algorithm 25 times as long. The first texts are too short to measure.
    expect(await msOf(255)).toBeLessThan(12 * (await msOf(51)) + 20);
  });
});
