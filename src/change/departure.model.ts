import { Schema } from 'mongoose';
import { type VersionedKind } from '../history/history.model.js';

/** That a record left a media, for those who follow its changes (Contract 4.6.6). */
export interface Departure {
  /** {@link departureId}, so that the last departure takes the place of the one before. */
  _id: string;
  media: string;
  kind: VersionedKind;
  publicId: string;
  /** Public id of the company: of itself, or of the job's. */
  company: string;
  version: number;
  /** Whose it was. */
  brand: string | null;
  createdBy: string;
  /** When it was stored, by the database's clock. */
  changedAt: Date;
}

export const departureId = (kind: VersionedKind, publicId: string, media: string): string =>
  `${kind} ${publicId} ${media}`;

/** A day more than a cursor is valid for. */
const keptSeconds = 31 * 86_400;

export const departureSchema = new Schema<Departure>(
  {
    _id: String,
    media: String,
    kind: String,
    publicId: String,
    company: String,
    version: Number,
    brand: String,
    createdBy: String,
    changedAt: Date,
  },
  { collection: 'departures', versionKey: false, autoIndex: false, autoCreate: false },
)
  .index({ media: 1, changedAt: 1, _id: 1 })
  .index({ changedAt: 1 }, { expireAfterSeconds: keptSeconds, name: 'departures_expire' });
