import { systemActor } from '../access/caller.js';
import { FieldReader } from '../content/field-reader.rules.js';
import { readFields } from '../content/fields.rules.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { changesOf, type Patch } from '../content/changes.rules.js';
import { type Origin } from '../history/history-entry.js';
import { type Step } from '../history/version-write.rules.js';
import { type JobState } from './job-choices.rules.js';
import { type JobFields, jobFields, type JobReadContext } from './job-fields.rules.js';
import { expiryOf, stateAt } from './job-state.rules.js';
import { type JobRecord } from './job.model.js';

/** Checks all fields of the update and says what it would store in the job; the state apart, since its move is checked later. */
export function readJobUpdate(
  { name, ...fields }: JobFields,
  given: Omit<JobReadContext, 'reader'> & { readFaults: readonly FieldFault[] },
) {
  // Whatever was sent for the name, it is at most a warning (Contract 4.2.5).
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

/** The versions of a change; none if it changes nothing. One that archives a job past its end comes first (Contract 3.3). */
export function jobSteps(
  job: JobRecord,
  patch: Patch,
  { now, lifetimeMs, origin }: { now: Date; lifetimeMs: number; origin: Origin },
): Step[] {
  const { publishedAt } = job;
  const current = stateAt(job, now, lifetimeMs);
  const changes = changesOf({ ...job, state: current }, patch);
  if (changes.length === 0) return [];
  const change: Step = { at: now, origin, changes };
  if (current === job.state || publishedAt === null) return [change];
  const archiving: Step = {
    at: expiryOf({ publishedAt }, lifetimeMs),
    origin: { actor: systemActor, transport: 'task', requestId: origin.requestId },
    changes: changesOf(job, { state: current }),
  };
  return [archiving, change];
}
