import { allOf, type Query } from '../paging/query.rules.js';
import { distinctIds } from '../paging/id-list.rules.js';
import { type ListSort } from '../paging/page.js';
import { type JobState, jobStates } from './job-choices.rules.js';
import { dueQuery, liveQuery } from './job-end.rules.js';

/** A null or absent key does not filter, and an empty list matches nothing (Contract 4.4.7). */
export interface JobFilter {
  states?: readonly JobState[] | null;
  companyPublicIds?: readonly string[] | null;
  publicIds?: readonly string[] | null;
  name?: string | null;
  expiringBefore?: Date | null;
  updatedSince?: Date | null;
}

/** The indexes of these orders begin with the state. */
const ordersByState: readonly ListSort[] = ['published_at_desc', 'expires_at_asc'];

/** A job past its end matches as archived, even before the archiving task runs. */
export function jobListQuery(filter: JobFilter, now: Date, sort?: ListSort | null): Query {
  const { expiringBefore, updatedSince } = filter;
  const [ids, companies] = [distinctIds(filter.publicIds), distinctIds(filter.companyPublicIds)];
  const isByState = sort != null && ordersByState.includes(sort) && !expiringBefore;
  const states = filter.states ?? (isByState ? jobStates : null);
  return allOf(
    ids && { publicId: { $in: ids } },
    companies && { company: { $in: companies } },
    updatedSince && { changedAt: { $gte: updatedSince } },
    states && statesQuery(new Set(states), now),
    expiringBefore && { state: 'published', expiresAt: { $gt: now, $lt: expiringBefore } },
  );
}

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
