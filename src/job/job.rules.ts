import { systemActor } from '../access/caller.js';
import { FieldReader } from '../content/field-reader.rules.js';
import { changesOf, type Patch, readFields } from '../content/fields.rules.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { type Origin } from '../history/history-entry.js';
import { type Step } from '../history/version-write.rules.js';
import { type JobState } from './job-choices.rules.js';
import { type JobFields, jobFields, type JobReadContext } from './job-fields.rules.js';
import { type JobRecord } from './job.model.js';

/** The moves that are allowed; a job that stays as it is makes none (Contract 3.2). */
const moves: Record<JobState, readonly JobState[]> = {
  draft: ['published', 'archived'],
  published: ['archived'],
  archived: ['published'],
};

/** Whether a job may go from one state to another, or stay in its own (Contract 3.2). */
export const isMoveAllowed = (from: JobState, to: JobState): boolean =>
  from === to || moves[from].includes(to);

/** What decides when a job ends. */
interface Expiring {
  state: JobState;
  publishedAt: Date | null;
}

/** The instant from which a published job is archived: its publication and the whole lifetime (Contract 3.3). */
export const expiryOf = ({ publishedAt }: { publishedAt: Date }, lifetimeMs: number): Date =>
  new Date(publishedAt.getTime() + lifetimeMs);

/** The same instant, for the database to compute from the job that it writes. */
export const expiryExpression = (lifetimeMs: number) => ({ $add: ['$publishedAt', lifetimeMs] });

/** For how long a published job has been past its end: negative before its end, null for a job that has no end. */
export function overdueMs({ state, publishedAt }: Expiring, now: Date, lifetimeMs: number): number | null {
  if (state !== 'published' || publishedAt === null) return null;
  return now.getTime() - expiryOf({ publishedAt }, lifetimeMs).getTime();
}

/** The state of a job at an instant, whether or not the archiving task has run (Contract 3.3). */
export const stateAt = (job: Expiring, now: Date, lifetimeMs: number): JobState =>
  (overdueMs(job, now, lifetimeMs) ?? -1) >= 0 ? 'archived' : job.state;

/** The instant at which a job that is published now will be archived; null for every other job. */
export const expiresAt = (job: Expiring, now: Date, lifetimeMs: number): Date | null =>
  job.publishedAt && stateAt(job, now, lifetimeMs) === 'published'
    ? expiryOf({ publishedAt: job.publishedAt }, lifetimeMs)
    : null;

/** When a job last changed, its end included whether or not the archiving task has run; null if it never did (Contract 2.2.9). */
export const updatedAtOf = (
  job: Expiring & { updatedAt?: Date | null },
  now: Date,
  lifetimeMs: number,
): Date | null =>
  job.publishedAt && stateAt(job, now, lifetimeMs) !== job.state
    ? expiryOf({ publishedAt: job.publishedAt }, lifetimeMs)
    : (job.updatedAt ?? null);

/** {@link overdueMs} as a query: jobs that are stored as published but past their end. Every reader sees them as archived. */
export const dueQuery = (now: Date, lifetimeMs: number) => ({
  state: 'published' as const,
  publishedAt: { $lte: publicationEndingAt(now, lifetimeMs) },
});

/** Jobs that are published now; with `before`, only those of them that end before that instant. */
export const liveQuery = (now: Date, lifetimeMs: number, before?: Date) => ({
  state: 'published' as const,
  publishedAt: {
    $gt: publicationEndingAt(now, lifetimeMs),
    ...(before && { $lt: publicationEndingAt(before, lifetimeMs) }),
  },
});

/** The publication of a job whose lifetime ends at an instant. */
export const publicationEndingAt = (end: Date, lifetimeMs: number): Date =>
  new Date(end.getTime() - lifetimeMs);

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
