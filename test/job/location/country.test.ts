import { describe, expect, it } from '@jest/globals';
import { languages } from '../../../src/errors/catalogue.js';
import { countryCodes, countryName, isoCode } from '../../../src/job/location/country.js';
import { foldName, withoutArticle } from '../../../src/job/location/fold-name.rules.js';

describe('the name of a country (Contract 2.3.4)', () => {
  it.each([
    ['FRA', 'en', 'France'],
    ['BEL', 'en', 'Belgium'],
    ['BEL', 'fr', 'Belgique'],
    ['GBR', 'fr', 'Royaume-Uni'],
    ['', 'en', ''],
    ['XXX', 'fr', ''],
    ['toString', 'fr', ''],
  ] as const)('of %j in %s is %j', (alpha3, language, name) => {
    expect(countryName(alpha3, language)).toBe(name);
  });

  it('resolves to its country in both languages', () => {
    const { byName, byCode } = countryCodes();
    for (const alpha3 of new Set(byCode.values())) {
      for (const language of languages) {
        expect([alpha3, resolvedFrom(byName, countryName(alpha3, language))]).toEqual([alpha3, alpha3]);
      }
    }
  });
});

it.each([
  ['FRA', 'FRA'],
  ['QAT', 'QAT'],
  ['', ''],
  ['XKK', ''],
  ['AAA', ''],
  ['QMA', ''],
  ['QZZ', ''],
  ['ZZZ', ''],
])('the country %j has the ISO 3166-1 code %j (Contract 5.7.4)', (alpha3, code) => {
  expect(isoCode(alpha3)).toBe(code);
});

function resolvedFrom(names: Map<string, string>, name: string): string | undefined {
  return names.get(withoutArticle(foldName(name)));
}
