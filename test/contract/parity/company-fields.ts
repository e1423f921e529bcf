import { demoReferenceId } from '../../support/demo-references.js';
import { astral, companyCase, invalid, type ParityCase } from './parity-case.js';

const sector = (publicId: string) => demoReferenceId('sector', publicId).toHexString();
const size = (publicId: string) => demoReferenceId('size', publicId).toHexString();
const ten = [
  ...['agriculture', 'automotive', 'banking', 'construction', 'consulting'],
  ...['culture', 'education', 'energy', 'environment', 'food_industry'],
];

/** Cases for a field that cannot be cleared. */
const blank = (field: string): ParityCase[] =>
  ['', ' \u00a0\n'].map((text) =>
    companyCase(`${field}: ${JSON.stringify(text)} clears nothing (Contract 4.3.3.3, 4.3.3.4)`, {
      fields: { [field]: text },
      ...invalid(`${field}-format-error`),
    }),
  );

const nothingOf = (field: string): ParityCase[] => [...blank(field), ...noText(field)];

const noText = (field: string): ParityCase[] =>
  [3, false, ['a', 'b'], { a: 'b' }].map((value) =>
    companyCase(`${field}: ${JSON.stringify(value)} is not a text (Contract 4.3.2)`, {
      fields: { [field]: value },
      ...invalid(`${field}-must-be-string`),
      isRefusedByTypes: true,
    }),
  );

const names: ParityCase[] = [
  ...nothingOf('name'),
  companyCase('name: 150 code points are allowed (Contract 8.5)', {
    fields: { name: astral(150) },
    stored: { name: astral(150), nameKey: astral(150) },
  }),
  companyCase('name: 151 code points are too long (Contract 8.5)', {
    fields: { name: astral(151) },
    ...invalid('name-too-long'),
  }),
  companyCase('name: surrounding spaces are not stored (Contract 4.1.2, 4.3.3.4)', {
    fields: { name: '  Acme & Söhne ' },
    stored: { name: 'Acme & Söhne', nameKey: 'acme & sohne' },
  }),
  companyCase('name: only accents are a fault (Contract 4.1.6.2)', {
    fields: { name: '\u0301\u0308' },
    ...invalid('name-format-error'),
  }),
  companyCase('name: only invisible characters and blank Braille are a fault (Contract 4.1.6.2, 4.3.3.4)', {
    fields: { name: '\u2800\u200b' },
    ...invalid('name-format-error'),
  }),
];

const start = 'https://acme.example/';
const domains: ParityCase[] = [
  ...nothingOf('domain_url'),
  ...[
    ...['not a domain', 'localhost', '127.0.0.1', '[::1]', 'ftp://acme.example', 'javascript:alert(1)'],
    ...['https://user:secret@acme.example', 'acme..example', '-acme.example', 'https://'],
    ...['acme.example\\evil.example', '//acme.example'],
  ].map((domain_url) =>
    companyCase(`domain_url: ${domain_url} is not a web domain (Contract 4.1.6.1)`, {
      fields: { domain_url },
      ...invalid('domain_url-format-error'),
    }),
  ),
  companyCase(
    'domain_url: an international domain is compared in ASCII and kept as given (Contract 4.1.6.1)',
    {
      fields: { domain_url: 'https://Bücher.example/' },
      stored: { domainUrl: 'https://Bücher.example/', domainKey: 'xn--bcher-kva.example' },
    },
  ),
  companyCase('domain_url: null clears the domain and its comparison key (Contract 4.3.3.2)', {
    before: { domainUrl: 'https://Acme.example', domainKey: 'acme.example' },
    fields: { domain_url: null },
    stored: { domainUrl: null, domainKey: undefined },
  }),
  companyCase('domain_url: null next to the name that identifies clears the domain (Contract 4.1.5.3)', {
    before: { domainUrl: 'https://Acme.example', domainKey: 'acme.example' },
    fields: { company_public_id: undefined, name: 'Acme', domain_url: null },
    stored: { domainUrl: null, domainKey: undefined },
  }),
  companyCase('domain_url: 2048 code points are allowed (Contract 8.5)', {
    fields: { domain_url: start + astral(2_048 - start.length) },
    stored: { domainUrl: start + astral(2_048 - start.length) },
  }),
  companyCase('domain_url: 2049 code points are too long (Contract 8.5)', {
    fields: { domain_url: start + astral(2_049 - start.length) },
    ...invalid('domain_url-too-long'),
  }),
];

const sectors: ParityCase[] = [
  ...blank('sector_id'),
  companyCase('sector_id: one public id is stored (Contract 4.1.4.1)', {
    fields: { sector_id: 'health' },
    stored: { sectors: [sector('health')] },
  }),
  companyCase('sector_id: one 24-hex id is stored (Contract 4.1.4.1)', {
    fields: { sector_id: sector('health') },
    stored: { sectors: [sector('health')] },
  }),
  companyCase('sector_id: public and 24-hex ids can be mixed, and are stored in order (Contract 4.1.4.2)', {
    fields: { sector_id: ` retail ; ${sector('health')};;` },
    stored: { sectors: [sector('retail'), sector('health')] },
  }),
  companyCase('sector_id: a repeated sector is stored once (Contract 4.1.4.2)', {
    fields: { sector_id: `health;health;${sector('health')}` },
    stored: { sectors: [sector('health')] },
  }),
  companyCase('sector_id: ten ids are stored (Contract 4.1.4.2)', {
    fields: { sector_id: ten.join(';') },
    stored: { sectors: ten.map(sector) },
  }),
  companyCase('sector_id: eleven ids are too many (Contract 4.1.4.2)', {
    fields: { sector_id: [...ten, 'health'].join(';') },
    ...invalid('sector_id-too-long'),
  }),
  ...['nothing', 'health;nothing', ';', 'from_5000', size('from_5000'), '0'.repeat(24)].map((sector_id) =>
    companyCase(`sector_id: ${sector_id} is not found (Contract 4.1.4.1)`, {
      fields: { sector_id },
      ...invalid('sector_id-not-found'),
      // As a GraphQL list, only separators would be no id at all.
      ...(sector_id === ';' && { apis: ['json', 'form'] }),
    }),
  ),
];

