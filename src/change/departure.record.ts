import { Schema } from 'mongoose';
import { singleBatch } from '../database/single-batch.js';
import { type VersionedKind, versionedKinds } from '../history/history.record.js';
import { type JobRecord } from '../job/job.record.js';
import { type Collections } from '../job/stored-reach.js';

/** A record's departure from a media, kept for followers. */
export interface Departure {
  /** {@link departureId}: only the latest departure of a record from a media is kept. */
  _id: string;
  media: string;
  kind: VersionedKind;
  publicId: string;
  /** Public id of the company, or of the job's company. */
  company: string;
  version: number;
  /** Brand and creator decide which callers see the departure. */
  brand: string | null;
  createdBy: string;
  /** Set by the database's clock. */
  changedAt: Date;
}

export const departureId = (kind: VersionedKind, publicId: string, media: string): string =>
  `${kind} ${publicId} ${media}`;

/** One day longer than a cursor is valid. */
const keptSeconds = 31 * 86_400;

export const departureSchema = new Schema<Departure>(
  {
    _id: { type: String, required: true },
    media: { type: String, required: true },
    kind: { type: String, required: true, enum: versionedKinds },
    publicId: { type: String, required: true },
    company: { type: String, required: true },
    version: { type: Number, required: true },
    brand: String,
    createdBy: { type: String, required: true },
    changedAt: { type: Date, required: true },
  },
  { collection: 'departures', versionKey: false, autoIndex: false, autoCreate: false },
)
  .index({ media: 1, changedAt: 1, _id: 1 })
  .index({ changedAt: 1 }, { expireAfterSeconds: keptSeconds, name: 'departures_expire' });

/** The versions of those records that are in the media now, by the id that their departure has. */
export async function presentRecords(
  { companies, jobs }: Collections,
  media: string,
  named: readonly { kind: VersionedKind; publicId: string }[],
): Promise<Map<string, number>> {
  const options = { projection: { _id: 0, publicId: 1, version: 1 }, ...singleBatch };
  const present = new Map<string, number>();
  const read = async (
    kind: VersionedKind,
    find: (publicIds: string[]) => AsyncIterable<Pick<JobRecord, 'publicId' | 'version'>>,
  ) => {
    const publicIds = named.filter((each) => each.kind === kind).map(({ publicId }) => publicId);
    if (publicIds.length === 0) return;
    for await (const { publicId, version } of find(publicIds))
      present.set(departureId(kind, publicId, media), version);
  };
  await read('job', ($in) => jobs.find({ media, publicId: { $in } }, options));
  await read('company', ($in) => companies.find({ 'memberships.media': media, publicId: { $in } }, options));
  return present;
}
