import { emptyLocation } from '../../../src/job/location/location.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import { astral, invalid, jobCase, type ParityCase } from './parity-case.js';
import { fieldsOfKind, firstOfKind } from './table-fields.js';

const jobName = 'Backend Engineer';

const names: ParityCase[] = [
  jobCase('a different name is not stored and gives a warning (Contract 4.2.5)', {
    fields: { name: 'Frontend Engineer' },
    warnings: ['name: name-immutable'],
  }),
  jobCase('sending the stored name gives no warning (Contract 4.2.5)', {
    fields: { name: jobName },
  }),
  jobCase('sending the stored name with spaces around it gives no warning (Contract 4.2.5)', {
    fields: { name: ` ${jobName}\n` },
  }),
  jobCase('an empty name is not an error (Contract 4.2.5)', {
    fields: { name: '' },
    warnings: ['name: name-immutable'],
  }),
  jobCase('a name of any length is not an error (Contract 4.2.5)', {
    fields: { name: astral(500) },
    warnings: ['name: name-immutable'],
  }),
  jobCase('a name of null gives neither error nor warning (Contract 4.2.5)', { fields: { name: null } }),
  jobCase('over REST, a number as the name is not an error (Contract 4.2.5)', {
    fields: { name: 5 },
    warnings: ['name: name-immutable'],
    isRefusedByTypes: true,
  }),
  jobCase('a different name does not prevent other changes (Contract 4.2.5)', {
    fields: { name: 'Other', salary: '50 000 €' },
    stored: { salary: '50 000 €' },
    warnings: ['name: name-immutable'],
  }),
  jobCase('a different name gives no warning if another field has a fault (Contract 4.2.5, 7.3.1)', {
    fields: { name: 'Other', contract_id: 'nothing' },
    ...invalid('contract_id-not-found'),
  }),
];

/** Texts that are only trimmed. */
const plainTexts = fieldsOfKind(jobFields, 'freeText').filter(({ store }) => !store);
const plain: ParityCase[] = plainTexts.flatMap(({ field, path, maximum }) => [
  jobCase(`${field}: a text is stored trimmed (Contract 4.2.2, 4.3.3.4)`, {
    fields: { [field]: ' 60 000 € ' },
    stored: { [path]: '60 000 €' },
  }),
  jobCase(`${field}: an empty text clears the field (Contract 4.3.3.3)`, {
    fields: { [field]: '' },
    stored: { [path]: null },
  }),
  jobCase(`${field}: a text of whitespace clears the field (Contract 4.3.3.4)`, {
    fields: { [field]: ' \t\n\u00a0' },
    stored: { [path]: null },
  }),
  jobCase(`${field}: a text of invisible characters clears the field (Contract 4.3.3.4)`, {
    fields: { [field]: '\u200b\u2800 \u00ad' },
    stored: { [path]: null },
  }),
  jobCase(`${field}: ${maximum} code points of two UTF-16 units are allowed (Contract 7.4, 8.5)`, {
    fields: { [field]: astral(maximum) },
    stored: { [path]: astral(maximum) },
  }),
  jobCase(`${field}: one code point above the maximum is too long (Contract 8.5)`, {
    fields: { [field]: astral(maximum + 1) },
    ...invalid(`${field}-too-long`),
  }),
  jobCase(`${field}: surrounding spaces do not count towards the length (Contract 7.4)`, {
    fields: { [field]: ` ${'9'.repeat(maximum)} ` },
    stored: { [path]: '9'.repeat(maximum) },
  }),
  jobCase(`${field}: a value that is not a text is a fault (Contract 4.3.2, 7.3.2)`, {
    fields: { [field]: 48_000 },
    ...invalid(`${field}-must-be-string`),
    isRefusedByTypes: true,
  }),
  jobCase(`${field}: a list of two texts is a fault (Contract 4.3.2)`, {
    fields: { [field]: ['1', '2'] },
    ...invalid(`${field}-must-be-string`),
    isRefusedByTypes: true,
  }),
  ...['\0', '\v', '\f', '\u0092'].map((character) =>
    jobCase(`${field}: a text with ${JSON.stringify(character)} is a fault (Contract 4.3.3.5)`, {
      fields: { [field]: `a${character}b` },
      ...invalid(`${field}-format-error`),
    }),
  ),
  jobCase(`${field}: a text with a lone surrogate is a fault (Contract 7.3.2)`, {
    fields: { [field]: 'a\ud800b' },
    apis: ['json', 'graphql'],
    ...invalid(`${field}-format-error`),
  }),
]);

