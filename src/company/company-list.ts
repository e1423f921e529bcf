import { type Caller } from '../tokens/caller.js';
import { reachIn, reachQueries } from '../permissions/reach.rules.js';
import { type RoleList } from '../database/list.js';
import { allOf, distinctIds } from '../paging/query.rules.js';
import { type FieldConditions, filtersOf } from '../paging/field-filter.rules.js';
import { nameQuery } from '../paging/name-search.rules.js';
import { companyRows } from './company-fields.rules.js';
import { companyListKey, type CompanySort } from './company.mongoose.js';

/** The filters that follow from the fields. */
export const companyFilters = filtersOf(companyRows);

/** A null or absent key does not filter, and an empty list matches nothing. */
export interface CompanyFilter {
  publicIds?: readonly string[] | null;
  name?: string | null;
  /** In the media. */
  isPublished?: boolean | null;
  // And the filters of `companyFilters`.
}

/** Whether a list compares conditions behind its index. Companies by their public ids are read by them. */
export function comparesBehind({ filter }: { filter?: CompanyFilter | null }): boolean {
  const { publicIds, ...others } = filter ?? {};
  return publicIds == null && Object.values(others).some((each) => each != null);
}

/** The query of a list, for each role of the caller. */
export function companyList(
  caller: Caller,
  {
    media,
    filter,
    compared,
    sort,
  }: { media: string; filter: CompanyFilter; compared: FieldConditions; sort: CompanySort },
): RoleList[] {
  const { name, isPublished } = filter;
  const ids = distinctIds(filter.publicIds);
  const behind = allOf(
    name != null && nameQuery(name),
    isPublished != null && { memberships: { $elemMatch: { media, isPublished } } },
    compared.behind,
  );
  return reachQueries(reachIn(caller, media)).map((own) => {
    const within = allOf({ 'memberships.media': media }, own, compared.within);
    if (ids)
      return { hint: { publicId: 1 }, within: allOf({ publicId: { $in: ids } }, within, behind), behind: {} };
    const [owner = 'media'] = Object.keys(own).filter((field) => field === 'createdBy' || field === 'brand');
    return { hint: companyListKey(owner, sort), within, behind };
  });
}
