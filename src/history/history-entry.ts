import { type Types } from 'mongoose';
import { type FieldChange } from '../fields/fields.rules.js';
import { type CallDigest } from '../idempotency/keyed-call.js';

export const transports = ['graphql', 'rest', 'task', 'import'] as const;
export type Transport = (typeof transports)[number];

/** The actor of the gateway's own changes. No token may have this subject. */
export const systemActor = 'system';

export interface Origin {
  /** The token's subject, `system` for the archiving task, or the name given to an operator's command. */
  actor: string;
  transport: Transport;
  requestId: string;
}

/** The changes of one version. */
export interface Step {
  at: Date;
  origin: Origin;
  changes: FieldChange[];
  /** Comparison keys. The history leaves them out; null removes the key. */
  derived?: Record<string, unknown>;
  /** Other values that the history leaves out. */
  internal?: Record<string, unknown>;
}

/** A record's history up to the version in a payload: a replay shows no newer entries. */
export interface HistoryPosition {
  record: Types.ObjectId;
  publicId: string;
  version: number;
}

/** One change of one record. */
export interface HistoryEntry extends Origin {
  /** The version that the change produced. */
  version: number;
  at: Date;
  changes: FieldChange[];
  /** Set if the call had an idempotency key. */
  call?: CallDigest;
}

/** A call with an idempotency key that changed nothing. */
export interface UnchangingCall {
  at: Date;
  call: CallDigest;
}

export interface Versioned {
  _id: Types.ObjectId;
  /** Never changes. */
  publicId: string;
  /** Starts at 1; each change adds 1. */
  version: number;
  /** Time of the last change in the history, or of the creation. */
  updatedAt: Date;
  /** Time of the last write, by the database's clock. Lists and `changes` sort by it, so every write must set it. */
  changedAt: Date;
  /** Not yet in the history collection. Bounded. */
  pendingHistory: HistoryEntry[];
  /** Bounded. Absent before the first such call. */
  unchangingCalls?: UnchangingCall[];
}

/** The fields of {@link Versioned} in a record that is created now. `insertWithChangedAt` replaces `changedAt` by the database's clock. */
export const newlyVersioned = (now: Date): Omit<Versioned, '_id' | 'publicId'> => ({
  ...{ version: 1, pendingHistory: [] },
  ...{ updatedAt: now, changedAt: now },
});
