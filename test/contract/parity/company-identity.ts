import { nameKey } from '../../../src/text/name-key.rules.js';
import { companyCase, invalid, type ParityCase } from './parity-case.js';

const change = { description: 'Changed.' };
const byNothing = { company_public_id: undefined };
const rest = ['form', 'json', 'multipart'] as const;
/** The warning for a different spelling (Contract 5.2.3). */
const spelled = (field: string, given: string, stored: string) => ({
  warnings: given.trim() === stored ? [] : [`${field}: identifier-not-applied`],
});

const page = 'https://www.facebook.com/acme';

const found: ParityCase[] = [
  companyCase('a company is found by the field company_public_id (Contract 5.2.3)', {
    fields: change,
    stored: change,
  }),
  companyCase('a company is found by a public id with spaces around it (Contract 5.2.3)', {
    fields: { company_public_id: ' acme ', ...change },
    stored: change,
  }),
  companyCase('a company is found in a media sent with spaces around it (Contract 5.1.8)', {
    fields: { media_public_id: ' demo-media\n', ...change },
    stored: change,
  }),
  companyCase('a company is found by the query parameter company-public-id (Contract 5.2.3)', {
    fields: { ...byNothing, ...change },
    companyInQuery: 'acme',
    stored: change,
  }),
  companyCase('a company is found if the query parameter and the field agree (Contract 5.2.3)', {
    fields: { company_public_id: 'acme', ...change },
    companyInQuery: ' acme',
    apis: rest,
    stored: change,
  }),
  companyCase('a company is found by the field if the query parameter is empty (Contract 5.2.3)', {
    fields: { company_public_id: 'acme', ...change },
    companyInQuery: '',
    apis: rest,
    stored: change,
  }),
  companyCase('a query parameter that differs from the field is a fault (Contract 5.2.3)', {
    fields: { company_public_id: 'acme', ...change },
    companyInQuery: 'globex',
    apis: rest,
    ...invalid('company_public_id-format-error'),
  }),
  ...[...['acme.example', 'http://WWW.acme.example:8443/about/us?from=x#top', '  acme.example\n']].map(
    (domain_url) =>
      companyCase(`a company is found by the domain ${JSON.stringify(domain_url)} (Contract 5.2.3, 5.2.4)`, {
        fields: { ...byNothing, domain_url, ...change },
        stored: change,
        ...spelled('domain_url', domain_url, 'acme.example'),
      }),
  ),
  ...['ECLAIR  BLANC', ' E\u0301clair\u00a0blanc\t'].map((name) =>
    companyCase(
      `a company is found by the name ${JSON.stringify(name)} and keeps its spelling (Contract 5.2.3, 5.2.4)`,
      {
        before: { name: 'Éclair Blanc', nameKey: 'eclair blanc' },
        fields: { ...byNothing, name, ...change },
        stored: change,
        ...spelled('name', name, 'Éclair Blanc'),
      },
    ),
  ),
  companyCase('a company is found by a name with invisible characters (Contract 5.2.4)', {
    fields: { ...byNothing, name: '\u200eAc\u200bme', ...change },
    stored: change,
    ...spelled('name', '\u200eAc\u200bme', 'Acme'),
  }),
  companyCase('a company is found by its domain first and takes the sent name (Contract 5.2.3)', {
    fields: { ...byNothing, domain_url: 'acme.example', name: 'Acme Reborn' },
    stored: { name: 'Acme Reborn', nameKey: 'acme reborn' },
  }),
  companyCase(
    'a company is found by its name if no company has the domain, and gets the domain (Contract 5.2.3)',
    {
      fields: { ...byNothing, domain_url: 'https://www.acme-reborn.example/', name: 'acme' },
      ...spelled('name', 'acme', 'Acme'),
      stored: { domainUrl: 'https://www.acme-reborn.example/', domainKey: 'acme-reborn.example' },
    },
  ),
  companyCase('a company is found by the public id alone: name and domain are new values (Contract 5.2.3)', {
    fields: { name: 'ACME Reborn', domain_url: 'reborn.example' },
    stored: {
      name: 'ACME Reborn',
      nameKey: 'acme reborn',
      domainUrl: 'reborn.example',
      domainKey: 'reborn.example',
    },
  }),
  companyCase('a company may change the spelling of its own name and domain (Contract 5.2.6)', {
    fields: { name: 'ACME', domain_url: 'https://acme.example/' },
    stored: { name: 'ACME', domainUrl: 'https://acme.example/' },
  }),
  companyCase('a company can be found by its name beside a page on a shared site (Contract 5.2.5)', {
    fields: { ...byNothing, name: 'Acme', domain_url: page },
    stored: { domainUrl: page, domainKey: undefined },
  }),
  companyCase('a page on a shared site frees the domain that the company had (Contract 5.2.5)', {
    fields: { domain_url: page },
    stored: { domainUrl: page, domainKey: undefined },
  }),
  companyCase('a shared site without a path is a domain like others (Contract 5.2.5)', {
    before: { domainUrl: 'facebook.com', domainKey: 'facebook.com' },
    fields: { ...byNothing, domain_url: 'https://www.facebook.com/', ...change },
    stored: change,
    ...spelled('domain_url', 'https://www.facebook.com/', 'facebook.com'),
  }),
  companyCase('a company is found whether or not it is published (Contract 2.1.2)', {
    before: { memberships: [{ media: 'demo-media', isPublished: false, isVmePagePublished: false }] },
    fields: change,
    stored: change,
  }),
];

