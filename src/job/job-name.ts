import { type Collection } from 'mongoose';
import { nameQuery, unkeyedNameQuery } from '../paging/name-search.rules.js';
import { type JobRecord } from './job.model.js';

/**
 * Matches a media's jobs by name. While some of them have no name key, which version 1.x did not store, the query also matches these by
 * their names, and so reads whole jobs.
 */
export async function jobNameQuery(
  jobs: Collection<JobRecord>,
  media: string,
  text: string,
): Promise<Record<string, unknown>> {
  const unkeyed = await jobs.findOne({ media, nameKey: { $eq: null } } as never, { projection: { _id: 1 } });
  return unkeyed ? { $or: [nameQuery(text), unkeyedNameQuery(text)] } : nameQuery(text);
}
