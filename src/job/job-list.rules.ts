import { allOf } from '../paging/all-of.rules.js';
import { type JobState } from './job-choices.rules.js';
import { dueQuery, liveQuery } from './job-end.rules.js';

/** A null or absent key does not filter (Contract 4.4.7). */
export interface JobListFilter {
  mediaPublicId: string;
  companyPublicId?: string | null;
  state?: JobState | null;
  expiringBefore?: Date | null;
  updatedSince?: Date | null;
}

type Query = Record<string, unknown>;

/** A job past its end matches as archived, even before the archiving task runs. */
export function jobListQuery(filter: JobListFilter, now: Date): Query {
  const { mediaPublicId, companyPublicId, state, expiringBefore, updatedSince } = filter;
  return allOf(
    { media: mediaPublicId },
    companyPublicId != null && { company: companyPublicId },
    updatedSince && { changedAt: { $gte: updatedSince } },
    state && stateQueries[state](now),
    expiringBefore && { state: 'published', expiresAt: { $gt: now, $lt: expiringBefore } },
  );
}

const stateQueries: Record<JobState, (now: Date) => Query> = {
  draft: () => ({ state: 'draft' }),
  published: liveQuery,
  // Both states at the top, so that an index on the state serves the list.
  archived: (now) =>
    allOf({ state: { $in: ['archived', 'published'] } }, { $or: [{ state: 'archived' }, dueQuery(now)] }),
};
