import { type Caller } from '../tokens/caller.js';
import { type MayUpdate, membershipIn, reachesRecord } from '../permissions/reach.rules.js';
import { fieldFault } from '../errors/field-fault.js';
import { kinds } from '../fields/kinds.rules.js';
import { viewsOf } from '../fields/view.rules.js';
import { field, inputsOf, nodeId, type ViewOf, sourcesOf } from '../fields/row.rules.js';
import { type HistoryPosition } from '../history/history-entry.js';
import { filtersOf } from '../paging/field-filter.rules.js';
import { reference } from '../reference/reference.rules.js';
import { nameKey } from '../text/name-key.rules.js';
import { domainKey, isDomain, reachPaths } from './company-identity.rules.js';
import { type CompanyRecord, type Membership } from './company.record.js';

const malformedDomain = fieldFault.format('domainUrl', {
  en: 'Enter a web domain such as example.com.',
  fr: 'Saisissez un nom de domaine, par exemple example.com.',
});

/** A name of accents only has an empty comparison key, so all such names would count as equal. */
const emptyName = fieldFault.format('name', {
  en: 'Enter more than accents and invisible characters.',
  fr: 'Saisissez autre chose que des accents et des caractères invisibles.',
});

/** In code points. */
export const longestName = 150;

const mostSectors = 10;

export interface CompanyContext {
  /** With only the roles that may read companies. */
  caller: Caller;
  mediaPublicId: string;
  mayUpdate: MayUpdate;
  logoUrlOf: (hash: string) => string;
}

interface CompanySources {
  company: CompanyRecord;
}

const { stored, from } = sourcesOf<CompanySources, CompanyContext, 'company'>('company');

const flagOf = (name: Exclude<keyof Membership, 'media'>, description: string, rest: string) =>
  field(
    'Boolean!',
    description,
    rest,
    from(
      { company: ['memberships'] },
      ({ company, mediaPublicId }) => membershipIn(company, mediaPublicId)?.[name] ?? false,
    ),
  );

const size = from({ company: ['size'] }, ({ company }) => company.size?.toHexString() ?? null);
const sectors = from({ company: ['sectors'] }, ({ company }) =>
  company.sectors.map((id) => id.toHexString()),
);

const logo = field('String', 'URL of the logo; null if there is none.', 'logo', {
  ...from(
    { company: ['logo'] },
    ({ company: { logo }, logoUrlOf }) => logo && (logo.kind === 'file' ? logoUrlOf(logo.hash) : logo.url),
  ),
  input: {
    as: 'logoUrl',
    kind: kinds.url(2_048),
    description:
      'http or https URL of a logo, at most {maximumLength} characters, kept as given. Null clears the logo, also an uploaded one.',
    store: (url) => ({ logo: url === null ? null : { kind: 'url', url } }),
  },
});

const visual = { description: 'What the company looks like.', fields: { logo } };

const content = {
  description: 'How the company presents itself.',
  fields: {
    visual: field('CompanyVisual!', visual.description, 'visual', { of: visual }),
    description: field('String', 'Description; null if there is none.', 'description', {
      ...stored('description'),
      ifNull: 'empty',
      input: {
        kind: kinds.html(5_000, { wrapPlainText: false }),
        description:
          'At most {maximumLength} characters after cleaning; HTML outside the allow-list is removed.',
      },
    }),
    language: field('Language!', 'Language of the content.', 'language', stored('language')),
  },
};

