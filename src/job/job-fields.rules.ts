import { membershipIn, reachesRecord } from '../permissions/reach.rules.js';
import { company } from '../company/company-fields.rules.js';
import { reachPaths } from '../company/company-identity.rules.js';
import { elements } from '../fields/complexity.rules.js';
import {
  type FieldTable,
  type InputFields,
  type Patch,
  readFields,
  type WritableField,
} from '../fields/fields.rules.js';
import { kinds } from '../fields/kinds.rules.js';
import { field, type InputOf, inputsOf, inReads, nodeId, type ViewOf, spread } from '../fields/row.rules.js';
import { viewsOf } from '../fields/view.rules.js';
import { type HistoryPosition } from '../history/history-entry.js';
import { media, toMedia } from '../media/media.rules.js';
import { filtersOf } from '../paging/field-filter.rules.js';
import { nameKey } from '../text/name-key.rules.js';
import { applicationMethods, type JobState, jobStates } from './job-choices.rules.js';
import { endPaths, visibleEnd, stateAt, updatedAtOf } from './job-end.rules.js';
import {
  type JobContext,
  emails,
  from,
  html,
  type JobReadContext,
  jobUrl,
  locate,
  location,
  office,
  question,
  referenceAt,
  showQuestion,
  type JobSources,
  stored,
} from './job-row.rules.js';
import { placeFilter } from './location/place-filter.rules.js';
import { nextStates } from './job.rules.js';
import { salaryRange } from './salary.rules.js';

const employment = {
  description: 'Company of a job. `employer` has all its fields.',
  fields: {
    id: field(
      'ID!',
      'Id of `employer` in the whole graph.',
      null,
      from({ job: ['media', 'company'] }, ({ job }) => nodeId('Company', job.media, job.company)),
    ),
    publicId: field('String!', 'Public id of the company.', 'public_id', stored('company')),
    name: field(
      'String!',
      'Name of the company.',
      'name',
      from({ company: ['name'] }, ({ company }) => company.name),
    ),
  },
};

const texts = {
  description: 'Texts of a job as cleaned HTML; null if not set.',
  fields: {
    companyDesc: html('companyDesc', 'descriptionCompany', 'Company presentation', 'company_desc'),
    jobDesc: html('jobDesc', 'descriptionJob', 'Job presentation', 'job_desc'),
    profileDesc: html('profileDesc', 'descriptionProfile', 'Required profile', 'profile_desc'),
    benefitDesc: html('benefitDesc', 'descriptionBenefits', 'Benefits', 'benefit_desc'),
    processDesc: html('processDesc', 'descriptionProcess', 'Hiring process', 'process_desc'),
  },
};

