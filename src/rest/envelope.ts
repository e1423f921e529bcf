import { type LocalisedTextType } from '../fields/field.types.js';
import { type ChangeType } from '../change/change.types.js';
import { type CompanyType } from '../company/company.types.js';
import { type JobState } from '../job/job-choices.rules.js';
import { type JobType } from '../job/job.types.js';
import { type ReferenceType } from '../reference/reference.types.js';
import { type DocumentedField } from '../operations.js';
import {
  type AnyDocumented,
  askedAlone,
  type Documented,
  envelopeOf,
  graphqlOnly,
  leftOut,
  spread,
} from './documented.js';

const localised = { en: { as: 'en' }, fr: { as: 'fr' } } satisfies Documented<LocalisedTextType>;

/** A reference inside a job. */
export const documentedReference = {
  publicId: { as: 'public_id' },
  name: { as: 'name' },
  id: graphqlOnly,
  names: { as: null, fields: localised },
  parentPublicId: graphqlOnly,
} satisfies Documented<ReferenceType>;

/** Contract 4.5.3. */
export const listedReference = {
  id: { as: 'id' },
  publicId: { as: 'public_id' },
  name: { as: 'name' },
  names: { as: null, fields: localised },
  parentPublicId: graphqlOnly,
} satisfies Documented<ReferenceType>;

/** As in the GraphQL schema: resolvers replace the stored ids with references. */
interface CompanyOfSchema extends Omit<CompanyType, 'history' | 'sizeReference' | 'sectorReferences'> {
  sizeReference: ReferenceType | null;
  sectorReferences: ReferenceType[];
}

/** The documented reply (Contract 2.1). */
export const documentedCompany = {
  id: { as: 'id' },
  name: { as: 'name' },
  publicId: { as: 'public_id' },
  size: { as: 'size', ifNull: 'null' },
  sectors: { as: 'sectors' },
  content: {
    as: 'content',
    fields: {
      visual: { as: 'visual', fields: { logo: { as: 'logo', ifNull: 'null' } } },
      description: { as: 'description', ifNull: 'empty' },
      language: { as: 'language' },
    },
  },
  isPublished: { as: 'is_published' },
  isVmePagePublished: { as: 'is_vme_page_published' },
  domainUrl: graphqlOnly,
  sizeReference: { as: null, fields: documentedReference },
  sectorReferences: { as: null, fields: documentedReference },
  mediaPublicIds: graphqlOnly,
  updatedAt: graphqlOnly,
  version: graphqlOnly,
} satisfies Documented<CompanyOfSchema>;

const salaryRange = {
  minimum: { as: 'salary_minimum', ifNull: 'null' },
  maximum: { as: 'salary_maximum', ifNull: 'null' },
  currency: { as: 'salary_currency' },
  period: { as: 'salary_period' },
} satisfies Documented<NonNullable<JobType['salaryRange']>>;

