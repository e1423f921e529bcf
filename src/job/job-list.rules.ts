import { namePattern } from '../content/name-pattern.rules.js';
import { type JobState } from './job-choices.rules.js';
import { dueQuery, liveQuery } from './job.rules.js';

/** The jobs of a media that a caller asks for. A key that is absent or null does not narrow the list (Contract 4.4.7). */
export interface JobListFilter {
  mediaPublicId: string;
  companyPublicId?: string | null;
  state?: JobState | null;
  /** Part of the title, whatever the case. */
  name?: string | null;
  /** Jobs that are published now and will be archived before this instant. */
  expiringBefore?: Date | null;
  /** Jobs that were written at this instant or later. */
  updatedSince?: Date | null;
}

type Query = Record<string, unknown>;

/** The query for the jobs asked for. A job past its lifetime counts as archived, stored or not. */
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