const fields = {
  id: field(
    'ID!',
    'Id in the whole graph.',
    null,
    from({ job: ['publicId'] }, ({ job }) => nodeId('Job', job.publicId)),
  ),
  name: field('String!', 'Title. Updates cannot change it.', 'name', {
    ...stored('name'),
    input: {
      kind: kinds.text(150),
      description: 'Ignored: a name cannot change. A different name gives a warning.',
      store: (name: string) => ({ name, nameKey: nameKey(name) }),
    },
  }),
  publicId: field('String!', 'Readable id. Never changes.', 'public_id', stored('publicId')),
  company: field('JobCompany!', 'Company of the job.', 'company', { of: employment }),
  worktime: referenceAt('worktime', 'worktimeId', 'Work time', 'worktime'),
  remote: referenceAt('remote', 'remotePolicyId', 'Remote-work policy', 'remote'),
  education: referenceAt('education', 'educationId', 'Required education', 'education'),
  experience: referenceAt('experience', 'experienceId', 'Required experience', 'experience'),
  contract: referenceAt('contract', 'contractId', 'Kind of contract', 'contract'),
  office: field('Office', 'Company office where the job is based.', 'office', {
    ...from({ job: ['office'], company: ['office'] }, ({ job, company: { office: at }, language }) =>
      at && job.office?.equals(at._id) ? { publicId: at.publicId, name: at.name[language] } : null,
    ),
    of: office,
  }),
  location: field('JobLocation!', 'Place of the job.', 'location', { of: location, filter: placeFilter }),
  salary: field('String', 'Salary as free text; null if not set.', 'salary', {
    ...stored('salary'),
    ifNull: 'empty',
    input: {
      kind: kinds.freeText(30),
      description: 'Salary as free text, at most {maximumLength} characters.',
    },
  }),
  salaryRange: field('SalaryRange', 'Pay; null if not set.', inReads(spread), {
    ...from({ job: ['salaryRange'] }, ({ job }) => job.salaryRange),
    of: salaryRange,
  }),
  description: field('JobDescription!', 'Texts of the job.', 'description', { isLong: true, of: texts }),
  questions: field('[Question!]!', 'Questions of the application form.', 'questions', {
    ...from({ job: ['questions'] }, ({ job }) => job.questions.map(showQuestion)),
    isLong: true,
    of: question,
    // Most have six, and some a hundred.
    complexity: elements(60),
  }),
  jobUrl: jobUrl('', 'URL of the public job page.', 'job_url'),
  applyUrl: jobUrl('#apply', 'URL of the application form on the job page.', 'apply_url'),
  publishedAt: field(
    'DateTimeISO',
    'Time of the last publication, UTC; null if never published.',
    'publishedAt',
    stored('publishedAt'),
  ),
  isRedirectApply: field(
    'Boolean!',
    'True if candidates apply on another site.',
    'is_redirect_apply',
    from({ job: ['applicationMethod'] }, ({ job }) => job.applicationMethod === 'external_apply'),
  ),
  state: field('JobState!', 'Current state; archived from its end on.', inReads('state'), {
    ...from({ job: endPaths }, ({ job, now }) => stateAt(job, now)),
    input: {
      kind: kinds.choice(jobStates),
      description:
        'New state. A draft can become published or archived, a published job archived, and an archived job published.',
    },
  }),
  nextStates: field(
    '[JobState!]!',
    'The states that the job can move to now.',
    null,
    from({ job: endPaths }, ({ job, now }) => nextStates(job, now)),
  ),
  expiresAt: field(
    'DateTimeISO',
    'When the job will be archived, UTC; null unless it is published.',
    inReads('expires_at'),
    {
      ...from({ job: ['expiresAt', ...endPaths] }, ({ job, now }) => visibleEnd(job, now)),
      input: {
        kind: kinds.instant(),
        description:
          'When the published job ends: an instant with a UTC offset, or a date, which means the end of that day in UTC. At most 90 days after the publication, the default; null gives the default back.',
      },
    },
  ),
  jobCategory: referenceAt('jobCategory', 'jobCategoryId', 'Job category', inReads('job_category')),
  applicationMethod: field('ApplicationMethod!', 'How candidates apply.', null, {
    ...stored('applicationMethod'),
    input: { kind: kinds.choice(applicationMethods), description: 'How candidates apply.' },
  }),
  applicationUrl: field(
    'String',
    'URL where candidates apply if applicationMethod is external_apply.',
    null,
    {
      ...stored('applicationUrl'),
      input: {
        kind: kinds.url(2_048),
        description:
          'URL where candidates apply: http or https, at most {maximumLength} characters. Required if candidates apply externally after the call.',
      },
    },
  ),
  managerEmails: emails('managerEmails', 'managers'),
  recruiterEmails: emails('recruiterEmails', 'recruiters'),
  mediaPublicId: field('String!', 'Public id of the media.', inReads('media_public_id'), stored('media')),
  media: field('Media!', 'Media of the job.', null, {
    ...from({ media: ['publicId', 'name'] }, ({ media }) => toMedia(media)),
    of: media,
  }),
  employer: field(
    'Company',
    'Company of the job, with all its fields; null if it is outside the caller’s reach. Needs the scope `r_companies` or `r_w_companies`.',
    null,
    {
      for: 'company',
      of: company,
      isVisible: from({ company: reachPaths }, ({ caller, mediaPublicId, company }) =>
        reachesRecord(caller, mediaPublicId, company),
      ),
    },
  ),
  localisation: field(
    'String',
    'Place text as the caller sent it; null if not set. An update with the same text keeps a recognised place.',
    null,
    {
      ...stored('localisation'),
      input: {
        kind: kinds.freeText(255),
        description:
          'Place of the job: "[street, ]city[, department or region][, country]", at most {maximumLength} characters. A street needs a French postal code.',
        store: locate,
      },
    },
  ),
  updatedAt: field(
    'DateTimeISO!',
    'Time of the last change or, if there was none, of the creation, UTC. The end counts as a change.',
    inReads('updated_at'),
    from({ job: [...endPaths, 'updatedAt'] }, ({ job, now }) => updatedAtOf(job, now)),
  ),
  version: field('Int!', 'Goes up by one with each change.', null, stored('version')),
  viewerCanUpdate: field(
    'Boolean!',
    'Whether the caller may update the job: its role, scope and reach allow it, and the company is published.',
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

/** A job, with its fields in the order of the documented reply. */
export const job = { description: 'A job posting of a company in a media.', isNode: true, fields };

/** An absent media or company means the job's own media or company. */
export type JobUpdateInput = InputOf<typeof fields> & {
  jobPublicId: string;
  mediaPublicId?: string | null;
  companyPublicId?: string | null;
};

export type JobCreateInput = InputOf<typeof fields> & {
  mediaPublicId: string;
  companyPublicId: string;
  /** Default: made of the name. */
  jobPublicId?: string | null;
};

/** The fields that callers can write. Faults are reported in this order. */
export const jobFields = inputsOf(fields, [
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

/** The filters of lists of jobs that follow from these fields. */
export const jobFilters = filtersOf(fields);

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
    kind: kinds.choice(firstStates),
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

export const jobView = viewsOf<JobSources, JobContext, ViewOf<typeof fields>>(fields);