const media: ParityCase[] = [
  jobCase('a public id with spaces around it finds its media (Contract 4.3.3.4)', {
    fields: { media_public_id: ' demo-media ', salary: '1k' },
    stored: { salary: '1k' },
  }),
];

const lyon = {
  ...emptyLocation,
  city: 'Lyon',
  department: 'Rhône',
  region: 'Auvergne-Rhône-Alpes',
  countryCode: 'FRA',
};
const localisations: ParityCase[] = [
  jobCase('a place is resolved to its location (Contract 4.2.7.1)', {
    fields: { localisation: 'Lyon, Rhône, France' },
    stored: { localisation: 'Lyon, Rhône, France', location: lyon },
  }),
  jobCase('an address with a postal code is resolved to its street and city (Contract 4.2.7.6)', {
    fields: { localisation: '12 rue de la République, 69002 Lyon, France' },
    stored: {
      localisation: '12 rue de la République, 69002 Lyon, France',
      location: { ...lyon, addressNbr: '12', address: 'rue de la République', zipCode: '69002' },
    },
  }),
  jobCase(
    'a French street without a postal code stays as it is, with a warning (Contract 4.2.7.3, 4.2.7.6)',
    {
      fields: { localisation: '12 rue de la République, Lyon, France' },
      stored: {
        localisation: '12 rue de la République, Lyon, France',
        location: { ...emptyLocation, city: '12 rue de la République, Lyon', countryCode: 'FRA' },
      },
      warnings: ['localisation: location-unresolved'],
    },
  ),
  jobCase('a place abroad is resolved to city and country only (Contract 4.2.7.3)', {
    fields: { localisation: 'Bruxelles, Belgique' },
    stored: {
      localisation: 'Bruxelles, Belgique',
      location: { ...emptyLocation, city: 'Bruxelles', countryCode: 'BEL' },
    },
  }),
  jobCase('an unresolvable place is stored as the city, with a warning (Contract 4.2.7.3)', {
    fields: { localisation: 'Chez nos clients' },
    stored: { localisation: 'Chez nos clients', location: { ...emptyLocation, city: 'Chez nos clients' } },
    warnings: ['localisation: location-unresolved'],
  }),
  jobCase('sending the stored place keeps the location, address included (Contract 4.2.8)', {
    fields: { localisation: '12 Rue de la République, 69002 Lyon' },
  }),
  jobCase('sending an unresolvable stored place keeps the location set by an operator (Contract 4.2.8)', {
    before: {
      localisation: 'Chez nos clients',
      location: { ...emptyLocation, city: 'Chez nos clients', address: 'Tour Ouest' },
    },
    fields: { localisation: 'Chez nos clients' },
    warnings: ['localisation: location-unresolved'],
  }),
  jobCase('sending a stored place that was not resolved resolves it (Contract 4.2.7.1)', {
    before: { localisation: 'Lyon, Rhône, France', location: { ...emptyLocation, city: 'Lyon' } },
    fields: { localisation: 'Lyon, Rhône, France' },
    stored: { location: lyon },
  }),
  ...['', '   ', '\u200b', null].map((localisation) =>
    jobCase(
      `a place of ${JSON.stringify(localisation)} clears the location (Contract 4.3.3.2, 4.3.3.3, 4.3.3.4)`,
      {
        fields: { localisation },
        stored: { localisation: null, location: emptyLocation },
      },
    ),
  ),
  jobCase('a place has at most 255 code points (Contract 8.5)', {
    fields: { localisation: astral(255) },
    stored: { localisation: astral(255), location: { ...emptyLocation, city: astral(255) } },
    warnings: ['localisation: location-unresolved'],
  }),
  jobCase('a place of 256 code points is too long (Contract 8.5)', {
    fields: { localisation: astral(256) },
    ...invalid('localisation-too-long'),
  }),
  jobCase('a place that is not a text is a fault (Contract 4.3.2, 7.3.2)', {
    fields: { localisation: { city: 'Lyon' } },
    ...invalid('localisation-must-be-string'),
    isRefusedByTypes: true,
  }),
];

const paragraph = (text: string) => `<p>${text}</p>`;
const mostWrapped = 20_000 - paragraph('').length;

