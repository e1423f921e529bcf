import { emptyLocation } from '../../../src/job/location/location.js';
import { jobFields } from '../../../src/job/job-fields.rules.js';
import { astral, invalid, jobCase, type ParityCase } from './parity-case.js';
import { fieldsOfKind, firstOfKind } from './table-fields.js';

const jobName = 'Backend Engineer';

const names: ParityCase[] = [
  jobCase('a different name is not stored and gives a warning (Contract 5.4.3)', {
    fields: { name: 'Frontend Engineer' },
    warnings: ['name: name-immutable'],
  }),
  jobCase('sending the stored name gives no warning (Contract 5.4.3)', {
    fields: { name: jobName },
  }),
  jobCase('sending the stored name with spaces around it gives no warning (Contract 5.4.3)', {
    fields: { name: ` ${jobName}\n` },
  }),
  jobCase('an empty name is not an error (Contract 5.4.3)', {
    fields: { name: '' },
    warnings: ['name: name-immutable'],
  }),
  jobCase('a name of any length is not an error (Contract 5.4.3)', {
    fields: { name: astral(500) },
    warnings: ['name: name-immutable'],
  }),
  jobCase('a name of null gives neither error nor warning (Contract 5.4.3)', { fields: { name: null } }),
  jobCase('over REST, a number as the name is not an error (Contract 5.4.3)', {
    fields: { name: 5 },
    warnings: ['name: name-immutable'],
    isRefusedByTypes: true,
  }),
  jobCase('a different name does not prevent other changes (Contract 5.4.3)', {
    fields: { name: 'Other', salary: '50 000 €' },
    stored: { salary: '50 000 €' },
    warnings: ['name: name-immutable'],
  }),
  jobCase('a different name gives no warning if another field has a fault (Contract 5.4.3, 7.4.1)', {
    fields: { name: 'Other', contract_id: 'nothing' },
    ...invalid('contract_id-not-found'),
  }),
];

/** Texts that are only trimmed. */
const plainTexts = fieldsOfKind(jobFields, 'freeText').filter(({ store }) => !store);
const plain: ParityCase[] = plainTexts.flatMap(({ field, path, maximum }) => [
  jobCase(`${field}: a text is stored trimmed (Contract 5.1.8, 5.4.2)`, {
    fields: { [field]: ' 60 000 € ' },
    stored: { [path]: '60 000 €' },
  }),
  jobCase(`${field}: an empty text clears the field (Contract 5.1.7)`, {
    fields: { [field]: '' },
    stored: { [path]: null },
  }),
  jobCase(`${field}: a text of invisible characters clears the field (Contract 5.1.7)`, {
    fields: { [field]: '\u200b\u2800 \u00ad' },
    stored: { [path]: null },
  }),
  jobCase(`${field}: ${maximum} code points of two UTF-16 units are allowed (Contract 5.1.8, 5.4.2)`, {
    fields: { [field]: astral(maximum) },
    stored: { [path]: astral(maximum) },
  }),
  jobCase(`${field}: surrounding spaces do not count towards the length (Contract 5.1.8)`, {
    fields: { [field]: ` ${'9'.repeat(maximum)} ` },
    stored: { [path]: '9'.repeat(maximum) },
  }),
]);

