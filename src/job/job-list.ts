import { type Caller } from '../tokens/caller.js';
import { reachIn, reachQueries } from '../permissions/reach.rules.js';
import { type RoleList } from '../database/list.js';
import { allOf, distinctIds } from '../paging/query.rules.js';
import { type FieldConditions, type FilterTable, filtersOf } from '../paging/field-filter.rules.js';
import { nameQuery } from '../paging/name-search.rules.js';
import { type ListSort } from '../paging/order.rules.js';
import { type JobState, jobStates } from './job-choices.rules.js';
import { jobRows } from './job-fields.rules.js';
import { jobListKey } from './job.mongoose.js';
import { placeFilter } from './location/place-filter.rules.js';

/** The filters that follow from the fields, and those on one text. */
export const jobFilters: FilterTable = { ...filtersOf(jobRows), place: placeFilter };

/** A null or absent key does not filter, and an empty list matches nothing. */
export interface JobFilter {
  states?: readonly JobState[] | null;
  companyPublicIds?: readonly string[] | null;
  publicIds?: readonly string[] | null;
  name?: string | null;
  expiringBefore?: Date | null;
  updatedSince?: Date | null;
  // And the filters of `jobFilters`.
}

export interface JobCount {
  state: JobState;
  /** 10 001 means more. Null if counting would look at too much of the list. */
  count: number | null;
}

/** Databases merge as many scans of an index in the order of a list. */
const mostScans = 60;

/** Whether a list compares conditions behind its index, as far as its arguments say. Jobs by their public ids are read by them. */
export function comparesBehind({ filter, sort }: { filter?: JobFilter | null; sort?: ListSort | null }) {
  const { states, companyPublicIds, publicIds, updatedSince, ...others } = filter ?? {};
  if (publicIds != null) return false;
  const scans = (companyPublicIds?.length ?? 0) * (states ?? jobStates).length;
  const isSearch = updatedSince != null && sort !== 'updated_at_desc';
  return isSearch || scans > mostScans || Object.values(others).some((each) => each != null);
}

/**
 * The query of a list, for each role of the caller. A job past its end is not published, and is archived only once the task has stored it.
 * The index of a list begins with the reach, so no job out of reach decides where a page ends.
 */
export function jobList(
  caller: Caller,
  {
    media,
    filter,
    compared,
    sort,
    now,
  }: { media: string; filter: JobFilter; compared: FieldConditions; sort: ListSort; now: Date },
): RoleList[] {
  const { name, updatedSince, expiringBefore } = filter;
  const [ids, companies] = [distinctIds(filter.publicIds), distinctIds(filter.companyPublicIds)];
  const asked = [...new Set(filter.states ?? jobStates)];
  const states = expiringBefore ? asked.filter((state) => state === 'published') : asked;
  const isLive = states.includes('published') && (expiringBefore != null || !states.includes('archived'));
  const ofCompanies = companies && { company: { $in: companies } };
  const since = updatedSince && { changedAt: { $gte: updatedSince } };
  const isByChange = sort === 'updated_at_desc';
  return reachQueries(reachIn(caller, media)).map((own) => {
    const [owner] = Object.keys(own).filter((field) => field === 'createdBy' || field === 'brand');
    const isByCompany = !owner && companies && companies.length * states.length <= mostScans;
    const within = allOf(
      { media, isCompanyInMedia: true, state: { $in: states } },
      own,
      isByCompany && ofCompanies,
      isLive && { expiresAt: { $not: { $lte: now } } },
      isByChange && since,
      compared.within,
    );
    const behind = allOf(
      !isByCompany && ofCompanies,
      name != null && nameQuery(name),
      !isByChange && since,
      expiringBefore && { expiresAt: { $lt: expiringBefore } },
      compared.behind,
    );
    if (ids)
      return { hint: { publicId: 1 }, within: allOf({ publicId: { $in: ids } }, within, behind), behind: {} };
    return { hint: jobListKey(owner ?? (isByCompany ? 'company' : 'media'), sort), within, behind };
  });
}
