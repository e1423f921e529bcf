import { type Caller } from '../access/caller.js';
import { reachesRecord } from '../access/reach.rules.js';
import { selectorOf, Shown, type ShownFields, shownFrom } from '../fields/shown-fields.js';
import { ShownHistory } from '../history/history-entry.js';
import { type CompanyRecord, membershipIn, type Membership, reachPaths } from './company.model.js';
import { type CompanyType } from './company.types.js';

interface Sources {
  company: CompanyRecord;
}

export interface CompanyContext {
  /** With only the roles that may read companies. */
  caller: Caller;
  mediaPublicId: string;
  logoUrlOf: (hash: string) => string;
}

const from = shownFrom<Sources, CompanyContext>();

const stored = <Path extends keyof CompanyRecord>(path: Path) =>
  new Shown<Sources, CompanyContext, CompanyRecord[Path]>(
    { company: [path] },
    ({ company }) => company[path],
  );

const flag = (name: Exclude<keyof Membership, 'media'>) =>
  from(
    { company: ['memberships'] },
    ({ company, mediaPublicId }) => membershipIn(company, mediaPublicId)?.[name] ?? false,
  );

const size = from({ company: ['size'] }, ({ company }) => company.size?.toHexString() ?? null);
const sectors = from({ company: ['sectors'] }, ({ company }) =>
  company.sectors.map((id) => id.toHexString()),
);

/** Each GraphQL field, with the stored paths that it needs. */
export const shownCompany = {
  history: from(
    { company: ['_id', 'publicId', 'version'] },
    ({ company }) => new ShownHistory(company._id, company.publicId, company.version),
  ),
  id: from({ company: ['_id'] }, ({ company }) => company._id.toHexString()),
  name: stored('name'),
  publicId: stored('publicId'),
  domainUrl: stored('domainUrl'),
  size,
  sizeReference: size,
  sectors,
  sectorReferences: sectors,
  content: {
    visual: {
      logo: from(
        { company: ['logo'] },
        ({ company: { logo }, logoUrlOf }) =>
          logo && (logo.kind === 'file' ? logoUrlOf(logo.hash) : logo.url),
      ),
    },
    description: stored('description'),
    language: stored('language'),
  },
  isPublished: flag('isPublished'),
  isVmePagePublished: flag('isVmePagePublished'),
  mediaPublicIds: from({ company: ['memberships', ...reachPaths] }, ({ company, caller }) =>
    company.memberships.flatMap(({ media }) => (reachesRecord(caller, media, company) ? [media] : [])),
  ),
  updatedAt: from({ company: ['updatedAt'] }, ({ company }) => company.updatedAt ?? null),
  version: stored('version'),
} satisfies ShownFields<Sources, CompanyContext, CompanyType>;

export const selectOfCompany = selectorOf<Sources, CompanyContext, CompanyType>(shownCompany);
