import { reachesRecord } from '../access/reach.rules.js';
import { company } from '../company/company-fields.rules.js';
import { membershipIn, reachPaths } from '../company/company-identity.rules.js';
import { type GivenFields, type Patch, readFields } from '../fields/fields.rules.js';
import { nodeId } from '../fields/node-id.rules.js';
import { field, inputsOf, object, objectWhere, type ShownOf, spread } from '../fields/row.rules.js';
import { viewsOf } from '../fields/shown-fields.js';
import { ShownHistory } from '../history/history-entry.js';
import { media, toMedia } from '../media/media.rules.js';
import { nameKey } from '../text/name-key.rules.js';
import { applicationMethods, jobStates } from './job-choices.rules.js';
import { endPaths, shownEnd, stateAt, updatedAtOf } from './job-end.rules.js';
import {
  type Context,
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
  type Sources,
  stored,
} from './job-row.rules.js';
import { salaryInputs, salaryRange } from './salary.rules.js';

const fields = {
  id: field(
    from({ job: ['publicId'] }, ({ job }) => nodeId('Job', job.publicId)),
    'ID!',
    'Id in the whole graph.',
    null,
  ),
  name: field(stored('name'), 'String!', 'Title. Updates cannot change it.', {
    rest: 'name',
    input: {
      type: 'text',
      maximum: 150,
      description: 'Ignored: a name cannot change. A different name gives a warning.',
      store: (name: string) => ({ name, nameKey: nameKey(name) }),
    },
  }),
  publicId: field(stored('publicId'), 'String!', 'Readable id. Never changes.', 'public_id'),
  company: object(
    'JobCompany!',
    'Company of the job.',
    { rest: 'company', itself: 'Company of a job. `employer` has all its fields.' },
    {
      publicId: field(stored('company'), 'String!', 'Public id of the company.', 'public_id'),
      name: field(
        from({ company: ['name'] }, ({ company }) => company.name),
        'String!',
        'Name of the company.',
        'name',
      ),
    },
  ),
  worktime: referenceAt('worktime', 'worktimeId', 'Work time', 'worktime'),
  remote: referenceAt('remote', 'remotePolicyId', 'Remote-work policy', 'remote'),
  education: referenceAt('education', 'educationId', 'Required education', 'education'),
  experience: referenceAt('experience', 'experienceId', 'Required experience', 'experience'),
  contract: referenceAt('contract', 'contractId', 'Kind of contract', 'contract'),
  office: field(
    from({ job: ['office'], company: ['office'] }, ({ job, company: { office: at }, language }) =>
      at && job.office?.equals(at._id) ? { publicId: at.publicId, name: at.name[language] } : null,
    ),
    'Office',
    'Company office where the job is based.',
    { rest: 'office', of: office },
  ),
  location,
  salary: field(stored('salary'), 'String', 'Salary as free text; null if not set.', {
    rest: 'salary',
    ifNull: 'empty',
    input: {
      type: 'freeText',
      maximum: 30,
      description: 'Salary as free text, at most {maximum} characters.',
    },
  }),
  salaryRange: field(
    from({ job: ['salaryRange'] }, ({ job }) => job.salaryRange ?? null),
    'SalaryRange',
    'Pay; null if not set.',
    { rest: { inReads: spread }, of: salaryRange, inputs: salaryInputs },
  ),
  description: object(
    'JobDescription!',
    'Texts of the job.',
    { rest: 'description', isLong: true, itself: 'Texts of a job as cleaned HTML; null if not set.' },
    {
      companyDesc: html('companyDesc', 'descriptionCompany', 'Company presentation', 'company_desc'),
      jobDesc: html('jobDesc', 'descriptionJob', 'Job presentation', 'job_desc'),
      profileDesc: html('profileDesc', 'descriptionProfile', 'Required profile', 'profile_desc'),
      benefitDesc: html('benefitDesc', 'descriptionBenefits', 'Benefits', 'benefit_desc'),
      processDesc: html('processDesc', 'descriptionProcess', 'Hiring process', 'process_desc'),
    },
  ),
  questions: field(
    from({ job: ['questions'] }, ({ job }) => job.questions.map(showQuestion)),
    '[Question!]!',
    'Questions of the application form.',
    { rest: 'questions', isLong: true, of: question },
  ),
  jobUrl: jobUrl('', 'URL of the public job page.', 'job_url'),
  applyUrl: jobUrl('#apply', 'URL of the application form on the job page.', 'apply_url'),
  publishedAt: field(
    stored('publishedAt'),
    'DateTimeISO',
    'Time of the last publication, UTC; null if never published.',
    'publishedAt',
  ),
  isRedirectApply: field(
    from({ job: ['applicationMethod'] }, ({ job }) => job.applicationMethod === 'external_apply'),
    'Boolean!',
    'True if applicationMethod is external_apply.',
    'is_redirect_apply',
  ),
  state: field(
    from({ job: endPaths }, ({ job, now }) => stateAt(job, now)),
    'JobState!',
    'Current state; archived from expiresAt on.',
    {
      rest: { inReads: 'state' },
      input: {
        type: 'choice',
        of: jobStates,
        description:
          'New state. A draft can become published or archived, a published job archived, and an archived job published.',
      },
    },
  ),
  expiresAt: field(
    from({ job: ['expiresAt', ...endPaths] }, ({ job, now }) => shownEnd(job, now)),
    'DateTimeISO',
    'When the job will be archived, UTC; null unless it is published.',
    {
      rest: { inReads: 'expires_at' },
      input: {
        type: 'instant',
        description:
          'When the published job ends: an instant with a UTC offset, or a date, which means the end of that day in UTC. At most 90 days after publishedAt, the default; null gives the default back.',
      },
    },
  ),
  jobCategory: referenceAt('jobCategory', 'jobCategoryId', 'Job category', { inReads: 'job_category' }),
  applicationMethod: field(stored('applicationMethod'), 'ApplicationMethod!', 'How candidates apply.', {
    rest: null,
    input: { type: 'choice', of: applicationMethods, description: 'How candidates apply.' },
  }),
  applicationUrl: field(
    stored('applicationUrl'),
    'String',
    'URL where candidates apply if applicationMethod is external_apply.',
    {
      rest: null,
      input: {
        type: 'url',
        maximum: 2_048,
        description:
          'URL where candidates apply: http or https, at most {maximum} characters. Required if applicationMethod is external_apply after the update.',
      },
    },
  ),
  managerEmails: emails('managerEmails', 'managers'),
  recruiterEmails: emails('recruiterEmails', 'recruiters'),
  mediaPublicId: field(stored('media'), 'String!', 'Public id of the media.', {
    rest: { inReads: 'media_public_id' },
  }),
  media: field(
    from({ media: ['publicId', 'name'] }, ({ media }) => toMedia(media)),
    'Media!',
    'Media of the job.',
    { rest: null, of: media },
  ),
  employer: objectWhere(
    from({ company: reachPaths }, ({ caller, mediaPublicId, company }) =>
      reachesRecord(caller, mediaPublicId, company),
    ),
    'Company',
    'Company of the job, with all its fields; null if it is outside the caller’s reach. Needs the scope `r_companies` or `r_w_companies`.',
    { for: 'company', of: company },
  ),
  localisation: field(
    stored('localisation'),
    'String',
    'Place text as the caller sent it; null if not set. An update with the same text keeps a recognised place.',
    {
      rest: null,
      input: {
        type: 'freeText',
        maximum: 255,
        description:
          'Place of the job: "[street, ]city[, department or region][, country]", at most {maximum} characters. A street needs a French postal code.',
        store: locate,
      },
    },
  ),
  updatedAt: field(
    from({ job: [...endPaths, 'updatedAt'] }, ({ job, now }) => updatedAtOf(job, now)),
    'DateTimeISO',
    'Time of the last change, UTC; null if never changed. The end counts as a change.',
    { rest: { inReads: 'updated_at' } },
  ),
  version: field(stored('version'), 'Int!', 'Goes up by one with each change.', null),
  viewerCanUpdate: field(
    from(
      { job: ['media', 'createdBy'], company: ['brand', 'memberships'] },
      ({ job: { media, createdBy }, company, mayUpdate }) =>
        membershipIn(company, media)?.isPublished === true &&
        mayUpdate('updateJob', media, { createdBy, brand: company.brand }),
    ),
    'Boolean!',
    'Whether the caller may update the job: its role, scope and reach allow it, and the company is published.',
    null,
  ),
  history: from(
    { job: ['_id', 'publicId', 'version'] },
    ({ job }) => new ShownHistory(job._id, job.publicId, job.version),
  ),
};

/** A job, with its fields in the order of the documented reply (Contract 2.2). */
export const job = { description: 'A job posting of a company in a media.', isNode: true, fields };

/** What callers may write (Contract 4.2.2). Faults are reported in this order. */
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

export const readJobFields = (fields: GivenFields, context: JobReadContext): Patch =>
  readFields(jobFields, fields, context);

export const jobView = viewsOf<Sources, Context, ShownOf<typeof fields>>(fields);
