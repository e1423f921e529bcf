import { type Types } from 'mongoose';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { FieldReader, type Given } from '../content/field-reader.rules.js';
import { type Warning } from '../content/warning.js';
import { type Patch } from '../history/changes.rules.js';
import { type ReferenceBook } from '../reference/reference-book.js';
import { type ReferenceKind } from '../reference/reference.model.js';
import { type ApplicationMethod, type JobDescription, type JobRecord, type JobState } from './job.model.js';
import { type Location, emptyLocation } from './location/location.js';

/** The fields of a job update as a door read them (Contract 4.2.2). */
export interface JobFields {
  name?: Given<string>;
  state?: Given<JobState>;
  contractId?: Given<string>;
  jobCategoryId?: Given<string>;
  worktimeId?: Given<string>;
  remotePolicyId?: Given<string>;
  educationId?: Given<string>;
  experienceId?: Given<string>;
  salary?: Given<string>;
  localisation?: Given<string>;
  descriptionCompany?: Given<string>;
  descriptionJob?: Given<string>;
  descriptionProfile?: Given<string>;
  descriptionBenefits?: Given<string>;
  descriptionProcess?: Given<string>;
  applicationMethod?: Given<ApplicationMethod>;
  applicationUrl?: Given<string>;
  managerEmails?: Given<readonly string[]>;
  recruiterEmails?: Given<readonly string[]>;
}

/** Bounds of a job's fields, in code points unless said otherwise (Contract 8.5). */
export const jobLimits = {
  salary: 30,
  localisation: 255,
  /** Of each description, after cleaning. */
  description: 20_000,
  applicationUrl: 2_048,
  /** Addresses in each list. */
  emails: 4,
};

interface ReferenceField {
  input: 'contractId' | 'jobCategoryId' | 'worktimeId' | 'remotePolicyId' | 'educationId' | 'experienceId';
  field: string;
  kind: ReferenceKind;
  path: 'contract' | 'jobCategory' | 'worktime' | 'remote' | 'education' | 'experience';
}

/** Each reference field: its name on either door, the kind that it must be of, and where it is stored. */
export const referenceFields: readonly ReferenceField[] = [
  { input: 'contractId', field: 'contract_id', kind: 'contract', path: 'contract' },
  { input: 'jobCategoryId', field: 'job_category_id', kind: 'job_category', path: 'jobCategory' },
  { input: 'worktimeId', field: 'worktime_id', kind: 'worktime', path: 'worktime' },
  { input: 'remotePolicyId', field: 'remote_policy_id', kind: 'remote', path: 'remote' },
  { input: 'educationId', field: 'education_id', kind: 'education', path: 'education' },
  { input: 'experienceId', field: 'experience_id', kind: 'experience', path: 'experience' },
];

interface DescriptionField {
  input:
    | 'descriptionCompany'
    | 'descriptionJob'
    | 'descriptionProfile'
    | 'descriptionBenefits'
    | 'descriptionProcess';
  field: string;
  part: keyof JobDescription;
}

const descriptionFields: readonly DescriptionField[] = [
  { input: 'descriptionCompany', field: 'description_company', part: 'companyDesc' },
  { input: 'descriptionJob', field: 'description_job', part: 'jobDesc' },
  { input: 'descriptionProfile', field: 'description_profile', part: 'profileDesc' },
  { input: 'descriptionBenefits', field: 'description_benefits', part: 'benefitDesc' },
  { input: 'descriptionProcess', field: 'description_process', part: 'processDesc' },
];

export interface JobUpdate {
  patch: Patch;
  /** The state asked for, if any; the move is checked after the fields. */
  state: JobState | undefined;
  faults: readonly FieldFault[];
  warnings: Warning[];
}

/** Checks every field of the update at once and says what it would store in the job. */
export function readJobUpdate(
  fields: JobFields,
  job: JobRecord,
  book: ReferenceBook,
  options: {
    resolveLocation: (localisation: string) => { location: Location; isResolved: boolean };
    readFaults: readonly FieldFault[];
  },
): JobUpdate {
  // The name is never an error, whatever was sent for it (Contract 4.2.5).
  const reader = new FieldReader(options.readFaults.filter(({ field }) => field !== 'name'));
  const isNameWrongType = options.readFaults.some(({ field }) => field === 'name');
  const patch: Patch = {};
  const warnings: Warning[] = [];

  if (isNameWrongType || (fields.name != null && fields.name.trim() !== job.name)) {
    warnings.push({ code: 'name-immutable', field: 'name' });
  }
  if (fields.state === null) reader.fail(fieldFault.mustBe('state', 'string'));

  for (const { input, field, kind, path } of referenceFields) {
    const id = readReference(reader, field, fields[input], (given) => book.find(kind, given)?._id);
    if (id) patch[path] = id;
  }

  const salary = reader.clearableText('salary', fields.salary, jobLimits.salary);
  if (salary !== undefined) patch.salary = salary;

  const localisation = reader.clearableText('localisation', fields.localisation, jobLimits.localisation);
  // A place that is known stays as it is, with an address that the text alone would not give again.
  const isKnownPlace = localisation === job.localisation && job.location.countryCode !== '';
  if (localisation !== undefined && !isKnownPlace) {
    const { location, isResolved } = localisation
      ? options.resolveLocation(localisation)
      : { location: emptyLocation, isResolved: true };
    if (!isResolved) warnings.push({ code: 'location-unresolved', field: 'localisation' });
    Object.assign(patch, { localisation, location });
  }

  for (const { input, field, part } of descriptionFields) {
    const given = fields[input];
    // What is stored was cleaned, and cleaning again changes nothing.
    const html =
      given === job.description[part]
        ? given
        : reader.html(field, given, jobLimits.description, { wrapPlainText: true, warnings });
    if (html !== undefined) patch[`description.${part}`] = html;
  }

  readApplication(reader, fields, job, patch);

  const managers = reader.emails('manager_emails', fields.managerEmails, jobLimits.emails);
  if (managers) patch.managerEmails = managers;
  const recruiters = reader.emails('recruiter_emails', fields.recruiterEmails, jobLimits.emails);
  if (recruiters) patch.recruiterEmails = recruiters;

  return { patch, state: fields.state ?? undefined, faults: reader.faults, warnings };
}

function readReference(
  reader: FieldReader,
  field: string,
  given: Given<string>,
  find: (id: string) => Types.ObjectId | undefined,
): Types.ObjectId | undefined {
  const id = reader.present(field, given);
  return id === undefined ? undefined : (find(id) ?? reader.fail(fieldFault.notFound(field)));
}

/** The method and its URL go together: an external one needs a URL, given now or before (Contract 4.2.9). */
function readApplication(reader: FieldReader, fields: JobFields, job: JobRecord, patch: Patch): void {
  if (fields.applicationMethod === null) reader.fail(fieldFault.mustBe('application_method', 'string'));
  if (fields.applicationMethod) patch.applicationMethod = fields.applicationMethod;

  const url = reader.url('application_url', fields.applicationUrl, jobLimits.applicationUrl);
  if (url !== undefined) patch.applicationUrl = url;

  const isExternal = (fields.applicationMethod ?? job.applicationMethod) === 'external_apply';
  const isUrlGiven =
    fields.applicationUrl !== undefined || reader.faults.some(({ field }) => field === 'application_url');
  if (isExternal && !isUrlGiven && job.applicationUrl === null) {
    reader.fail(fieldFault.missing('application_url'));
  }
}
