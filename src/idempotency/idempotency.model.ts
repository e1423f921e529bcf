import { Schema, type Connection, type Model } from 'mongoose';

/** What is known of a repeated call: that it is under way, or what it answered (Contract 9.3). */
export interface IdempotencyRecord {
  /** Digest of subject, operation and key. */
  _id: string;
  /** Digest of the input, which a repeated call must share. */
  inputDigest: string;
  /** Names the run of the call. A claim that is not renewed in time may be taken over. */
  claim: string;
  /** When it was made, or renewed last. */
  claimedAt: Date;
  /** The payload of a success; absent while the call is under way. */
  payload?: unknown;
  /** From then on the record counts as absent, whether or not it is gone. */
  expiresAt: Date;
}

const schema = new Schema<IdempotencyRecord>(
  {
    _id: { type: String, required: true },
    inputDigest: { type: String, required: true },
    claim: { type: String, required: true },
    claimedAt: { type: Date, required: true },
    payload: Schema.Types.Mixed,
    expiresAt: { type: Date, required: true },
  },
  { collection: 'idempotency', versionKey: false, autoIndex: false, autoCreate: false, minimize: false },
).index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const idempotencyModel = (connection: Connection): Model<IdempotencyRecord> =>
  connection.model<IdempotencyRecord>('Idempotency', schema);
