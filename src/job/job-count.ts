import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type CompanyRecord } from '../company/company.model.js';
import { inOneReply } from '../database/in-one-reply.js';
import { type JobRecord } from './job.model.js';

/**
 * Counts a media's jobs as pages show them: without jobs whose company is gone.
 * @param limit returned if as many jobs match, with those whose company is gone
 */
export async function countJobs(
  { jobs, companies }: { jobs: Collection<JobRecord>; companies: Collection<CompanyRecord> },
  media: string,
  listed: Document,
  { limit, maxTimeMS }: { limit: number; maxTimeMS: number },
): Promise<number> {
  const options = { ...inOneReply, maxTimeMS };
  const byCompany = { $group: { _id: '$company', count: { $sum: 1 } } };
  const found = await jobs
    .aggregate<Group>([{ $match: listed }, { $limit: limit }, byCompany], options)
    .toArray();
  if (sumOf(found) === limit) return limit;
  const members = await companies
    .find(
      { publicId: { $in: found.map(({ _id }) => _id) }, 'memberships.media': media },
      { projection: { _id: 0, publicId: 1 }, ...options },
    )
    .toArray();
  const there = new Set(members.map(({ publicId }) => publicId));
  return sumOf(found.filter(({ _id }) => there.has(_id)));
}

interface Group {
  /** Public id of the company. */
  _id: string;
  count: number;
}

const sumOf = (groups: readonly Group[]): number => groups.reduce((sum, { count }) => sum + count, 0);