const descriptions: ParityCase[] = firstOfKind(jobFields, 'html').flatMap(({ field, path }) => {
  return [
    jobCase(`${field}: plain text is wrapped in a paragraph and escaped (Contract 4.2.6.2, 4.2.6.3)`, {
      fields: { [field]: ' Hello & welcome ' },
      stored: { [path]: '<p>Hello &amp; welcome</p>' },
      warnings: [`${field}: text-escaped`],
    }),
    jobCase(`${field}: allowed HTML stays, and removed HTML gives a warning (Contract 4.2.6.1, 4.2.6.2)`, {
      fields: {
        [field]: '<h2>Us</h2><p onclick="x()">We <a href="https://a.example">are</a><script>x()</script></p>',
      },
      stored: {
        [path]: '<h2>Us</h2><p>We <a href="https://a.example" rel="nofollow noopener">are</a></p>',
      },
      warnings: [`${field}: html-cleaned`],
    }),
    jobCase(`${field}: a text that cleaning empties clears the field (Contract 4.2.6.2)`, {
      before: { [path]: '<p>Before</p>' },
      fields: { [field]: '<script>alert(1)</script>' },
      stored: { [path]: null },
      warnings: [`${field}: html-cleaned`],
    }),
    jobCase(`${field}: a CDATA section is its content (Contract 4.2.6.10)`, {
      before: { [path]: '<p>Before</p>' },
      fields: { [field]: '<![CDATA[<p>Texte</p>]]>' },
      stored: { [path]: '<p>Texte</p>' },
    }),
    jobCase(`${field}: in a text without tags, an & is no reference unless a ; ends it (Contract 4.2.6.11)`, {
      fields: { [field]: 'Voir https://jobs.example/?id=1&section=2' },
      stored: { [path]: '<p>Voir https://jobs.example/?id=1&amp;section=2</p>' },
      warnings: [`${field}: text-escaped`],
    }),
    jobCase(`${field}: inline tags leave the line ends of the text (Contract 4.2.6.12)`, {
      fields: { [field]: 'un\n- <b>deux</b>' },
      stored: { [path]: 'un<br />- <b>deux</b>' },
    }),
    ...['', ' \n ', '\u2060', '&zwnj;', null].map((text) =>
      jobCase(`${field}: ${JSON.stringify(text)} clears the field (Contract 4.3.3.2, 4.3.3.3, 4.3.3.4)`, {
        before: { [path]: '<p>Before</p>' },
        fields: { [field]: text },
        stored: { [path]: null },
      }),
    ),
    jobCase(`${field}: 20 000 code points after cleaning are allowed (Contract 8.5)`, {
      fields: { [field]: astral(mostWrapped) },
      stored: { [path]: paragraph(astral(mostWrapped)) },
    }),
    jobCase(`${field}: 20 001 code points after cleaning are too long (Contract 8.5)`, {
      fields: { [field]: astral(mostWrapped + 1) },
      ...invalid(`${field}-too-long`),
    }),
    jobCase(`${field}: removed HTML does not count towards the length (Contract 7.4)`, {
      fields: { [field]: `<script>${'x'.repeat(20_000)}</script><p>Kept</p>` },
      stored: { [path]: '<p>Kept</p>' },
      warnings: [`${field}: html-cleaned`],
    }),
    jobCase(`${field}: sending the stored text changes nothing (Contract 4.2.6.4, 4.2.8, 9.1.2)`, {
      before: { [path]: '<p>Before</p>' },
      fields: { [field]: '<p>Before</p>' },
    }),
    jobCase(`${field}: a value that is not a text is a fault (Contract 4.3.2, 7.3.2)`, {
      fields: { [field]: true },
      ...invalid(`${field}-must-be-string`),
      isRefusedByTypes: true,
    }),
  ];
});

const bulk: ParityCase[] = firstOfKind(jobFields, 'html').flatMap(({ field, path, maximum }) => {
  const comment = (length: number) => `<p>Kept</p><!--${'x'.repeat(length - '<p>Kept</p><!---->'.length)}-->`;
  return [
    jobCase(`${field}: 100 000 code points before cleaning are allowed (Contract 4.2.6.5)`, {
      fields: { [field]: comment(5 * maximum) },
      stored: { [path]: '<p>Kept</p>' },
      warnings: [`${field}: html-cleaned`],
    }),
    jobCase(`${field}: 100 001 code points before cleaning are too long (Contract 4.2.6.5)`, {
      fields: { [field]: comment(5 * maximum + 1) },
      ...invalid(`${field}-too-long`),
    }),
    jobCase(`${field}: tags may nest 100 levels deep (Contract 4.2.6.5)`, {
      fields: { [field]: `${'<b>'.repeat(100)}x` },
      stored: { [path]: `${'<b>'.repeat(100)}x${'</b>'.repeat(100)}` },
    }),
    jobCase(`${field}: tags nested 101 levels deep are refused (Contract 4.2.6.5)`, {
      fields: { [field]: `${'<b>'.repeat(101)}x` },
      ...invalid(`${field}-too-long`),
    }),
  ];
});

export const jobTexts: readonly ParityCase[] = [
  ...names,
  ...plain,
  ...localisations,
  ...descriptions,
  ...bulk,
  ...media,
];
