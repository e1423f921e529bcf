import { type Caller } from '../tokens/caller.js';
import { reachAnywhere, reachIn, reachQuery } from '../permissions/reach.rules.js';
import { allOf, distinctIds, type Query } from '../paging/query.rules.js';
import { nameQuery } from '../paging/name-search.rules.js';
import { type ListSort } from '../paging/page.js';
import { type JobState, jobStates } from './job-choices.rules.js';
import { dueQuery, liveQuery } from './job-end.rules.js';

/** Matches the jobs of a media within a caller's reach, also those of companies that have left it. */
export const jobsIn = (caller: Caller, media: string): Query =>
  allOf({ media }, reachQuery(reachIn(caller, media)));

/** Matches the jobs of a media that lists show. */
export const listedJobsIn = (caller: Caller, media: string): Query =>
  allOf({ media, isCompanyInMedia: true }, reachQuery(reachIn(caller, media)));

/**
 * For a job whose media is not known yet. Jobs out of reach don't match, so they are neither joined nor decoded, and response times don't
 * tell them from absent jobs.
 */
export const jobsAnywhere = (caller: Caller): Query =>
  allOf(caller.media && { media: { $in: [...caller.media] } }, reachQuery(reachAnywhere(caller)));

/** A null or absent key does not filter, and an empty list matches nothing (Contract 4.4.7). */
export interface JobFilter {
  states?: readonly JobState[] | null;
  companyPublicIds?: readonly string[] | null;
  publicIds?: readonly string[] | null;
  name?: string | null;
  expiringBefore?: Date | null;
  updatedSince?: Date | null;
}

/** A job past its end matches as archived, even before the archiving task runs. */
export function jobListQuery(filter: JobFilter, now: Date, sort: ListSort = 'public_id'): Query {
  // The indexes of the other orders begin with the state.
  const isByState = sort !== 'public_id' && !filter.expiringBefore;
  const states = filter.states ?? (isByState ? jobStates : null);
  return allOf(othersQuery(filter, now), states && statesQuery(new Set(states), now));
}

/** A list by states, as lists without a job in common. Each compares the ends as the index of `expires_at_asc` has them. */
export function jobListParts(filter: JobFilter & { states: readonly JobState[] }, now: Date): Query[] {
  const { states } = filter;
  const [isLive, isArchived] = [states.includes('published'), states.includes('archived')];
  const whole = states.filter((state) => state !== 'published' || isArchived);
  const parts = [
    ...(whole.length > 0 || !isLive ? [{ state: { $in: whole } }] : []),
    ...(isLive && !isArchived ? [liveQuery(now)] : []),
    ...(isArchived && !isLive ? [dueQuery(now)] : []),
  ];
  return parts.map((part) => allOf(othersQuery(filter, now), part));
}

/** Whether the filter is by states alone. */
export const isByStates = ({ states, ...others }: JobFilter): boolean =>
  states != null && Object.values(others).every((each) => each == null);

const othersQuery = (filter: JobFilter, now: Date): Query => {
  const { name, expiringBefore, updatedSince } = filter;
  const [ids, companies] = [distinctIds(filter.publicIds), distinctIds(filter.companyPublicIds)];
  return allOf(
    ids && { publicId: { $in: ids } },
    companies && { company: { $in: companies } },
    name != null && nameQuery(name),
    updatedSince && { changedAt: { $gte: updatedSince } },
    expiringBefore && { state: 'published', expiresAt: { $gt: now, $lt: expiringBefore } },
  );
};

/** The stored states at the top, so that an index on the state serves the list. */
function statesQuery(states: ReadonlySet<JobState>, now: Date): Query {
  const [isLive, isArchived] = [states.has('published'), states.has('archived')];
  const stored = isArchived ? new Set([...states, 'published']) : states;
  const whole = [...states].filter((state) => state !== 'published' || isArchived);
  const part = isLive ? liveQuery(now) : dueQuery(now);
  return allOf(
    { state: { $in: [...stored] } },
    isLive !== isArchived && (whole.length > 0 ? { $or: [{ state: { $in: whole } }, part] } : part),
  );
}
