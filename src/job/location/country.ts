import { createRequire } from 'node:module';
import countries, { type LocaleData } from 'i18n-iso-countries/index.js';
import { type Language, languages } from '../../errors/catalogue.js';
import { foldName, withoutArticle } from './fold-name.rules.js';

// The package's main file registers 79 languages, which costs 20 ms and 2 MB.
const require = createRequire(import.meta.url);
for (const language of languages)
  countries.registerLocale(require(`i18n-iso-countries/langs/${language}.json`) as LocaleData);
const namesByCode = languages.map((language) => countries.getNames(language, { select: 'all' }));

/** Common country names that the package lacks. */
const NAMES_IN_DAILY_USE: Readonly<Record<string, readonly string[]>> = {
  BIH: ['Bosnie', 'Bosnia'],
  COD: ['RDC', 'RD Congo', 'Congo-Kinshasa'],
  COG: ['Congo-Brazzaville'],
  CZE: ['Tchéquie'],
  GBR: [
    ...['Grande-Bretagne', 'Angleterre', 'England', 'Écosse', 'Scotland', 'Pays de Galles', 'Wales'],
    ...['Irlande du Nord', 'Northern Ireland'],
  ],
  MDA: ['Moldova'],
  MMR: ['Birmanie', 'Burma'],
  NLD: ['Hollande', 'Holland'],
  SWZ: ['Swaziland'],
  SYR: ['Syria'],
  USA: ['États-Unis'],
  VAT: ['Vatican'],
  VNM: ['Viêt Nam'],
};

/** ISO 3166 code of a French territory → French code of the same department or territory. */
export const FRENCH_TERRITORIES: ReadonlyMap<string, string> = new Map([
  ['GLP', '971'],
  ['MTQ', '972'],
  ['GUF', '973'],
  ['REU', '974'],
  ['SPM', '975'],
  ['MYT', '976'],
  ['BLM', '977'],
  ['MAF', '978'],
  ['ATF', '984'],
  ['WLF', '986'],
  ['PYF', '987'],
  ['NCL', '988'],
]);

/** Alpha-2 codes that, after a city, often mean a US state, a Canadian province or, for VI, an arrondissement. */
const OTHER_MEANINGS = new Set(
  'AL AR AZ CA CO DE GA ID IL IN KY LA MA MD ME MN MO MS MT NC NE NL NU PA PE SC SD SK TN VA VI YT'.split(
    ' ',
  ),
);

/** The alpha-3 code, and the alpha-2 code if it can only mean a country. */
export function codesOfCountry(alpha3: string): string[] {
  const alpha2 = countries.alpha3ToAlpha2(alpha3) ?? '';
  return OTHER_MEANINGS.has(alpha2) ? [alpha3] : [alpha3, alpha2];
}

export function namesOfCountry(alpha3: string): string[] {
  const alpha2 = countries.alpha3ToAlpha2(alpha3) ?? '';
  return namesByCode.flatMap((names) => names[alpha2] ?? []).concat(NAMES_IN_DAILY_USE[alpha3] ?? []);
}

/**
 * Alpha-3 codes by folded English and French name, except names that two countries share, and by each code of `codesOfCountry`. Excludes
 * French territories.
 */
export function countryCodes(): Record<'byName' | 'byCode', Map<string, string>> {
  const byName = new Map<string, string>();
  const byCode = new Map<string, string>();
  const shared = new Set<string>();
  for (const alpha3 of Object.keys(countries.getAlpha3Codes())) {
    if (FRENCH_TERRITORIES.has(alpha3)) continue;
    for (const code of codesOfCountry(alpha3)) byCode.set(code, alpha3);
    for (const name of namesOfCountry(alpha3)) {
      const key = withoutArticle(foldName(name));
      if ((byName.get(key) ?? alpha3) !== alpha3) shared.add(key);
      byName.set(key, alpha3);
    }
  }
  for (const key of shared) byName.delete(key);
  return { byName, byCode };
}

/** User-assigned alpha-3 codes, such as XKK for Kosovo, which the package uses. */
const userAssigned = /^(?:AAA|Q[M-Z].|X..|ZZZ)$/;

/** The official ISO 3166-1 alpha-3 code; "" for a country without one, such as Kosovo. */
export const isoCode = (alpha3: string): string => (userAssigned.test(alpha3) ? '' : alpha3);

export const alpha2Of = (alpha3: string): string | null => countries.alpha3ToAlpha2(isoCode(alpha3)) ?? null;

export const countryName = (alpha3: string, language: Language): string =>
  countries.getName(alpha3, language) ?? '';
