import { expect, it } from '@jest/globals';
import { languages } from '../../src/errors/catalogue.js';
import { preferredLanguage } from '../../src/permissions/request-context.js';

it.each([
  ...[undefined, '', '*', 'de', 'en', 'en-GB', 'en, fr', 'fr;q=0', 'fr;q=0.5, en', 'fr;q=x'],
  ...['french', 'frx-FR', 'frx_FR', ';;;', 'de, en;q=0.1', 'fr;q=.8, en'],
])('Accept-Language %p prefers English (Contract 7.2.4)', (header) => {
  expect(preferredLanguage(header)).toBe('en');
});

it.each([
  ...['fr', 'FR', 'fr-FR', 'fr_FR', 'FR_fr;q=0.9, en;q=0.8', 'fr-CA, en;q=0.8', 'en;q=0.7,fr;q=0.9'],
  ...['de, fr;q=0.1', ' fr ; q=0.3 ', 'en;q=0, fr;q=0.001'],
  ...[
    'fr, en',
    'fr-FR, en-GB',
    'fr;q=0.5,en;q=0.5',
    'fr-FR,fr;q=0.9,en-US;q=0.8,en;q=0.7',
    'fr;q=1.000',
    `${'de,'.repeat(200)}fr`,
  ],
])('Accept-Language %p prefers French (Contract 7.2.4)', (header) => {
  expect(preferredLanguage(header)).toBe('fr');
});

it.each(languages)(
  'Accept-Language prefers %s when it has the highest weight (Contract 7.2.4)',
  (language) => {
    expect(preferredLanguage(`en;q=0.5, fr;q=0.5, ${language}`)).toBe(language);
  },
);