/** The reply of an update (Contract 2.2). */
export const documentedJob = {
  name: { as: 'name' },
  publicId: { as: 'public_id' },
  company: { as: 'company', fields: { publicId: { as: 'public_id' }, name: { as: 'name' } } },
  worktime: { as: 'worktime', ifNull: 'null', fields: documentedReference },
  remote: { as: 'remote', ifNull: 'null', fields: documentedReference },
  education: { as: 'education', ifNull: 'null', fields: documentedReference },
  experience: { as: 'experience', ifNull: 'null', fields: documentedReference },
  contract: { as: 'contract', ifNull: 'null', fields: documentedReference },
  office: { as: 'office', ifNull: 'null', fields: documentedReference },
  location: {
    as: 'location',
    fields: {
      addressNbr: { as: 'address_nbr', ifNull: 'null' },
      address: { as: 'address', ifNull: 'null' },
      city: { as: 'city' },
      administrativeAreaDepartment: { as: 'administrative_area_department' },
      administrativeAreaRegion: { as: 'administrative_area_region' },
      zipCode: { as: 'zip_code' },
      country: { as: 'country' },
      countryCode: { as: 'country_code' },
    },
  },
  salary: { as: 'salary', ifNull: 'empty' },
  salaryRange: { as: null, fields: salaryRange },
  description: {
    as: 'description',
    fields: {
      companyDesc: { as: 'company_desc', ifNull: 'empty' },
      jobDesc: { as: 'job_desc', ifNull: 'empty' },
      profileDesc: { as: 'profile_desc', ifNull: 'empty' },
      benefitDesc: { as: 'benefit_desc', ifNull: 'empty' },
      processDesc: { as: 'process_desc', ifNull: 'empty' },
    },
  },
  questions: {
    as: 'questions',
    fields: {
      id: { as: '_id' },
      name: { as: 'name' },
      ref: { as: 'ref' },
      refType: { as: 'ref_type' },
      title: { as: 'title', fields: localised },
      placeholder: { as: 'placeholder', ifNull: 'absent', fields: localised },
      isRequired: { as: 'is_required' },
    },
  },
  jobUrl: { as: 'job_url' },
  applyUrl: { as: 'apply_url' },
  publishedAt: { as: 'publishedAt', ifNull: 'null' },
  isRedirectApply: { as: 'is_redirect_apply' },
  state: graphqlOnly,
  expiresAt: graphqlOnly,
  jobCategory: { as: null, fields: documentedReference },
  applicationMethod: graphqlOnly,
  applicationUrl: graphqlOnly,
  managerEmails: askedAlone,
  recruiterEmails: askedAlone,
  mediaPublicId: graphqlOnly,
  employer: leftOut,
  localisation: graphqlOnly,
  updatedAt: graphqlOnly,
  version: graphqlOnly,
} satisfies Documented<Omit<JobType, 'history'>>;

/** A read has more keys than an update (Contract 4.5.5). */
export const readJob = {
  ...documentedJob,
  state: { as: 'state' },
  expiresAt: { as: 'expires_at', ifNull: 'null' },
  updatedAt: { as: 'updated_at', ifNull: 'null' },
  mediaPublicId: { as: 'media_public_id' },
  jobCategory: { as: 'job_category', ifNull: 'null', fields: documentedReference },
  salaryRange: { as: spread, ifNull: 'null', fields: salaryRange },
} satisfies Documented<Omit<JobType, 'history'>>;

/** A list lacks the long parts (Contract 4.5.8). */
export const listedJob = {
  ...readJob,
  description: leftOut,
  questions: leftOut,
} satisfies Documented<Omit<JobType, 'history'>>;

/** Contract 4.6.2. */
export const documentedChange = {
  kind: { as: 'kind' },
  publicId: { as: 'public_id' },
  companyPublicId: { as: 'company_public_id' },
  version: { as: 'version' },
  changedAt: { as: 'changed_at', ifNull: 'null' },
  state: { as: 'state' },
} satisfies Documented<ChangeType>;

export const documentedReplies = {
  company: { type: 'Company', shown: documentedCompany },
  updateCompany: { type: 'Company', shown: documentedCompany },
  job: { type: 'Job', shown: readJob },
  jobs: { type: 'Job', shown: listedJob },
  changes: { type: 'Change', shown: documentedChange },
  updateJob: { type: 'Job', shown: documentedJob },
  references: { type: 'Reference', shown: listedReference },
} as const satisfies Record<DocumentedField, { type: string; shown: AnyDocumented }>;

/** Headers, because the documented body of an update cannot have more keys (Contract 4.5.7). */
export const jobHeaders = ({ state, expiresAt }: { state: JobState; expiresAt: string | null }) => ({
  'job-state': state,
  ...(expiresAt && { 'job-expires': expiresAt }),
});

export const companyEnvelope = envelopeOf(documentedCompany);
export const jobEnvelope = envelopeOf(documentedJob);
export const readJobEnvelope = envelopeOf(readJob);
export const listedJobEnvelope = envelopeOf(listedJob);
export const changeEnvelope = envelopeOf(documentedChange);
export const referenceEnvelope = envelopeOf(listedReference);
