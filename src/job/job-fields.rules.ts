import { type FieldsOf, type FieldTable, type ReadContext } from '../content/fields.rules.js';
import { applicationMethods, type JobReference, jobReferences, jobStates } from './job-choices.rules.js';
import { type JobDescription, type JobRecord } from './job.model.js';
import { emptyLocation, type ResolveLocation } from './location/location.js';

/** What else is needed to read the fields of a job. */
export interface JobReadContext extends ReadContext {
  record: JobRecord;
  /** Finds the place that a caller's text names (Contract 4.2.7). */
  resolveLocation: ResolveLocation;
}

type JobPath = keyof JobRecord | `description.${keyof JobDescription}`;

const reference = (path: JobReference, what: string) => {
  const description = `${what}. Its 24-hex id or its public id.`;
  return { type: 'reference', path, kind: jobReferences[path], description } as const;
};

const html = (part: keyof JobDescription, what: string) => {
  const path = `description.${part}` as const;
  const description = `${what}. HTML of at most {maximum} characters after cleaning; plain text is wrapped in a paragraph.`;
  return {
    type: 'html',
    path,
    maximum: 20_000,
    wrapPlainText: true,
    isClearable: true,
    description,
  } as const;
};

const emails = (path: JobPath, whose: string) => {
  const description = `E-mail addresses of ${whose}. At most {maximum} addresses; replaces the list, null or [] empties it.`;
  return { type: 'emails', path, maximum: 4, isClearable: true, description } as const;
};

/** Every field of a job that callers may write (Contract 4.2.2), in the order in which faults are reported. */
export const jobFields = {
  name: {
    type: 'text',
    path: 'name',
    maximum: 150,
    description: 'Accepted, never applied: a differing name gives a warning.',
  },
  state: {
    type: 'choice',
    path: 'state',
    of: jobStates,
    description:
      'The state to move to: from draft, published or archived; from published, archived; from archived, published.',
  },
  contractId: reference('contract', 'Kind of contract'),
  jobCategoryId: reference('jobCategory', 'Job category'),
  worktimeId: reference('worktime', 'Work time'),
  remotePolicyId: reference('remote', 'Remote-work policy'),
  educationId: reference('education', 'Education wanted'),
  experienceId: reference('experience', 'Experience wanted'),
  salary: {
    type: 'text',
    path: 'salary',
    maximum: 30,
    isClearable: true,
    description: 'Free text, at most {maximum} characters.',
  },
  localisation: {
    type: 'text',
    path: 'localisation',
    maximum: 255,
    isClearable: true,
    description: '"city[, department or region][, country]", at most {maximum} characters.',
    store: locate,
  },
  descriptionCompany: html('companyDesc', 'Company presentation'),
  descriptionJob: html('jobDesc', 'Job presentation'),
  descriptionProfile: html('profileDesc', 'Wanted profile'),
  descriptionBenefits: html('benefitDesc', 'Benefits'),
  descriptionProcess: html('processDesc', 'Hiring process'),
  applicationMethod: {
    type: 'choice',
    path: 'applicationMethod',
    of: applicationMethods,
    description: 'How a candidate applies.',
  },
  applicationUrl: {
    type: 'url',
    path: 'applicationUrl',
    maximum: 2_048,
    description:
      'http or https URL of at most {maximum} characters; required when the resulting method is external.',
  },
  managerEmails: emails('managerEmails', 'managers'),
  recruiterEmails: emails('recruiterEmails', 'recruiters'),
} as const satisfies FieldTable<JobReadContext, JobPath>;

/** The fields of a job in a request. */
export type JobFields = FieldsOf<typeof jobFields>;

/** The stored text keeps its place unless that is unknown and the text gives one: an operator may have given an address, too. */
function locate(
  localisation: string | null,
  field: string,
  { record, reader, resolveLocation }: JobReadContext,
) {
  const isStored = localisation === record.localisation;
  if (isStored && (localisation === null || record.location.countryCode !== '')) return {};
  if (localisation === null) return { localisation, location: emptyLocation };
  const { location, isResolved } = resolveLocation(localisation);
  if (!isResolved) reader.warn('location-unresolved', field);
  return isStored && !isResolved ? {} : { localisation, location };
}
