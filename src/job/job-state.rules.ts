import { type JobState } from './job-choices.rules.js';
import { expiryOf, type Lived, overdueMs } from './job-lifetime.rules.js';

/** The decided moves and no others; staying is no move (Contract 3.2). */
const moves: Record<JobState, readonly JobState[]> = {
  draft: ['published', 'archived'],
  published: ['archived'],
  archived: ['published'],
};

export const isMoveAllowed = (from: JobState, to: JobState): boolean =>
  from === to || moves[from].includes(to);

/** The instant at which a job that is published now will be archived; null for every other job. */
export const expiresAt = (job: Lived, now: Date, lifetimeMs: number): Date | null =>
  job.publishedAt && stateAt(job, now, lifetimeMs) === 'published'
    ? expiryOf({ publishedAt: job.publishedAt }, lifetimeMs)
    : null;

/** The state of a job at an instant, whether or not the archiving task has run (Contract 3.3). */
export const stateAt = (job: Lived, now: Date, lifetimeMs: number): JobState =>
  (overdueMs(job, now, lifetimeMs) ?? -1) >= 0 ? 'archived' : job.state;
