import { demoReferenceId } from '../../support/demo-references.js';
import { astral, companyCase, type ParityCase } from './parity-case.js';

const sector = (publicId: string) => demoReferenceId('sector', publicId).toHexString();
const size = (publicId: string) => demoReferenceId('size', publicId).toHexString();
const ten = [
  ...['agriculture', 'automotive', 'banking', 'construction', 'consulting'],
  ...['culture', 'education', 'energy', 'environment', 'food_industry'],
];

const names: ParityCase[] = [
  companyCase('name: 150 code points are allowed (Contract 5.2.2)', {
    fields: { name: astral(150) },
    stored: { name: astral(150), nameKey: astral(150) },
  }),
  companyCase('name: surrounding spaces are not stored (Contract 5.1.8, 5.2.2)', {
    fields: { name: '  Acme & Söhne ' },
    stored: { name: 'Acme & Söhne', nameKey: 'acme & sohne' },
  }),
];

const start = 'https://acme.example/';
const domains: ParityCase[] = [
  companyCase('domain_url: an international domain is compared in ASCII and kept as given (Contract 5.2.4)', {
    fields: { domain_url: 'https://Bücher.example/' },
    stored: { domainUrl: 'https://Bücher.example/', domainKey: 'xn--bcher-kva.example' },
  }),
  companyCase('domain_url: invisible characters at its ends are dropped', {
    fields: { domain_url: '\u200bhttps://acme.example/\u200e' },
    stored: { domainUrl: 'https://acme.example/', domainKey: 'acme.example' },
  }),
  companyCase('domain_url: null clears the domain and its comparison key (Contract 5.1.6)', {
    before: { domainUrl: 'https://Acme.example', domainKey: 'acme.example' },
    fields: { domain_url: null },
    stored: { domainUrl: null, domainKey: undefined },
  }),
  companyCase('domain_url: null next to the name that identifies clears the domain (Contract 5.2.3)', {
    before: { domainUrl: 'https://Acme.example', domainKey: 'acme.example' },
    fields: { company_public_id: undefined, name: 'Acme', domain_url: null },
    stored: { domainUrl: null, domainKey: undefined },
  }),
  companyCase('domain_url: 2048 code points are allowed (Contract 5.2.2)', {
    fields: { domain_url: start + astral(2_048 - start.length) },
    stored: { domainUrl: start + astral(2_048 - start.length) },
  }),
];

const sectors: ParityCase[] = [
  companyCase('sector_id: one public id is stored (Contract 5.2.8)', {
    fields: { sector_id: 'health' },
    stored: { sectors: [sector('health')] },
  }),
  companyCase('sector_id: one 24-hex id is stored (Contract 5.2.8)', {
    fields: { sector_id: sector('health') },
    stored: { sectors: [sector('health')] },
  }),
  companyCase('sector_id: public and 24-hex ids can be mixed, and are stored in order (Contract 5.2.8)', {
    fields: { sector_id: ` retail ; ${sector('health')};;` },
    stored: { sectors: [sector('retail'), sector('health')] },
  }),
  companyCase('sector_id: a repeated sector is stored once (Contract 5.2.8)', {
    fields: { sector_id: `health;health;${sector('health')}` },
    stored: { sectors: [sector('health')] },
  }),
  companyCase('sector_id: ten ids are stored (Contract 5.2.2)', {
    fields: { sector_id: ten.join(';') },
    stored: { sectors: ten.map(sector) },
  }),
];

const sizes: ParityCase[] = [
  ...['from_5000', size('from_5000'), size('from_5000').toUpperCase(), ' from_5000 '].map((size_id) =>
    companyCase(`size_id: ${JSON.stringify(size_id)} is a size (Contract 5.2.8)`, {
      fields: { size_id },
      stored: { size: size('from_5000') },
    }),
  ),
];

const descriptions: ParityCase[] = [
  ...['', ' \n', null].map((description) =>
    companyCase(`description: ${JSON.stringify(description)} clears it (Contract 5.1.6, 5.1.7)`, {
      fields: { description },
      stored: { description: null },
    }),
  ),
  companyCase('description: text without tags stays unchanged (Contract 5.2.2)', {
    fields: { description: 'Rock & roll, 5 < 6 and "so on".' },
    stored: { description: 'Rock & roll, 5 < 6 and "so on".' },
  }),
  companyCase('description: HTML is cleaned, with a warning (Contract 5.2.2)', {
    fields: { description: '<p style="x">Hi<img src=x onerror=alert(1)></p>' },
    stored: { description: '<p>Hi</p>' },
    warnings: ['description: html-cleaned'],
  }),
  companyCase('description: HTML that cleaning empties clears it (Contract 5.2.2)', {
    fields: { description: '<style>p{}</style>' },
    stored: { description: null },
    warnings: ['description: html-cleaned'],
  }),
  companyCase('description: 5 000 code points are allowed (Contract 5.1.8, 5.2.2)', {
    fields: { description: astral(5_000) },
    stored: { description: astral(5_000) },
  }),
];

const logo = 'https://cdn.example/Logo.png?v=2#top';
const longest = `https://a.example/${'é'.repeat(2_048 - 'https://a.example/'.length)}`;
const logos: ParityCase[] = [
  ...[
    { kind: 'file', hash: 'a'.repeat(64) },
    { kind: 'url', url: logo },
  ].map((stored) =>
    companyCase(`logo_url: null clears a logo of kind ${stored.kind} (Contract 5.3.1)`, {
      before: { logo: stored },
      fields: { logo_url: null },
      stored: { logo: null },
    }),
  ),
  companyCase('logo_url: a URL is kept as given and never fetched (Contract 5.2.2)', {
    fields: { logo_url: logo },
    stored: { logo: { kind: 'url', url: logo } },
  }),
  companyCase('logo_url: 2048 code points are allowed (Contract 5.2.2)', {
    fields: { logo_url: longest },
    stored: { logo: { kind: 'url', url: longest } },
  }),
];

const nothingNew: ParityCase[] = [
  companyCase('an update without fields changes nothing and returns the whole company (Contract 5.1.11)', {
    fields: {},
  }),
  companyCase('an update with the stored values does not raise the version (Contract 5.1.11)', {
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
