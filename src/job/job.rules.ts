import { systemActor } from '../access/caller.js';
import { FieldReader } from '../content/field-reader.rules.js';
import { changesOf, type Patch, readFields } from '../content/fields.rules.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { type Origin } from '../history/history-entry.js';
import { type Step } from '../history/version-write.rules.js';
import { type JobState } from './job-choices.rules.js';
import { type JobFields, jobFields, type JobReadContext } from './job-fields.rules.js';
import { type JobRecord } from './job.model.js';

/** The allowed state transitions. Staying in a state is not a transition (Contract 3.2). */
const moves: Record<JobState, readonly JobState[]> = {
  draft: ['published', 'archived'],
  published: ['archived'],
  archived: ['published'],
};

/** Whether an update of a job in state `from` may send state `to`. The current state is always allowed (Contract 3.2). */
export const isMoveAllowed = (from: JobState, to: JobState): boolean =>
  from === to || moves[from].includes(to);

/** The fields that decide when a job ends. */
interface Expiring {
  state: JobState;
  publishedAt: Date | null;
}

/** When a published job ends: one lifetime after its publication (Contract 3.3). */
export const expiryOf = ({ publishedAt }: { publishedAt: Date }, lifetimeMs: number): Date =>
  new Date(publishedAt.getTime() + lifetimeMs);

/** {@link expiryOf} as a database expression. */
export const expiryExpression = (lifetimeMs: number) => ({ $add: ['$publishedAt', lifetimeMs] });

/** Milliseconds since the end of a published job; negative before its end. Null for a job without an end. */
export function overdueMs({ state, publishedAt }: Expiring, now: Date, lifetimeMs: number): number | null {
  if (state !== 'published' || publishedAt === null) return null;
  return now.getTime() - expiryOf({ publishedAt }, lifetimeMs).getTime();
}

/** The state of a job at an instant. A published job is archived from its end on, even before the archiving task runs (Contract 3.3). */
export const stateAt = (job: Expiring, now: Date, lifetimeMs: number): JobState =>
  (overdueMs(job, now, lifetimeMs) ?? -1) >= 0 ? 'archived' : job.state;

/** When a job that is published now will be archived; null for any other job. */
export const expiresAt = (job: Expiring, now: Date, lifetimeMs: number): Date | null =>
  job.publishedAt && stateAt(job, now, lifetimeMs) === 'published'
    ? expiryOf({ publishedAt: job.publishedAt }, lifetimeMs)
    : null;

/** When a job last changed; null if never. The end of a job counts as a change, even before the archiving task runs (Contract 2.2.10). */
export const updatedAtOf = (
  job: Expiring & { updatedAt?: Date | null },
  now: Date,
  lifetimeMs: number,
): Date | null =>
  job.publishedAt && stateAt(job, now, lifetimeMs) !== job.state
    ? expiryOf({ publishedAt: job.publishedAt }, lifetimeMs)
    : (job.updatedAt ?? null);

/** Matches jobs past their end that are still stored as published. Readers see them as archived. */
export const dueQuery = (now: Date, lifetimeMs: number) => ({
  state: 'published' as const,
  publishedAt: { $lte: publicationEndingAt(now, lifetimeMs) },
});

/** Matches jobs that are published now; with `before`, only jobs that end before that instant. */
export const liveQuery = (now: Date, lifetimeMs: number, before?: Date) => ({
  state: 'published' as const,
  publishedAt: {
    $gt: publicationEndingAt(now, lifetimeMs),
    ...(before && { $lt: publicationEndingAt(before, lifetimeMs) }),
  },
});

/** The publication instant of a job that ends at `end`. */
export const publicationEndingAt = (end: Date, lifetimeMs: number): Date =>
  new Date(end.getTime() - lifetimeMs);

/**
 * Checks all fields of an update and returns the values to store. Returns the new state separately, because `JobService`
 * checks the state transition later.
 */
export function readJobUpdate(
  { name, ...fields }: JobFields,
  given: Omit<JobReadContext, 'reader'> & { readFaults: readonly FieldFault[] },
) {
  // A name causes at most a warning, so its faults are dropped (Contract 4.2.5).
  const reader = new FieldReader(given.readFaults.filter(({ field }) => field !== 'name'));
  const isNameWrongType = given.readFaults.some(({ field }) => field === 'name');
  if (isNameWrongType || (name != null && name !== given.record.name)) reader.warn('name-immutable', 'name');

  const { state, ...patch } = readFields(jobFields, fields, { ...given, reader });
  assertReachable(fields, given.record, patch, reader);
  return { patch, state: state as JobState | undefined, faults: reader.faults, warnings: reader.warnings };
}

/** Adds a fault if the application method is external, and neither the update nor the record has a URL (Contract 4.2.9). */
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

/**
 * The versions that an update adds; none if nothing changes. If the job is past its end, the first version archives the job
 * (Contract 3.3).
 */
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
