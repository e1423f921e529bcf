import { membershipIn, reachesRecord } from '../permissions/reach.rules.js';
import { companyRows } from '../company/company-fields.rules.js';
import { reachPaths } from '../company/company-identity.rules.js';
import {
  type FieldTable,
  type InputFields,
  type Patch,
  readFields,
  type WritableField,
} from '../fields/fields.rules.js';
import { fieldTypes } from '../fields/field-types.rules.js';
import { field, type InputOf, inputsOf, inReads, nodeId, type ViewOf, spread } from '../fields/row.rules.js';
import { viewsOf } from '../fields/view.rules.js';
import { type HistoryPosition } from '../history/history-entry.js';
import { toMedia } from '../media/media.rules.js';
import { nameKey } from '../text/name-key.rules.js';
import { applicationMethods, type JobState, jobStates } from './job-choices.rules.js';
import { expiryPaths, visibleExpiry, stateAt, updatedAtOf } from './job-expiry.rules.js';
import {
  type JobContext,
  emails,
  from,
  html,
  type JobReadContext,
  jobUrl,
  locate,
  locationRows,
  officeRows,
  questionRows,
  referenceAt,
  showQuestion,
  type JobSources,
  stored,
} from './job-row.rules.js';
import { nextStates } from './job.rules.js';
import { salaryRows } from './salary.rules.js';

const employment = {
  id: field(
    null,
    from({ job: ['media', 'company'] }, ({ job }) => nodeId('Company', job.media, job.company)),
  ),
  publicId: field('public_id', stored('company')),
  name: field(
    'name',
    from({ company: ['name'] }, ({ company }) => company.name),
  ),
};

const texts = {
  companyDesc: html('companyDesc', 'descriptionCompany', 'Company presentation', 'company_desc'),
  jobDesc: html('jobDesc', 'descriptionJob', 'Job presentation', 'job_desc'),
  profileDesc: html('profileDesc', 'descriptionProfile', 'Required profile', 'profile_desc'),
  benefitDesc: html('benefitDesc', 'descriptionBenefits', 'Benefits', 'benefit_desc'),
  processDesc: html('processDesc', 'descriptionProcess', 'Hiring process', 'process_desc'),
};

