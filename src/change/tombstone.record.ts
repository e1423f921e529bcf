import { type Collection, Schema } from 'mongoose';
import { type VersionedKind, versionedKinds } from '../history/history.record.js';

/** Whether a record that moved has left a media or is back in it, kept for followers. */
export interface Tombstone {
  /** {@link tombstoneId}: only the latest tombstone of a record from a media is kept. */
  _id: string;
  media: string;
  kind: VersionedKind;
  publicId: string;
  /** Public id of the company, or of the job's company. */
  company: string;
  version: number;
  /** The record is in the media again. Followers never see this entry: it stays to reject an older tombstone. */
  isBack: boolean;
  /** Brand and creator decide which callers see the tombstone. */
  brand: string | null;
  createdBy: string;
  /** Set by the database's clock. */
  changedAt: Date;
}

export const tombstoneId = (kind: VersionedKind, publicId: string, media: string): string =>
  `${kind} ${publicId} ${media}`;

/** Whether a record with this public id left any media within the last 31 days. */
export async function hasTombstone(
  tombstones: Collection<Tombstone>,
  kind: VersionedKind,
  publicId: string,
): Promise<boolean> {
  const first = tombstoneId(kind, publicId, '');
  // Media have no spaces in their public ids, and the character after a space is `!`.
  const ids = { $gte: first, $lt: `${first.slice(0, -1)}!` };
  return (await tombstones.findOne({ _id: ids }, { projection: { _id: 1 } })) !== null;
}

/** One day longer than a cursor is valid. */
const keptSeconds = 31 * 86_400;

/** The index that the list of changes reads. */
export const tombstonesOfMedia = { media: 1, changedAt: 1, _id: 1 } as const;

export const tombstoneSchema = new Schema<Tombstone>(
  {
    _id: { type: String, required: true },
    media: { type: String, required: true },
    kind: { type: String, required: true, enum: versionedKinds },
    publicId: { type: String, required: true },
    company: { type: String, required: true },
    version: { type: Number, required: true },
    isBack: Boolean,
    brand: String,
    createdBy: { type: String, required: true },
    changedAt: { type: Date, required: true },
  },
  { collection: 'departures', versionKey: false, autoIndex: false, autoCreate: false },
)
  .index(tombstonesOfMedia)
  .index({ changedAt: 1 }, { expireAfterSeconds: keptSeconds, name: 'departures_expire' });
