import { type mongo, Schema } from 'mongoose';
import { type CallKey, callKeys } from './keyed-call.js';

/** A running or answered call with an idempotency key (Contract 9.3). */
export interface IdempotencyRecord extends CallKey {
  /** Digest of the caller's authority, the operation and the key. */
  _id: string;
  inputDigest: string;
  /** Identifies the run that holds the key. Absent once the answer is in `packed`. */
  claim?: string;
  /** When the claim was made or last renewed. */
  claimedAt: Date;
  /**
   * The answer (packed-answer.ts). A process of 1.x that takes the key over sets `claim` but keeps this field, so the answer counts only
   * without `claim`.
   */
  packed?: mongo.Binary;
  /** The answer of a process of 1.x. */
  payload?: unknown;
  /** From this instant on, the record is ignored, even if it still exists. */
  expiresAt: Date;
}

export const idempotencySchema = new Schema<IdempotencyRecord>(
  {
    _id: { type: String, required: true },
    inputDigest: { type: String, required: true },
    claim: String,
    claimedAt: { type: Date, required: true },
    packed: Buffer,
    movedFrom: { type: [Schema.Types.ObjectId], default: undefined },
    payload: Schema.Types.Mixed,
    expiresAt: { type: Date, required: true },
  },
  { collection: callKeys, versionKey: false, autoIndex: false, autoCreate: false, minimize: false },
).index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