/** What is shown of a job, in the order of the documented reply, and what callers write. Its class is `JobType`. */
export const jobRows = {
  id: field(
    null,
    from({ job: ['publicId'] }, ({ job }) => nodeId('Job', job.publicId)),
  ),
  name: field('name', {
    ...stored('name'),
    input: {
      type: fieldTypes.text(150),
      description: 'Ignored: a name cannot change. A different name gives a warning.',
      store: (name: string) => ({ name, nameKey: nameKey(name) }),
    },
  }),
  publicId: field('public_id', stored('publicId')),
  company: field('company', { of: employment }),
  worktime: referenceAt('worktime', 'worktimeId', 'Work time', 'worktime'),
  remote: referenceAt('remote', 'remotePolicyId', 'Remote-work policy', 'remote'),
  education: referenceAt('education', 'educationId', 'Required education', 'education'),
  experience: referenceAt('experience', 'experienceId', 'Required experience', 'experience'),
  contract: referenceAt('contract', 'contractId', 'Kind of contract', 'contract'),
  office: field('office', {
    ...from({ job: ['office'], company: ['office'] }, ({ job, company: { office: at }, language }) =>
      at && job.office?.equals(at._id) ? { publicId: at.publicId, name: at.name[language] } : null,
    ),
    of: officeRows,
  }),
  location: field('location', { of: locationRows }),
  salary: field('salary', {
    ...stored('salary'),
    ifNull: 'empty',
    input: {
      type: fieldTypes.freeText(30),
      description: 'Salary as free text, at most {maximumLength} characters.',
    },
  }),
  salaryRange: field(inReads(spread), {
    ...from({ job: ['salaryRange'] }, ({ job }) => job.salaryRange),
    of: salaryRows,
  }),
  description: field('description', { isLong: true, of: texts }),
  questions: field('questions', {
    ...from({ job: ['questions'] }, ({ job }) => job.questions.map(showQuestion)),
    isLong: true,
    of: questionRows,
  }),
  jobUrl: jobUrl('', 'job_url'),
  applyUrl: jobUrl('#apply', 'apply_url'),
  publishedAt: field('publishedAt', stored('publishedAt')),
  isRedirectApply: field(
    'is_redirect_apply',
    from({ job: ['applicationMethod'] }, ({ job }) => job.applicationMethod === 'external_apply'),
  ),
  state: field(inReads('state'), {
    ...from({ job: expiryPaths }, ({ job, now }) => stateAt(job, now)),
    input: {
      type: fieldTypes.choice(jobStates),
      description:
        'New state. A draft can become published or archived, a published job archived, and an archived job published.',
    },
  }),
  nextStates: field(
    null,
    from({ job: expiryPaths }, ({ job, now }) => nextStates(job, now)),
  ),
  expiresAt: field(inReads('expires_at'), {
    ...from({ job: ['expiresAt', ...expiryPaths] }, ({ job, now }) => visibleExpiry(job, now)),
    input: {
      type: fieldTypes.instant(),
      description:
        'When the published job ends: an instant with a UTC offset, or a date, which means the end of that day in UTC. At most 90 days after the publication, the default; null gives the default back.',
    },
  }),
  jobCategory: referenceAt('jobCategory', 'jobCategoryId', 'Job category', inReads('job_category')),
  applicationMethod: field(null, {
    ...stored('applicationMethod'),
    input: { type: fieldTypes.choice(applicationMethods), description: 'How candidates apply.' },
  }),
  applicationUrl: field(null, {
    ...stored('applicationUrl'),
    input: {
      type: fieldTypes.url(2_048),
      description:
        'URL where candidates apply: http or https, at most {maximumLength} characters. Required if candidates apply externally after the call.',
    },
  }),
  managerEmails: emails('managerEmails', 'managers'),
  recruiterEmails: emails('recruiterEmails', 'recruiters'),
  mediaPublicId: field(inReads('media_public_id'), stored('media')),
  media: field(null, {
    ...from({ media: ['publicId', 'name'] }, ({ media }) => toMedia(media)),
  }),
  employer: field(null, {
    of: companyRows,
    isVisible: from({ company: reachPaths }, ({ caller, mediaPublicId, company }) =>
      reachesRecord(caller, mediaPublicId, company),
    ),
  }),
  localisation: field(null, {
    ...stored('localisation'),
    input: {
      type: fieldTypes.freeText(255),
      description:
        'Place of the job: "[street, ]city[, department or region][, country]", at most {maximumLength} characters. A street needs a French postal code.',
      store: locate,
    },
  }),
  updatedAt: field(
    inReads('updated_at'),
    from({ job: [...expiryPaths, 'updatedAt'] }, ({ job, now }) => updatedAtOf(job, now)),
  ),
  version: field(null, stored('version')),
  viewerCanUpdate: field(
    null,
    from(
      { job: ['media', 'createdBy'], company: ['brand', 'memberships'] },
      ({ job: { media, createdBy }, company, mayUpdate }) =>
        membershipIn(company, media)?.isPublished === true &&
        mayUpdate('updateJob', media, { createdBy, brand: company.brand }),
    ),
  ),
  // job.resolver.ts shows it.
  history: from({ job: ['_id', 'publicId', 'version'] }, ({ job }): HistoryPosition => ({
    record: job._id,
    publicId: job.publicId,
    version: job.version,
  })),
};

/** An absent media or company means the job's own media or company. */
export type JobUpdateInput = InputOf<typeof jobRows> & {
  jobPublicId: string;
  mediaPublicId?: string | null;
  companyPublicId?: string | null;
};

export type JobCreateInput = InputOf<typeof jobRows> & {
  mediaPublicId: string;
  companyPublicId: string;
  /** Default: made of the name. */
  jobPublicId?: string | null;
};

/** The fields that callers can write. Faults are reported in this order. */
export const jobFields = inputsOf(jobRows, [
  'name',
  'state',
  'expiresAt',
  'contractId',
  'jobCategoryId',
  'worktimeId',
  'remotePolicyId',
  'educationId',
  'experienceId',
  'salary',
  'salaryMinimum',
  'salaryMaximum',
  'salaryCurrency',
  'salaryPeriod',
  'localisation',
]);

/** A new job begins in one of these states. */
const firstStates = ['draft', 'published'] satisfies JobState[];

const { name, state, expiresAt } = jobFields as Record<'name' | 'state' | 'expiresAt', WritableField>;

/** The fields that callers can write when they create a job: the fields of an update. Some mean something else here. */
export const newJobFields: FieldTable = {
  ...jobFields,
  name: {
    ...name,
    description: 'Title, 1 to {maximumLength} characters. Cannot be changed later. Names may repeat.',
  },
  state: {
    ...state,
    type: fieldTypes.choice(firstStates),
    description: 'State in which the job begins; default draft.',
  },
  expiresAt: {
    ...expiresAt,
    description:
      'When the job ends: an instant with a UTC offset, or a date, which means the end of that day in UTC. After now and, the default, at most 90 days later. Only for a job that begins as published.',
  },
};

export const readJobFields = (fields: InputFields, context: JobReadContext): Patch =>
  readFields(jobFields, fields, context);

export const jobView = viewsOf<JobSources, JobContext, ViewOf<typeof jobRows>>(jobRows);