const sizes: ParityCase[] = [
  ...nothingOf('size_id'),
  ...['from_5000', size('from_5000'), size('from_5000').toUpperCase(), ' from_5000 '].map((size_id) =>
    companyCase(`size_id: ${JSON.stringify(size_id)} is a size (Contract 4.1.4.1)`, {
      fields: { size_id },
      stored: { size: size('from_5000') },
    }),
  ),
  ...['nothing', 'health', sector('health'), 'from_5000;from_1_to_9'].map((size_id) =>
    companyCase(`size_id: ${size_id} is not found (Contract 4.1.4.1)`, {
      fields: { size_id },
      ...invalid('size_id-not-found'),
    }),
  ),
];

const descriptions: ParityCase[] = [
  ...['', ' \n', null].map((description) =>
    companyCase(
      `description: ${JSON.stringify(description)} clears it (Contract 4.3.3.2, 4.3.3.3, 4.3.3.4)`,
      {
        fields: { description },
        stored: { description: null },
      },
    ),
  ),
  ...noText('description'),
  companyCase('description: text without tags stays unchanged (Contract 4.1.8)', {
    fields: { description: 'Rock & roll, 5 < 6 and "so on".' },
    stored: { description: 'Rock & roll, 5 < 6 and "so on".' },
  }),
  companyCase('description: HTML is cleaned, with a warning (Contract 4.1.8)', {
    fields: { description: '<p style="x">Hi<img src=x onerror=alert(1)></p>' },
    stored: { description: '<p>Hi</p>' },
    warnings: ['description: html-cleaned'],
  }),
  companyCase('description: HTML that cleaning empties clears it (Contract 4.1.8)', {
    fields: { description: '<style>p{}</style>' },
    stored: { description: null },
    warnings: ['description: html-cleaned'],
  }),
  companyCase('description: 5 000 code points are allowed (Contract 7.4, 8.5)', {
    fields: { description: astral(5_000) },
    stored: { description: astral(5_000) },
  }),
  companyCase('description: 5 001 code points are too long (Contract 8.5)', {
    fields: { description: astral(5_001) },
    ...invalid('description-too-long'),
  }),
  companyCase('description: 25 001 code points before cleaning are too long (Contract 4.2.6.5)', {
    fields: { description: `<p>Kept</p><!--${'x'.repeat(25_001 - '<p>Kept</p><!---->'.length)}-->` },
    ...invalid('description-too-long'),
  }),
];

const logo = 'https://cdn.example/Logo.png?v=2#top';
const longest = `https://a.example/${'é'.repeat(2_048 - 'https://a.example/'.length)}`;
const logos: ParityCase[] = [
  ...nothingOf('logo_url'),
  ...[
    { kind: 'file', hash: 'a'.repeat(64) },
    { kind: 'url', url: logo },
  ].map((stored) =>
    companyCase(`logo_url: null clears a logo of kind ${stored.kind} (Contract 4.1.7.10)`, {
      before: { logo: stored },
      fields: { logo_url: null },
      stored: { logo: null },
    }),
  ),
  companyCase('logo_url: a URL is kept as given and never fetched (Contract 4.1.7.6)', {
    fields: { logo_url: logo },
    stored: { logo: { kind: 'url', url: logo } },
  }),
  ...[
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    '//cdn.example/x.png',
    'cdn.example/x.png',
    'ftp://a.example/x',
    'https://good.com@evil.com/x',
  ].map((logo_url) =>
    companyCase(`logo_url: ${logo_url} is not an http or https URL (Contract 4.1.7.6)`, {
      fields: { logo_url },
      ...invalid('logo_url-format-error'),
    }),
  ),
  companyCase('logo_url: 2048 code points are allowed (Contract 8.5)', {
    fields: { logo_url: longest },
    stored: { logo: { kind: 'url', url: longest } },
  }),
  companyCase('logo_url: 2049 code points are too long (Contract 8.5)', {
    fields: { logo_url: `${longest}é` },
    ...invalid('logo_url-too-long'),
  }),
  ...['', 'logo.png'].map((given) =>
    companyCase(`logo: ${JSON.stringify(given)} is not a file (Contract 4.1.2)`, {
      fields: { logo: given },
      ...invalid('logo-must-be-file'),
      isRefusedByTypes: true,
    }),
  ),
  companyCase('logo: null clears nothing (Contract 4.3.3.2)', {
    fields: { logo: null },
    ...invalid('logo-must-be-file'),
  }),
];

const nothingNew: ParityCase[] = [
  companyCase('an update without fields changes nothing and returns the whole company (Contract 4.1.3)', {
    fields: {},
  }),
  companyCase('an update with the stored values does not raise the version (Contract 4.1.3, 9.1.2)', {
    fields: {
      name: 'Acme',
      domain_url: 'acme.example',
      size_id: 'from_250_to_999',
      sector_id: 'software;transport',
    },
  }),
];

export const companyFields: readonly ParityCase[] = [
  ...names,
  ...domains,
  ...sectors,
  ...sizes,
  ...descriptions,
  ...logos,
  ...nothingNew,
];
