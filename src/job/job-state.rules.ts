import { type JobState } from './job-choices.rules.js';

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

const publicationEndingAt = (end: Date, lifetimeMs: number): Date => new Date(end.getTime() - lifetimeMs);