const fields = {
  id: field(
    'ID!',
    'Id in the whole graph. In each of its media, a company has another, because its flags can differ.',
    null,
    from({ company: ['publicId'] }, ({ company, mediaPublicId }) =>
      nodeId('Company', mediaPublicId, company.publicId),
    ),
  ),
  recordId: field(
    'ID!',
    'Id of the company, 24 hexadecimal digits, the same in all its media.',
    'id',
    from({ company: ['_id'] }, ({ company }) => company._id.toHexString()),
  ),
  name: field('String!', 'Name of the company.', 'name', {
    ...stored('name'),
    input: {
      kind: kinds.text(longestName),
      description: 'Name of the company, at most {maximumLength} characters. Unique across all media.',
      store: (name: string, _field, { reader }) => {
        const key = nameKey(name);
        if (key === '') reader.fail(emptyName);
        return { name, nameKey: key };
      },
    },
  }),
  publicId: field('String!', 'Readable id of the company. Never changes.', 'public_id', stored('publicId')),
  size: field('ID', 'Id of the size record; null if never set.', 'size', {
    ...size,
    input: {
      as: 'sizeId',
      kind: kinds.reference('size'),
      description: 'Id or public id of a company size.',
    },
  }),
  sectors: field('[ID!]!', 'Ids of the sector records.', 'sectors', {
    ...sectors,
    input: {
      as: 'sectorId',
      kind: kinds.references('sector', mostSectors, {
        name: 'sectorIds',
        description:
          'Ids or public ids of sectors, at most 10. Replaces all sectors; null or [] clears them.',
      }),
      description: 'Ids or public ids of sectors: at most {maximumItems}, separated by ";".',
    },
  }),
  content: field('CompanyContent!', content.description, 'content', { of: content }),
  isPublished: flagOf('isPublished', 'Whether the company is published in the media.', 'is_published'),
  isVmePagePublished: flagOf(
    'isVmePagePublished',
    'Whether the company’s dedicated page is published.',
    'is_vme_page_published',
  ),
  domainUrl: field('String', 'Web domain as given; null if never set.', null, {
    ...stored('domainUrl'),
    input: {
      kind: {
        ...kinds.text(2_048),
        cleared: null,
        read: (value: string, field, { reader }) =>
          reader.url(field, value, 2_048, { accepts: isDomain, fault: malformedDomain }),
      },
      description:
        'Web domain of the company. Unique across all media, except a page on a site that many companies share.',
      store: (domainUrl) => ({ domainUrl, domainKey: domainUrl && domainKey(domainUrl) }),
    },
  }),
  // company.resolver.ts shows these two, and the history; job/nested-lists.resolver.ts shows the jobs.
  sizeReference: { ...size, of: reference, rest: null },
  sectorReferences: { ...sectors, of: reference, rest: null },
  mediaPublicId: field(
    'String!',
    'Public id of the media that shows the company.',
    null,
    from({}, ({ mediaPublicId }) => mediaPublicId),
  ),
  mediaPublicIds: field(
    '[String!]!',
    'Public ids of the company’s media within the caller’s reach.',
    null,
    from({ company: ['memberships', ...reachPaths] }, ({ company, caller }) =>
      company.memberships.flatMap(({ media }) => (reachesRecord(caller, media, company) ? [media] : [])),
    ),
  ),
  updatedAt: field(
    'DateTimeISO!',
    'Time of the last change or, if there was none, of the creation, UTC.',
    null,
    stored('updatedAt'),
  ),
  version: field('Int!', 'Goes up by one with each change.', null, stored('version')),
  viewerCanUpdate: field(
    'Boolean!',
    'Whether the caller may update the company: its role, scope and reach allow it.',
    null,
    from({ company: reachPaths }, ({ company, mediaPublicId, mayUpdate }) =>
      mayUpdate('updateCompany', mediaPublicId, company),
    ),
  ),
  jobs: from({ company: ['publicId'] }, ({ company, mediaPublicId }) => ({
    companyPublicId: company.publicId,
    mediaPublicId,
  })),
  history: from({ company: ['_id', 'publicId', 'version'] }, ({ company }): HistoryPosition => ({
    record: company._id,
    publicId: company.publicId,
    version: company.version,
  })),
};

/** A company, with its fields in the order of the documented reply. */
export const company = { description: 'A company, as one media shows it.', isNode: true, fields };

/** The fields that callers can write, except the logo file. */
export const companyFields = inputsOf(fields, ['name', 'domainUrl', 'sectorId', 'sizeId', 'description']);

/** The filters of lists of companies that follow from these fields. */
export const companyFilters = filtersOf(fields);

export const companyView = viewsOf<CompanySources, CompanyContext, ViewOf<typeof fields>>(fields);
