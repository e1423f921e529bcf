import {
  type CompanyFieldsFragment,
  type CreateJobInput,
  type JobFieldsFragment,
  type UpdateCompanyInput,
  type UpdateJobInput,
} from './documents/graphql.js';

type Emails = 'managerEmails' | 'recruiterEmails';

/** What a form writes of a job: its e-mail lists if it read them. A name cannot change. */
export type JobInput = Filled<Omit<UpdateJobInput, 'name' | 'mediaPublicId' | 'companyPublicId' | Emails>> &
  Partial<Filled<Pick<UpdateJobInput, Emails>>>;

/** What a form writes of a new job. */
export type NewJobInput = { [Field in keyof CreateJobInput]?: CreateJobInput[Field] | null };

/** What a form writes of a company. A new logo is a file in `logo`; `logoUrl` is the one that the company has. */
export type CompanyInput = Filled<Omit<UpdateCompanyInput, 'logo'>> & { logo?: Blob };

type Filled<Input> = { [Field in keyof Input]-?: Exclude<Input[Field], undefined> };

type EditedJob = JobFieldsFragment & { [Name in Emails]?: string[] | null };

/** The input that writes back what `JobFormDocument` reads. */
export function jobInputOf(job: EditedJob): JobInput {
  const { description, salaryRange: pay } = job;
  return {
    jobPublicId: job.publicId,
    state: job.state,
    expiresAt: job.expiresAt,
    contractId: job.contract?.publicId ?? null,
    jobCategoryId: job.jobCategory?.publicId ?? null,
    worktimeId: job.worktime?.publicId ?? null,
    remotePolicyId: job.remote?.publicId ?? null,
    educationId: job.education?.publicId ?? null,
    experienceId: job.experience?.publicId ?? null,
    salary: job.salary,
    salaryRange: pay && {
      minimum: pay.minimum,
      maximum: pay.maximum,
      currency: pay.currency,
      period: pay.period,
    },
    localisation: job.localisation,
    descriptionCompany: description.companyDesc,
    descriptionJob: description.jobDesc,
    descriptionProfile: description.profileDesc,
    descriptionBenefits: description.benefitDesc,
    descriptionProcess: description.processDesc,
    applicationMethod: job.applicationMethod,
    applicationUrl: job.applicationUrl,
    ...(job.managerEmails && { managerEmails: job.managerEmails }),
    ...(job.recruiterEmails && { recruiterEmails: job.recruiterEmails }),
  };
}

/** The input of a job that has no values yet. */
export const newJobInput = (mediaPublicId: string, companyPublicId: string | null = null): NewJobInput => ({
  mediaPublicId,
  companyPublicId,
});

/** The input of a new job that has what `JobFormDocument` reads of another, except its state and its end. */
export const jobCopyOf = (job: EditedJob): NewJobInput => ({
  ...newJobInput(job.mediaPublicId, job.company.publicId),
  ...jobInputOf(job),
  ...{ name: job.name, jobPublicId: null, state: null, expiresAt: null },
});

/** The input that writes back what `CompanyFormDocument` reads. */
export const companyInputOf = (company: CompanyFieldsFragment): CompanyInput => ({
  mediaPublicId: company.mediaPublicId,
  companyPublicId: company.publicId,
  name: company.name,
  domainUrl: company.domainUrl,
  sizeId: company.sizeReference?.publicId ?? null,
  sectorIds: company.sectorReferences?.map(({ publicId }) => publicId) ?? [],
  description: company.content.description,
  logoUrl: company.content.visual.logo,
});

/**
 * The name of a form's input, such as `salaryRange.maximum` or `managerEmails`, for the `path` of a fault, a name in `changedFields` of a
 * conflict, or the `field` of a change in a history.
 */
export const inputNameOf = (path: string | readonly string[]): string =>
  (typeof path === 'string' ? path.split('.') : path.slice(1))
    .filter((part) => !/^\d+$/.test(part))
    .join('.');
