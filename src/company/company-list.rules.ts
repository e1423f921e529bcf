import { allOf, distinctIds } from '../paging/query.rules.js';
import { nameQuery } from '../paging/name-search.rules.js';

/** A null or absent key does not filter, and an empty list matches nothing (Contract 4.4.8). */
export interface CompanyFilter {
  publicIds?: readonly string[] | null;
  name?: string | null;
  /** In the media. */
  isPublished?: boolean | null;
}

export function companyListQuery(media: string, filter: CompanyFilter): Record<string, unknown> {
  const { name, isPublished } = filter;
  const ids = distinctIds(filter.publicIds);
  return allOf(
    ids && { publicId: { $in: ids } },
    name != null && nameQuery(name),
    isPublished != null && { memberships: { $elemMatch: { media, isPublished } } },
  );
}
