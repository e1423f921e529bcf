import { Schema } from 'mongoose';

/** A running or completed call with an idempotency key. */
export interface IdempotencyRecord {
  /** Digest of the caller's authority, the operation and the key. */
  _id: string;
  inputDigest: string;
  /** Identifies the run that holds the key. */
  claim: string;
  /** When the claim was made or last renewed. */
  claimedAt: Date;
  /** The reply. Absent while the call runs. */
  payload?: unknown;
  /** From this instant on, the record is ignored, even if it still exists. */
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
