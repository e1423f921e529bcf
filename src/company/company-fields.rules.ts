import { type Caller } from '../tokens/caller.js';
import { type MayUpdate, membershipIn, reachesRecord } from '../permissions/reach.rules.js';
import { fieldFault } from '../errors/field-fault.js';
import { fieldTypes } from '../fields/field-types.rules.js';
import { viewsOf } from '../fields/view.rules.js';
import { field, inputsOf, nodeId, type ViewOf, sourcesOf } from '../fields/row.rules.js';
import { type HistoryPosition } from '../history/history-entry.js';
import { referenceRows } from '../reference/reference.rules.js';
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

const flagOf = (name: Exclude<keyof Membership, 'media'>, rest: string) =>
  field(
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

const logo = field('logo', {
  ...from(
    { company: ['logo'] },
    ({ company: { logo }, logoUrlOf }) => logo && (logo.kind === 'file' ? logoUrlOf(logo.hash) : logo.url),
  ),
  input: {
    as: 'logoUrl',
    type: fieldTypes.url(2_048),
    description:
      'http or https URL of a logo, at most {maximumLength} characters, kept as given. Null clears the logo, also an uploaded one.',
    store: (url) => ({ logo: url === null ? null : { kind: 'url', url } }),
  },
});

const visual = { logo };

const content = {
  visual: field('visual', { of: visual }),
  description: field('description', {
    ...stored('description'),
    ifNull: 'empty',
    input: {
      type: fieldTypes.html(5_000, { wrapPlainText: false }),
      description:
        'At most {maximumLength} characters after cleaning; HTML outside the allow-list is removed.',
    },
  }),
  language: field('language', stored('language')),
};

/** What is shown of a company, in the order of the documented reply, and what callers write. Its class is `CompanyType`. */
export const companyRows = {
  id: field(
    null,
    from({ company: ['publicId'] }, ({ company, mediaPublicId }) =>
      nodeId('Company', mediaPublicId, company.publicId),
    ),
  ),
  recordId: field(
    'id',
    from({ company: ['_id'] }, ({ company }) => company._id.toHexString()),
  ),
  name: field('name', {
    ...stored('name'),
    input: {
      type: fieldTypes.text(longestName),
      description: 'Name of the company, at most {maximumLength} characters. Unique across all media.',
      store: (name: string, _field, { reader }) => {
        const key = nameKey(name);
        if (key === '') reader.fail(emptyName);
        return { name, nameKey: key };
      },
    },
  }),
  publicId: field('public_id', stored('publicId')),
  size: field('size', {
    ...size,
    input: {
      as: 'sizeId',
      type: fieldTypes.reference('size'),
      description: 'Id or public id of a company size.',
    },
  }),
  sectors: field('sectors', {
    ...sectors,
    input: {
      as: 'sectorId',
      type: fieldTypes.references('sector', mostSectors, {
        name: 'sectorIds',
        description:
          'Ids or public ids of sectors, at most 10. Replaces all sectors; null or [] clears them.',
      }),
      description: 'Ids or public ids of sectors: at most {maximumItems}, separated by ";".',
    },
  }),
  content: field('content', { of: content }),
  isPublished: flagOf('isPublished', 'is_published'),
  isVmePagePublished: flagOf('isVmePagePublished', 'is_vme_page_published'),
  domainUrl: field(null, {
    ...stored('domainUrl'),
    input: {
      type: {
        ...fieldTypes.text(2_048),
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
  sizeReference: { ...size, of: referenceRows, rest: null },
  sectorReferences: { ...sectors, of: referenceRows, rest: null },
  mediaPublicId: field(
    null,
    from({}, ({ mediaPublicId }) => mediaPublicId),
  ),
  mediaPublicIds: field(
    null,
    from({ company: ['memberships', ...reachPaths] }, ({ company, caller }) =>
      company.memberships.flatMap(({ media }) => (reachesRecord(caller, media, company) ? [media] : [])),
    ),
  ),
  updatedAt: field(null, stored('updatedAt')),
  version: field(null, stored('version')),
  viewerCanUpdate: field(
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

/** The fields that callers can write, except the logo file. */
export const companyFields = inputsOf(companyRows, [
  'name',
  'domainUrl',
  'sectorId',
  'sizeId',
  'description',
]);

export const companyView = viewsOf<CompanySources, CompanyContext, ViewOf<typeof companyRows>>(companyRows);