const media: ParityCase[] = [
  jobCase('a public id with spaces around it finds its media (Contract 5.1.8)', {
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
  jobCase('a place is resolved to its location (Contract 5.7.1)', {
    fields: { localisation: 'Lyon, Rhône, France' },
    stored: { localisation: 'Lyon, Rhône, France', location: lyon },
  }),
  jobCase('an unresolvable place is stored as the city, with a warning (Contract 5.7.2)', {
    fields: { localisation: 'Chez nos clients' },
    stored: { localisation: 'Chez nos clients', location: { ...emptyLocation, city: 'Chez nos clients' } },
    warnings: ['localisation: location-unresolved'],
  }),
  jobCase('sending the stored place keeps the location, address included (Contract 5.1.11)', {
    fields: { localisation: '12 Rue de la République, 69002 Lyon' },
  }),
  jobCase('sending an unresolvable stored place keeps the location set by an operator (Contract 5.1.11)', {
    before: {
      localisation: 'Chez nos clients',
      location: { ...emptyLocation, city: 'Chez nos clients', address: 'Tour Ouest' },
    },
    fields: { localisation: 'Chez nos clients' },
    warnings: ['localisation: location-unresolved'],
  }),
  jobCase('sending a stored place that was not resolved resolves it (Contract 5.7.1)', {
    before: { localisation: 'Lyon, Rhône, France', location: { ...emptyLocation, city: 'Lyon' } },
    fields: { localisation: 'Lyon, Rhône, France' },
    stored: { location: lyon },
  }),
  ...['', '   ', '\u200b', null].map((localisation) =>
    jobCase(`a place of ${JSON.stringify(localisation)} clears the location (Contract 5.1.6, 5.1.7)`, {
      fields: { localisation },
      stored: { localisation: null, location: emptyLocation },
    }),
  ),
  jobCase('a place has at most 255 code points (Contract 5.4.2)', {
    fields: { localisation: astral(255) },
    stored: { localisation: astral(255), location: { ...emptyLocation, city: astral(255) } },
    warnings: ['localisation: location-unresolved'],
  }),
];

const paragraph = (text: string) => `<p>${text}</p>`;
const mostWrapped = 20_000 - paragraph('').length;

const descriptions: ParityCase[] = firstOfKind(jobFields, 'html').flatMap(({ field, path }) => {
  return [
    jobCase(`${field}: plain text is wrapped in a paragraph and escaped (Contract 5.6.1, 5.6.4)`, {
      fields: { [field]: ' Hello & welcome ' },
      stored: { [path]: '<p>Hello &amp; welcome</p>' },
      warnings: [`${field}: text-escaped`],
    }),
    jobCase(`${field}: allowed HTML stays, and removed HTML gives a warning (Contract 5.6.1, 5.6.4)`, {
      fields: {
        [field]: '<h2>Us</h2><p onclick="x()">We <a href="https://a.example">are</a><script>x()</script></p>',
      },
      stored: {
        [path]: '<h2>Us</h2><p>We <a href="https://a.example" rel="nofollow noopener">are</a></p>',
      },
      warnings: [`${field}: html-cleaned`],
    }),
    jobCase(`${field}: a text that cleaning empties clears the field (Contract 5.6.4)`, {
      before: { [path]: '<p>Before</p>' },
      fields: { [field]: '<script>alert(1)</script>' },
      stored: { [path]: null },
      warnings: [`${field}: html-cleaned`],
    }),
    ...['', ' \n ', '\u2060', '&zwnj;', null].map((text) =>
      jobCase(`${field}: ${JSON.stringify(text)} clears the field (Contract 5.1.6, 5.1.7)`, {
        before: { [path]: '<p>Before</p>' },
        fields: { [field]: text },
        stored: { [path]: null },
      }),
    ),
    jobCase(`${field}: 20 000 code points after cleaning are allowed (Contract 5.4.2)`, {
      fields: { [field]: astral(mostWrapped) },
      stored: { [path]: paragraph(astral(mostWrapped)) },
    }),
    jobCase(`${field}: removed HTML does not count towards the length (Contract 5.1.8)`, {
      fields: { [field]: `<script>${'x'.repeat(20_000)}</script><p>Kept</p>` },
      stored: { [path]: '<p>Kept</p>' },
      warnings: [`${field}: html-cleaned`],
    }),
    jobCase(
      `${field}: sending the stored text as an editor writes it changes nothing (Contract 5.1.11, 5.6.1)`,
      {
        before: { [path]: '<p>Before</p><ul><li>a</li></ul>' },
        fields: {
          [field]: '<p class="x">Before</p><ol><li data-list="bullet"><span></span>a</li></ol><p><br></p>',
        },
      },
    ),
  ];
});

const bulk: ParityCase[] = firstOfKind(jobFields, 'html').flatMap(({ field, path, maximum }) => {
  const comment = (length: number) => `<p>Kept</p><!--${'x'.repeat(length - '<p>Kept</p><!---->'.length)}-->`;
  return [
    jobCase(`${field}: 100 000 code points before cleaning are allowed`, {
      fields: { [field]: comment(5 * maximum) },
      stored: { [path]: '<p>Kept</p>' },
    }),
    jobCase(`${field}: tags may nest 100 levels deep`, {
      fields: { [field]: `${'<b>'.repeat(100)}x` },
      stored: { [path]: `${'<b>'.repeat(100)}x${'</b>'.repeat(100)}` },
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
