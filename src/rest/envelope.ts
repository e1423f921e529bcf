import { getNamedType, type GraphQLField, isObjectType } from 'graphql';
import { type LocalisedTextType } from '../content/field.types.js';
import { type CompanyType } from '../company/company.types.js';
import { type JobType } from '../job/job.types.js';
import { type ReferenceType } from '../reference/reference.types.js';
import { askedAlone, type Documented, envelopeOf, graphqlOnly } from './documented.js';

/** A company as the documented reply spells it (Contract 2.1). */
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
  version: graphqlOnly,
} satisfies Documented<Omit<CompanyType, 'history'>>;

const localised = { en: { as: 'en' }, fr: { as: 'fr' } } satisfies Documented<LocalisedTextType>;

/** A reference as the documented reply of a job spells it. */
export const documentedReference = {
  publicId: { as: 'public_id' },
  name: { as: 'name' },
  id: graphqlOnly,
  names: { as: null, fields: localised },
  parentPublicId: graphqlOnly,
} satisfies Documented<ReferenceType>;

/** A reference as a list of its kind spells it (Contract 4.5.3). */
export const listedReference = {
  id: { as: 'id' },
  publicId: { as: 'public_id' },
  name: { as: 'name' },
  names: { as: null, fields: localised },
  parentPublicId: graphqlOnly,
} satisfies Documented<ReferenceType>;

/** A job as the documented reply spells it (Contract 2.2). */
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
  version: graphqlOnly,
} satisfies Documented<Omit<JobType, 'history'>>;

/** What the replies show of each type that a path answers. */
export const documentedTypes = { Company: documentedCompany, Job: documentedJob, Reference: listedReference };
type DocumentedType = keyof typeof documentedTypes;

/** The type that an operation answers, or has in its payload. @throws Error where the replies show none */
export function recordOf({ name, type }: GraphQLField<unknown, unknown>): DocumentedType {
  const answered = getNamedType(type);
  const parts = isObjectType(answered) ? Object.values(answered.getFields()) : [];
  const types = [answered, ...parts.map((part) => getNamedType(part.type))];
  const found = types.find((each) => Object.hasOwn(documentedTypes, each.name));
  if (!found) throw new Error(`the answer of ${name} has no documented type`);
  return found.name as DocumentedType;
}

export const companyEnvelope = envelopeOf(documentedCompany);
export const jobEnvelope = envelopeOf(documentedJob);
export const referenceEnvelope = envelopeOf(listedReference);