const absent: ParityCase[] = [
  ...[
    { name: 'Nobody Knows' },
    { domain_url: 'nobody.example' },
    { name: 'Nobody Knows', domain_url: 'nobody.example' },
    { name: 'Nobody Knows', domain_url: 'not a domain' },
  ].map((identity) =>
    companyCase(
      `${JSON.stringify(identity)} gives company-not-found if no company matches (Contract 5.2.7)`,
      {
        fields: { ...byNothing, ...identity },
        refused: 'company-not-found',
      },
    ),
  ),
  companyCase('a mark other than an accent makes a different name (Contract 5.2.4)', {
    before: { name: 'パリ', nameKey: nameKey('パリ') },
    fields: { ...byNothing, name: 'バリ', ...change },
    refused: 'company-not-found',
  }),
  companyCase('the public id of a company outside the media gives company-not-found (Contract 5.2.7)', {
    fields: { company_public_id: 'initech' },
    refused: 'company-not-found',
  }),
  companyCase('an unknown public id gives company-not-found even if the name exists (Contract 5.2.3)', {
    fields: { company_public_id: 'nowhere', name: 'Acme' },
    refused: 'company-not-found',
  }),
  ...[
    { name: 'initech' },
    { domain_url: 'www.initech.example' },
    { name: 'Initech', domain_url: 'new.example' },
  ].map((identity) =>
    companyCase(
      `${JSON.stringify(identity)} gives company-already-existed if only a company of another media matches (Contract 5.2.7)`,
      {
        fields: { ...byNothing, ...identity },
        refused: 'company-already-existed',
      },
    ),
  ),
  ...[
    { name: 'GLOBEX' },
    { name: 'Ïnitech' },
    { domain_url: 'https://globex.example' },
    { domain_url: 'initech.example/jobs' },
    { name: 'Free Name', domain_url: 'globex.example' },
  ].map((identity) =>
    companyCase(`${JSON.stringify(identity)} already belongs to another company (Contract 5.2.6)`, {
      fields: identity,
      refused: 'company-already-existed',
    }),
  ),
  companyCase('a company found by its domain cannot take another company’s name (Contract 5.2.6)', {
    fields: { ...byNothing, domain_url: 'acme.example', name: 'Globex' },
    refused: 'company-already-existed',
  }),
  companyCase('a company found by its name cannot take a domain used in another media (Contract 5.2.6)', {
    fields: { ...byNothing, name: 'Acme', domain_url: 'initech.example' },
    refused: 'company-already-existed',
  }),
];

const unnamed: ParityCase[] = [
  companyCase(
    'a page on a shared site beside an unknown name gives company-not-found (Contract 5.2.5, 5.2.7)',
    {
      before: { domainUrl: page, domainKey: 'facebook.com' },
      fields: { ...byNothing, name: 'Nobody Knows', domain_url: page },
      refused: 'company-not-found',
    },
  ),
];

export const companyIdentity: readonly ParityCase[] = [...found, ...absent, ...unnamed];
