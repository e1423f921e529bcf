import { type JobState } from './job-choices.rules.js';

/** What decides when a job ends. */
export interface Lived {
  state: JobState;
  publishedAt: Date | null;
}

/** The instant from which a published job is archived: its publication and the whole lifetime (Contract 3.3). */
export const expiryOf = ({ publishedAt }: { publishedAt: Date }, lifetimeMs: number): Date =>
  new Date(publishedAt.getTime() + lifetimeMs);

/** The same instant as the database computes it from the job that it writes. */
export const expiryExpression = (lifetimeMs: number) => ({ $add: ['$publishedAt', lifetimeMs] });

/** How long a published job has been past its end; negative before, null for a job that has no end. */
export function overdueMs({ state, publishedAt }: Lived, now: Date, lifetimeMs: number): number | null {
  if (state !== 'published' || publishedAt === null) return null;
  return now.getTime() - expiryOf({ publishedAt }, lifetimeMs).getTime();
}

/** The query of {@link overdueMs}: jobs stored as published and past their end, which every reader sees as archived. */
export const dueQuery = (now: Date, lifetimeMs: number) => ({
  state: 'published' as const,
  publishedAt: { $lte: publishedIfEndedAt(now, lifetimeMs) },
});

/** Jobs that are published now, those alone that end before an instant where one is given. */
export const liveQuery = (now: Date, lifetimeMs: number, before?: Date) => ({
  state: 'published' as const,
  publishedAt: {
    $gt: publishedIfEndedAt(now, lifetimeMs),
    ...(before && { $lt: publishedIfEndedAt(before, lifetimeMs) }),
  },
});

const publishedIfEndedAt = (end: Date, lifetimeMs: number): Date => new Date(end.getTime() - lifetimeMs);
