import { FieldReader } from '../content/field-reader.rules.js';
import { readFields } from '../content/fields.rules.js';
import { type Warning } from '../content/warning.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { type Patch } from '../history/changes.rules.js';
import { type JobState } from './job-choices.rules.js';
import { type JobFields, jobFields, type JobReadContext } from './job-fields.rules.js';

export interface JobUpdate {
  patch: Patch;
  /** The state asked for, if any; the move is checked after the fields. */
  state: JobState | undefined;
  faults: readonly FieldFault[];
  warnings: Warning[];
}

/** Checks every field of the update at once and says what it would store in the job. */
export function readJobUpdate(
  { name, ...fields }: JobFields,
  given: Omit<JobReadContext, 'reader'> & { readFaults: readonly FieldFault[] },
): JobUpdate {
  // The name is never an error, whatever was sent for it (Contract 4.2.5).
  const reader = new FieldReader(given.readFaults.filter(({ field }) => field !== 'name'));
  const isNameWrongType = given.readFaults.some(({ field }) => field === 'name');
  if (isNameWrongType || (name != null && name !== given.record.name)) reader.warn('name-immutable', 'name');

  const { state, ...patch } = readFields(jobFields, fields, { ...given, reader });
  assertReachable(fields, given.record, patch, reader);
  return { patch, state: state as JobState | undefined, faults: reader.faults, warnings: reader.warnings };
}

/** An external method needs a URL, given now or before (Contract 4.2.9). */
export function assertReachable(
  { applicationUrl }: JobFields,
  record: JobReadContext['record'],
  patch: Patch,
  reader: FieldReader,
): void {
  const isExternal = (patch.applicationMethod ?? record.applicationMethod) === 'external_apply';
  const isUrlGiven =
    applicationUrl !== undefined || reader.faults.some(({ field }) => field === 'applicationUrl');
  if (isExternal && !isUrlGiven && record.applicationUrl === null)
    reader.fail(fieldFault.missing('applicationUrl'));
}
