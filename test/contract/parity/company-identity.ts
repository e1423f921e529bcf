import { nameKey } from '../../../src/text/name-key.rules.js';
import { companyCase, invalid, type ParityCase } from './parity-case.js';

const change = { description: 'Changed.' };
const byNothing = { company_public_id: undefined };
const rest = ['form', 'json', 'multipart'] as const;
/** The warning for a different spelling (Contract 4.1.5.4). */
const spelled = (field: string, given: string, stored: string) => ({
  warnings: given.trim() === stored ? [] : [`${field}: identifier-not-applied`],
});

const page = 'https://www.facebook.com/acme';

const found: ParityCase[] = [
  companyCase('a company is found by the field company_public_id (Contract 4.1.5.2)', {
    fields: change,
    stored: change,
  }),
  companyCase('a company is found by a public id with spaces around it (Contract 4.1.5.2)', {
    fields: { company_public_id: ' acme ', ...change },
    stored: change,
  }),
  companyCase('a company is found in a media sent with spaces around it (Contract 4.3.3.4)', {
    fields: { media_public_id: ' demo-media\n', ...change },
    stored: change,
  }),
  ...['\0', '\v', '\f'].map((character) =>
    companyCase(`a name with ${JSON.stringify(character)} is refused (Contract 4.3.3.5)`, {
      fields: { name: `Ac${character}me` },
      ...invalid('name-format-error'),
    }),
  ),
  companyCase('a company is found by the query parameter company-public-id (Contract 4.1.5.2)', {
    fields: { ...byNothing, ...change },
    companyInQuery: 'acme',
    stored: change,
  }),
  companyCase('a company is found if the query parameter and the field agree (Contract 4.1.5.2)', {
    fields: { company_public_id: 'acme', ...change },
    companyInQuery: ' acme',
    apis: rest,
    stored: change,
  }),
  companyCase('a company is found by the field if the query parameter is empty (Contract 4.1.5.2)', {
    fields: { company_public_id: 'acme', ...change },
    companyInQuery: '',
    apis: rest,
    stored: change,
  }),
  companyCase('a query parameter that differs from the field is a fault (Contract 4.1.5.2)', {
    fields: { company_public_id: 'acme', ...change },
    companyInQuery: 'globex',
    apis: rest,
    ...invalid('company_public_id-format-error'),
  }),
  ...[
    ...['acme.example', 'ACME.Example', 'www.acme.example', 'https://acme.example'],
    ...['http://WWW.acme.example/about/us?from=x#top', 'https://acme.example:8443/', 'acme.example/jobs'],
    ...['acme.example.', '  acme.example\n'],
  ].map((domain_url) =>
    companyCase(
      `a company is found by the domain ${JSON.stringify(domain_url)} (Contract 4.1.5.4, 4.1.6.1)`,
      {
        fields: { ...byNothing, domain_url, ...change },
        stored: change,
        ...spelled('domain_url', domain_url, 'acme.example'),
      },
    ),
  ),
  ...[
    'Éclair Blanc',
    'ECLAIR BLANC',
    'eclair  blanc',
    ' Éclair\u00a0blanc\t',
    'Ｅclair Blanc',
    'E\u0301clair Blanc',
  ].map((name) =>
    companyCase(
      `a company is found by the name ${JSON.stringify(name)} and keeps its spelling (Contract 4.1.5.4, 4.1.6.2)`,
      {
        before: { name: 'Éclair Blanc', nameKey: 'eclair blanc' },
        fields: { ...byNothing, name, ...change },
        stored: change,
        ...spelled('name', name, 'Éclair Blanc'),
      },
    ),
  ),
  companyCase('a company is found by a name with invisible characters (Contract 4.1.6.2)', {
    fields: { ...byNothing, name: '\u200eAc\u200bme', ...change },
    stored: change,
    ...spelled('name', '\u200eAc\u200bme', 'Acme'),
  }),
  companyCase('a company is found by its domain first and takes the sent name (Contract 4.1.5.3, 4.1.5.4)', {
    fields: { ...byNothing, domain_url: 'acme.example', name: 'Acme Reborn' },
    stored: { name: 'Acme Reborn', nameKey: 'acme reborn' },
  }),
  companyCase(
    'a company is found by its name if no company has the domain, and gets the domain (Contract 4.1.5.3, 4.1.5.4)',
    {
      fields: { ...byNothing, domain_url: 'https://www.acme-reborn.example/', name: 'acme' },
      ...spelled('name', 'acme', 'Acme'),
      stored: { domainUrl: 'https://www.acme-reborn.example/', domainKey: 'acme-reborn.example' },
    },
  ),
  companyCase(
    'a company is found by the public id alone: name and domain are new values (Contract 4.1.5.2, 4.1.5.4)',
    {
      fields: { name: 'ACME Reborn', domain_url: 'reborn.example' },
      stored: {
        name: 'ACME Reborn',
        nameKey: 'acme reborn',
        domainUrl: 'reborn.example',
        domainKey: 'reborn.example',
      },
    },
  ),
  companyCase('a company may change the spelling of its own name and domain (Contract 4.1.6.3)', {
    fields: { name: 'ACME', domain_url: 'https://acme.example/' },
    stored: { name: 'ACME', domainUrl: 'https://acme.example/' },
  }),
  companyCase('a company can be found by its name beside a page on a shared site (Contract 4.1.6.6)', {
    fields: { ...byNothing, name: 'Acme', domain_url: page },
    stored: { domainUrl: page, domainKey: undefined },
  }),
  companyCase('a page on a shared site frees the domain that the company had (Contract 4.1.6.6)', {
    fields: { domain_url: page },
    stored: { domainUrl: page, domainKey: undefined },
  }),
  companyCase('a shared site without a path is a domain like others (Contract 4.1.6.6)', {
    before: { domainUrl: 'facebook.com', domainKey: 'facebook.com' },
    fields: { ...byNothing, domain_url: 'https://www.facebook.com/', ...change },
    stored: change,
    ...spelled('domain_url', 'https://www.facebook.com/', 'facebook.com'),
  }),
  companyCase('a company is found whether or not it is published (Contract 3.4)', {
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
      `${JSON.stringify(identity)} gives company-not-found if no company matches (Contract 4.1.5.7)`,
      {
        fields: { ...byNothing, ...identity },
        refused: 'company-not-found',
      },
    ),
  ),
  companyCase('a mark other than an accent makes a different name (Contract 4.1.6.2)', {
    before: { name: 'パリ', nameKey: nameKey('パリ') },
    fields: { ...byNothing, name: 'バリ', ...change },
    refused: 'company-not-found',
  }),
  companyCase('the public id of a company outside the media gives company-not-found (Contract 4.1.5.5)', {
    fields: { company_public_id: 'initech' },
    refused: 'company-not-found',
  }),
  companyCase('an unknown public id gives company-not-found even if the name exists (Contract 4.1.5.2)', {
    fields: { company_public_id: 'nowhere', name: 'Acme' },
    refused: 'company-not-found',
  }),
  ...[
    { name: 'initech' },
    { domain_url: 'www.initech.example' },
    { name: 'Initech', domain_url: 'new.example' },
  ].map((identity) =>
    companyCase(
      `${JSON.stringify(identity)} gives company-already-existed if only a company of another media matches (Contract 4.1.5.6)`,
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
    companyCase(`${JSON.stringify(identity)} already belongs to another company (Contract 4.1.6.3)`, {
      fields: identity,
      refused: 'company-already-existed',
    }),
  ),
  companyCase('a company found by its domain cannot take another company’s name (Contract 4.1.6.3)', {
    fields: { ...byNothing, domain_url: 'acme.example', name: 'Globex' },
    refused: 'company-already-existed',
  }),
  companyCase('a company found by its name cannot take a domain used in another media (Contract 4.1.6.3)', {
    fields: { ...byNothing, name: 'Acme', domain_url: 'initech.example' },
    refused: 'company-already-existed',
  }),
];

const unnamed: ParityCase[] = [
  companyCase('a page on a shared site identifies no company (Contract 4.1.5.1, 4.1.6.6)', {
    before: { domainUrl: page, domainKey: 'facebook.com' },
    fields: { ...byNothing, domain_url: page, ...change },
    ...invalid('missing-company_public_id'),
  }),
  companyCase(
    'a page on a shared site beside an unknown name gives company-not-found (Contract 4.1.5.7, 4.1.6.6)',
    {
      before: { domainUrl: page, domainKey: 'facebook.com' },
      fields: { ...byNothing, name: 'Nobody Knows', domain_url: page },
      refused: 'company-not-found',
    },
  ),
  companyCase('an identifying domain has the limits of a new domain (Contract 4.1.5.4, 8.5)', {
    fields: { ...byNothing, domain_url: `acme.example/${'a'.repeat(3_000)}` },
    ...invalid('domain_url-too-long'),
  }),
  companyCase('an identifying domain may not contain control characters (Contract 4.1.5.4, 4.3.3.5)', {
    fields: { ...byNothing, domain_url: 'acme.example/\va', size_id: 'nothing' },
    ...invalid('domain_url-format-error', 'size_id-not-found'),
  }),
  companyCase('an identifying name has the limits of a new name (Contract 4.1.5.4, 8.5)', {
    fields: { ...byNothing, name: `A${'\u0301'.repeat(150)}cme` },
    ...invalid('name-too-long'),
  }),
  companyCase('without an identifier, the public id is reported as missing (Contract 4.1.5.1)', {
    fields: { ...byNothing, ...change },
    ...invalid('missing-company_public_id'),
  }),
  ...['', ' '].map((blank) =>
    companyCase(
      `with ${JSON.stringify(blank)} for every identifier, the public id is reported as missing (Contract 4.1.5.1)`,
      {
        fields: { company_public_id: blank, name: blank, domain_url: blank },
        ...invalid('missing-company_public_id'),
      },
    ),
  ),
  companyCase('a name of only accents and an invalid domain are both faults (Contract 4.1.5.1, 4.1.6.2)', {
    fields: { ...byNothing, name: '\u0301\u0301', domain_url: 'nonsense' },
    ...invalid('domain_url-format-error', 'name-format-error'),
  }),
  companyCase('a name of only invisible characters is a fault (Contract 4.1.5.1, 4.1.6.2)', {
    fields: { ...byNothing, name: '\u2060\u00ad' },
    ...invalid('name-format-error'),
  }),
  companyCase('an overlong name is a fault, even as the only identifier (Contract 4.1.5.1, 8.5)', {
    fields: { ...byNothing, name: 'x'.repeat(700) },
    ...invalid('name-too-long'),
  }),
  companyCase('an overlong domain is a fault, even as the only identifier (Contract 4.1.5.1, 8.5)', {
    fields: { ...byNothing, domain_url: 'not a domain '.repeat(200) },
    ...invalid('domain_url-too-long'),
  }),
  companyCase('a missing media and company are reported together (Contract 4.1.5.1)', {
    fields: { ...byNothing, media_public_id: ' ' },
    ...invalid('missing-company_public_id', 'missing-media_public_id'),
  }),
  ...[undefined, null].map((id) =>
    companyCase(
      `a media_public_id of ${id} is reported as missing over REST, and refused by GraphQL's types (Contract 4.1.2, 7.6.3)`,
      {
        fields: { media_public_id: id },
        ...invalid('missing-media_public_id'),
        isRefusedByTypes: true,
      },
    ),
  ),
  companyCase('an invalid domain is a fault, even as the only identifier (Contract 4.1.6.1)', {
    fields: { ...byNothing, domain_url: 'not a domain' },
    ...invalid('domain_url-format-error'),
  }),
  companyCase('a public id that is not a text is a fault, even with a valid name (Contract 4.3.2)', {
    fields: { company_public_id: 12, name: 'Acme' },
    ...invalid('company_public_id-must-be-string'),
    isRefusedByTypes: true,
  }),
  companyCase('a public id of null is a fault, even with a valid name (Contract 4.3.3.2)', {
    fields: { company_public_id: null, name: 'Acme' },
    ...invalid('company_public_id-must-be-string'),
  }),
  ...['', '\t'].map((id) =>
    companyCase(
      `a public id of ${JSON.stringify(id)} is a fault, even with a valid name (Contract 4.3.3.3, 4.3.3.4)`,
      {
        fields: { company_public_id: id, name: 'Acme' },
        ...invalid('company_public_id-format-error'),
      },
    ),
  ),
];

export const companyIdentity: readonly ParityCase[] = [...found, ...absent, ...unnamed];
