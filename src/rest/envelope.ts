import { type UpdateCompanyMutation, type UpdateJobMutation } from '../graphql/generated/operations.js';

type Company = NonNullable<UpdateCompanyMutation['updateCompany']>['company'];
type Job = NonNullable<UpdateJobMutation['updateJob']>['job'];
type Named = Job['contract'];

/** The company as the documented reply spells it: exactly these keys, always all of them (Contract 2.1). */
export const companyEnvelope = ({ content, ...company }: Company) => ({
  id: company.id,
  name: company.name,
  public_id: company.publicId,
  size: company.size,
  sectors: company.sectors,
  content: {
    visual: { logo: content.visual.logo },
    description: content.description ?? '',
    language: content.language,
  },
  is_published: company.isPublished,
  is_vme_page_published: company.isVmePagePublished,
});

/** The job as the documented reply spells it: exactly these keys, always all of them (Contract 2.2). */
export const jobEnvelope = ({ location, description, ...job }: Job) => ({
  name: job.name,
  public_id: job.publicId,
  company: { public_id: job.company.publicId, name: job.company.name },
  worktime: named(job.worktime),
  remote: named(job.remote),
  education: named(job.education),
  experience: named(job.experience),
  contract: named(job.contract),
  office: named(job.office),
  location: {
    address_nbr: location.addressNbr,
    address: location.address,
    city: location.city,
    administrative_area_department: location.administrativeAreaDepartment,
    administrative_area_region: location.administrativeAreaRegion,
    zip_code: location.zipCode,
    country: location.country,
    country_code: location.countryCode,
  },
  salary: job.salary ?? '',
  description: {
    company_desc: description.companyDesc ?? '',
    job_desc: description.jobDesc ?? '',
    profile_desc: description.profileDesc ?? '',
    benefit_desc: description.benefitDesc ?? '',
    process_desc: description.processDesc ?? '',
  },
  questions: job.questions.map(({ id, name, ref, refType, title, placeholder, isRequired }) => ({
    _id: id,
    name,
    ref,
    ref_type: refType,
    title: { en: title.en, fr: title.fr },
    ...(placeholder && { placeholder: { en: placeholder.en, fr: placeholder.fr } }),
    is_required: isRequired,
  })),
  job_url: job.jobUrl,
  apply_url: job.applyUrl,
  publishedAt: job.publishedAt,
  is_redirect_apply: job.isRedirectApply,
});

const named = (reference: Named) => reference && { public_id: reference.publicId, name: reference.name };
