import { Schema } from 'mongoose';
import { type VersionedKind, versionedKinds } from '../history/history.model.js';

/** A record's departure from a media, kept for followers (Contract 4.6.6). */
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
