import { type Types } from 'mongoose';

/** Stored with a change to identify the call that made it. */
export interface CallDigest {
  /** Digest of the idempotency key, the operation and the caller's authority. */
  key: string;
  input: string;
}

/** Valid idempotency keys (Contract 9.3.7). */
export const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** 24 hours. */
export const rememberedMs = 86_400_000;

/** The collection of the idempotency keys. */
export const callKeys = 'idempotency';

/** What a moving history entry stores with the key of its call. */
export interface CallKey {
  _id: string;
  /** The records whose entry of the call has moved to the history collection. */
  movedFrom: Types.ObjectId[];
}

/** A running call with an idempotency key. */
export interface KeyedCall {
  readonly digest: CallDigest;
  /** When it began. */
  readonly at: Date;
  /**
   * Whether another run of the call may have changed the record before we read it: an earlier run that lost its key to this run, or a
   * later run that may have taken the key from this run.
   */
  mayHaveRun(): boolean;
  /** Reads {@link CallKey.movedFrom}. Call it after reading the record, or an entry that moves in between would be missed. */
  movedFrom(): Promise<CallKey['movedFrom']>;
  /** Set when an earlier run is found. This run then changes nothing. */
  isReplayed: boolean;
}
