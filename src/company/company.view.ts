import { type Asked } from '../content/asked-fields.js';
import { select, type Selection, Shown, type ShownFields, shownFrom } from '../content/shown-fields.js';
import { type CompanyRecord, type Membership } from './company.model.js';
import { type CompanyType } from './company.types.js';
import { membershipIn } from './membership.rules.js';

interface Sources {
  company: CompanyRecord;
}

interface Around {
  mediaPublicId: string;
  logoUrlOf: (hash: string) => string;
}

const from = shownFrom<Sources, Around>();

const stored = <Path extends keyof CompanyRecord>(path: Path) =>
  new Shown<Sources, Around, CompanyRecord[Path]>({ company: [path] }, ({ company }) => company[path]);

const flag = (name: Exclude<keyof Membership, 'media'>) =>
  from(
    { company: ['memberships'] },
    ({ company, mediaPublicId }) => membershipIn(company, mediaPublicId)?.[name] ?? false,
  );

/** A company as GraphQL shows it in one media. What a field shows and what is read for it stand together. */
const companyFields = {
  history: stored('_id'),
  id: from({ company: ['_id'] }, ({ company }) => company._id.toHexString()),
  name: stored('name'),
  publicId: stored('publicId'),
  domainUrl: stored('domainUrl'),
  size: from({ company: ['size'] }, ({ company }) => company.size?.toHexString() ?? null),
  sectors: from({ company: ['sectors'] }, ({ company }) => company.sectors.map((id) => id.toHexString())),
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
  version: stored('version'),
} satisfies ShownFields<Sources, Around, CompanyType>;

/** What is asked of companies, and how it is shown; everything where nothing is said. */
export const selectOfCompany = (asked?: Asked): Selection<Sources, Around, CompanyType> =>
  select<Sources, Around, CompanyType>(companyFields, asked);
