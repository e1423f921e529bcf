import { systemActor } from '../access/caller.js';
import { allOf } from '../content/all-of.rules.js';
import { FieldReader } from '../content/field-reader.rules.js';
import { changesOf, type Patch, patched, readFields } from '../content/fields.rules.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { type Origin } from '../history/history-entry.js';
import { type Step } from '../history/version-write.rules.js';
import { type JobState } from './job-choices.rules.js';
import { type JobFields, jobFields, type JobReadContext } from './job-fields.rules.js';
import { type JobRecord } from './job.model.js';

/** The allowed state transitions (Contract 3.2). */
const moves: Record<JobState, readonly JobState[]> = {
  draft: ['published', 'archived'],
  published: ['archived'],
  archived: ['published'],
};

/** An update may always send the current state (Contract 3.2). */
export const isMoveAllowed = (from: JobState, to: JobState): boolean =>
  from === to || moves[from].includes(to);

interface Expiring {
  state: JobState;
  publishedAt: Date | null;
}

/** The end of a published job, one lifetime after its publication (Contract 3.3). */
export const expiryOf = ({ publishedAt }: { publishedAt: Date }, lifetimeMs: number): Date =>
  new Date(publishedAt.getTime() + lifetimeMs);

export const expiryExpression = (lifetimeMs: number) => ({ $add: ['$publishedAt', lifetimeMs] });

/** Milliseconds since the end of a published job, negative before its end; null for a job without an end. */
export function overdueMs({ state, publishedAt }: Expiring, now: Date, lifetimeMs: number): number | null {
  if (state !== 'published' || publishedAt === null) return null;
  return now.getTime() - expiryOf({ publishedAt }, lifetimeMs).getTime();
}

/** A published job is archived from its end on, even before the archiving task runs (Contract 3.3). */
export const stateAt = (job: Expiring, now: Date, lifetimeMs: number): JobState =>
  (overdueMs(job, now, lifetimeMs) ?? -1) >= 0 ? 'archived' : job.state;

/** The end of a job that is published now; otherwise null. */
export const expiresAt = (job: Expiring, now: Date, lifetimeMs: number): Date | null =>
  job.publishedAt && stateAt(job, now, lifetimeMs) === 'published'
    ? expiryOf({ publishedAt: job.publishedAt }, lifetimeMs)
    : null;

/** Null if the job never changed. Its end counts as a change, even before the archiving task runs (Contract 2.2.10). */
export const updatedAtOf = (
  job: Expiring & { updatedAt?: Date | null },
  now: Date,
  lifetimeMs: number,
): Date | null =>
  job.publishedAt && stateAt(job, now, lifetimeMs) !== job.state
    ? expiryOf({ publishedAt: job.publishedAt }, lifetimeMs)
    : (job.updatedAt ?? null);

/** Matches jobs past their end that are still stored as published. */
export const dueQuery = (now: Date, lifetimeMs: number) => ({
  state: 'published' as const,
  publishedAt: { $lte: publicationEndingAt(now, lifetimeMs) },
});

/** Matches jobs published now; with `before`, only jobs that end before that instant. */
export const liveQuery = (now: Date, lifetimeMs: number, before?: Date) =>
  allOf(
    { state: 'published', publishedAt: { $gt: publicationEndingAt(now, lifetimeMs) } },
    before && { publishedAt: { $lt: publicationEndingAt(before, lifetimeMs) } },
  );

export const publicationEndingAt = (end: Date, lifetimeMs: number): Date =>
  new Date(end.getTime() - lifetimeMs);

/** Returns the values to store. The new state is separate, because `JobService` checks the state transition later. */
export function readJobUpdate(
  { name, ...fields }: JobFields,
  given: Omit<JobReadContext, 'reader'> & { readFaults: readonly FieldFault[] },
) {
  // A name causes at most a warning (Contract 4.2.5).
  const reader = new FieldReader(given.readFaults.filter(({ field }) => field !== 'name'));
  const isNameWrongType = given.readFaults.some(({ field }) => field === 'name');
  if (isNameWrongType || (name != null && name !== given.record.name)) reader.warn('name-immutable', 'name');

  const { state, ...patch } = readFields(jobFields, fields, { ...given, reader });
  assertReachable(fields, given.record, patch, reader);
  return { patch, state: state as JobState | undefined, faults: reader.faults, warnings: reader.warnings };
}

/** An external application method needs a URL, in the update or in the record (Contract 4.2.9). */
export function assertReachable(
  { applicationUrl: given }: JobFields,
  record: JobReadContext['record'],
  patch: Patch,
  reader: FieldReader,
): void {
  const isExternal = (patch.applicationMethod ?? record.applicationMethod) === 'external_apply';
  const { applicationUrl } = patched(record, patch);
  if (!isExternal || applicationUrl !== null) return;
  if (reader.faults.some(({ field }) => field === 'applicationUrl')) return;
  const { missing, mustBe } = fieldFault;
  reader.fail(given === null ? mustBe('applicationUrl', 'string') : missing('applicationUrl'));
}

/** The versions that an update adds. If the job is past its end, the first version archives the job (Contract 3.3). */
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
