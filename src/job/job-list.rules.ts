import { namePattern } from '../content/name-pattern.rules.js';
import { type JobState } from './job-choices.rules.js';
import { dueQuery, liveQuery } from './job.rules.js';

/** The filter of a job list. A null or absent key does not filter (Contract 4.4.7). */
export interface JobListFilter {
  mediaPublicId: string;
  companyPublicId?: string | null;
  state?: JobState | null;
  /** A part of the title, ignoring case. */
  name?: string | null;
  /** Only jobs that are published now and expire before this instant. */
  expiringBefore?: Date | null;
  /** Only jobs written at this instant or later. */
  updatedSince?: Date | null;
}

type Query = Record<string, unknown>;

/** Builds the query of a job list. A job past its lifetime matches as archived, even if the archiving task has not run yet. */
export function jobListQuery(filter: JobListFilter, now: Date, lifetimeMs: number): Query {
  const { mediaPublicId, companyPublicId, state, name, expiringBefore, updatedSince } = filter;
  const conditions: Query[] = [];
  if (state) conditions.push(stateQueries[state](now, lifetimeMs));
  if (expiringBefore) conditions.push(liveQuery(now, lifetimeMs, expiringBefore));
  return {
    media: mediaPublicId,
    ...(companyPublicId != null && { company: companyPublicId }),
    ...(name != null && { name: namePattern(name) }),
    ...(updatedSince && { changedAt: { $gte: updatedSince } }),
    ...(conditions.length > 0 && { $and: conditions }),
  };
}

const stateQueries: Record<JobState, (now: Date, lifetimeMs: number) => Query> = {
  draft: () => ({ state: 'draft' }),
  published: (now, lifetimeMs) => liveQuery(now, lifetimeMs),
  archived: (now, lifetimeMs) => ({ $or: [{ state: 'archived' }, dueQuery(now, lifetimeMs)] }),
};
