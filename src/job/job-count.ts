import { type CompanyRecord } from '../company/company.model.js';
import { countList, type ListBounds, sumOf } from '../database/bounded-list.js';
import { inOneReply } from '../database/in-one-reply.js';
import { type ListPlan } from '../database/list-plan.js';
import { findInTime } from '../database/slow-query.js';
import { type Collections } from './stored-reach.js';

/**
 * Counts a media's jobs as pages show them: without jobs whose company is gone.
 * @returns `limit` if as many jobs match, with those whose company is gone; null if the list has more entries than a count looks at
 */
export async function countJobs(
  { jobs, companies }: Collections,
  media: string,
  plan: ListPlan,
  options: { limit: number; bounds: ListBounds },
): Promise<number | null> {
  const found = await countList(jobs, plan, { ...options, by: 'company' });
  if (found === null || sumOf(found) === options.limit) return found && options.limit;
  const filter = { publicId: { $in: found.map(({ _id }) => _id) }, 'memberships.media': media };
  const members = await findInTime<CompanyRecord>(companies, filter, {
    ...inOneReply,
    projection: { _id: 0, publicId: 1 },
    maxTimeMS: options.bounds.queryMs,
  });
  const there = new Set(members.map(({ publicId }) => publicId));
  return sumOf(found.filter(({ _id }) => there.has(_id)));
}
