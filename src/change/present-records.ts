import { type Collection } from 'mongoose';
import { type CompanyRecord } from '../company/company.model.js';
import { inOneReply } from '../database/in-one-reply.js';
import { type VersionedKind } from '../history/history.model.js';
import { type JobRecord } from '../job/job.model.js';
import { departureId } from './departure.model.js';

/** The versions of those records that are in the media now, by the id that their departure has. */
export async function presentRecords(
  { companies, jobs }: { companies: Collection<CompanyRecord>; jobs: Collection<JobRecord> },
  media: string,
  named: readonly { kind: VersionedKind; publicId: string }[],
): Promise<Map<string, number>> {
  const options = { projection: { _id: 0, publicId: 1, version: 1 }, ...inOneReply };
  const present = new Map<string, number>();
  const read = async (kind: VersionedKind, find: (publicIds: string[]) => AsyncIterable<Versions>) => {
    const publicIds = named.filter((each) => each.kind === kind).map(({ publicId }) => publicId);
    if (publicIds.length === 0) return;
    for await (const { publicId, version } of find(publicIds))
      present.set(departureId(kind, publicId, media), version);
  };
  await read('job', ($in) => jobs.find({ media, publicId: { $in } }, options));
  await read('company', ($in) => companies.find({ 'memberships.media': media, publicId: { $in } }, options));
  return present;
}

type Versions = Pick<JobRecord, 'publicId' | 'version'>;
