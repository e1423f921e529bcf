import { Schema } from 'mongoose';

/** The record of a call with an idempotency key: the call is running, or its answer is stored (Contract 9.3). */
export interface IdempotencyRecord {
  /** Digest of the caller's authority, the operation and the key. */
  _id: string;
  /** Digest of the input, which must be the same in a repeated call. */
  inputDigest: string;
  /** Identifies the run that holds the key. If that run does not renew its claim in time, another run can take the key over. */
  claim: string;
  /** When the claim was made or last renewed. */
  claimedAt: Date;
  /** The payload of a successful call; absent while the call runs. */
  payload?: unknown;
  /** From this instant on the record is ignored, even if it has not been deleted yet. */
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
