import { Schema } from 'mongoose';

/** A call with an idempotency key: either it is under way, or this is what it answered (Contract 9.3). */
export interface IdempotencyRecord {
  /** Digest of the caller's authority, the operation and the key. */
  _id: string;
  /** Digest of the input, which a repetition must share. */
  inputDigest: string;
  /** Names the run of the call. If it is not renewed in time, another run may take its place. */
  claim: string;
  /** When the claim was made or last renewed. */
  claimedAt: Date;
  /** The payload of a success; absent while the call is under way. */
  payload?: unknown;
  /** From then on the record counts as absent, whether or not it has been removed. */
  expiresAt: Date;
}

export const idempotencySchema = new Schema<IdempotencyRecord>(
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
