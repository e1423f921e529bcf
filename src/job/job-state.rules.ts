import { type JobState } from './job-choices.rules.js';

interface Stored {
  state: JobState;
  publishedAt: Date | null;
}

/** The decided moves and no others; staying is no move (Contract 3.2). */
const moves: Record<JobState, readonly JobState[]> = {
  draft: ['published', 'archived'],
  published: ['archived'],
  archived: ['published'],
};

export const isMoveAllowed = (from: JobState, to: JobState): boolean =>
  from === to || moves[from].includes(to);

/** The instant from which a published job is archived: its publication and the whole lifetime (Contract 3.3). */
export const expiryOf = ({ publishedAt }: { publishedAt: Date }, lifetimeMs: number): Date =>
  new Date(publishedAt.getTime() + lifetimeMs);

/** When a job ends that is published now; null for every other. */
export function expiresAt(job: Stored, now: Date, lifetimeMs: number): Date | null {
  const { publishedAt } = job;
  return publishedAt && stateAt(job, now, lifetimeMs) === 'published'
    ? expiryOf({ publishedAt }, lifetimeMs)
    : null;
}

/** The state of a job at an instant, whether or not the archiving task has run (Contract 3.3). */
export function stateAt({ state, publishedAt }: Stored, now: Date, lifetimeMs: number): JobState {
  const isExpired =
    state === 'published' && publishedAt !== null && now >= expiryOf({ publishedAt }, lifetimeMs);
  return isExpired ? 'archived' : state;
}
