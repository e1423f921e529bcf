import { FieldReader } from '../fields/field-reader.rules.js';
import { changesOf, type InputFields, type Patch, patched, readFields } from '../fields/fields.rules.js';
import { fieldFault, type FieldFault, isAtFault } from '../errors/field-fault.js';
import { type Origin } from '../history/history-entry.js';
import { type JobSettings } from './job-expiry.rules.js';
import { type JobCreateInput, newJobFields } from './job-fields.rules.js';
import { type JobReadContext } from './job-row.rules.js';
import { type JobRecord } from './job.record.js';
import { requireApplicationUrl, stateAfter } from './job.rules.js';
import { usualQuestions } from './usual-questions.js';

/** In characters. */
export const longestPublicId = 100;
const publicIdPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/**
 * Reads the values of a new job, and gathers all faults of the request.
 * @param context.record the empty job
 * @param context.parseFaults come before all others
 */
export function readNewJob(
  input: InputFields,
  context: Omit<JobReadContext, 'reader'> & {
    now: Date;
    settings: JobSettings;
    parseFaults?: readonly FieldFault[] | undefined;
  },
) {
  const { record, parseFaults = [] } = context;
  const { name, jobPublicId, ...others } = input;
  const reader = new FieldReader(parseFaults);
  readPublicId(jobPublicId, reader);
  if (name === '' && !isAtFault(parseFaults, 'name')) reader.fail(fieldFault.missing('name'));
  const fields: InputFields = name === '' ? others : { ...others, name };
  const { state, expiresAt, ...patch } = readFields(newJobFields, fields, { ...context, reader });
  requireApplicationUrl(fields, record, patch, reader);
  const { patch: publication } = stateAfter(record, { state, expiresAt }, { ...context, reader });
  return { patch: { ...patch, ...publication }, faults: reader.faults, warnings: reader.warnings };
}

function readPublicId(value: unknown, reader: FieldReader): void {
  if (value == null) return;
  const id = value as string;
  if (id.length > longestPublicId) reader.fail(fieldFault.tooLong('jobPublicId', longestPublicId));
  else if (!publicIdPattern.test(id)) reader.fail(fieldFault.format('jobPublicId', expectedPublicId));
}

const expectedPublicId = {
  en: 'Use lower-case letters, digits and hyphens, with a letter or digit at both ends.',
  fr: 'Utilisez des lettres minuscules, des chiffres et des traits d’union, avec une lettre ou un chiffre aux deux bouts.',
};

/** The job with its values, and the history entry of its creation: every value that an empty job lacks. */
export function createdJob(
  empty: JobRecord,
  patch: Patch,
  { at, ...origin }: Origin & { at: Date },
): JobRecord {
  const changes = changesOf(empty, patch)
    .filter(({ field }) => field !== 'nameKey')
    .map((change) => ({ ...change, before: null }));
  const questions = [...usualQuestions];
  return {
    ...patched(empty, patch),
    questions,
    pendingHistory: [{ version: empty.version, at, ...origin, changes }],
  };
}

/** The inputs that a request to create a job must have before anything else is checked. */
export const creationIdentifiers = [
  'mediaPublicId',
  'companyPublicId',
] as const satisfies (keyof JobCreateInput)[];
