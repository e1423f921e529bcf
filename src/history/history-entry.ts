import { type Types } from 'mongoose';
import { type FieldChange } from '../fields/fields.rules.js';
import { type MadeCall } from '../idempotency/keyed-call.js';

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
  /** The last 16 calls with an idempotency key that changed the record. Absent before the first. */
  keyedCalls?: MadeCall[];
  /** Set by an import that moves the record, until what follows from the move is written: see `change/moves.ts`. */
  isSyncDue?: true;
  /** The media whose followers have to hear of that move. */
  syncMedia?: string[];
}

/** The fields of {@link Versioned} in a record that is created now. `insertWithChangedAt` replaces `changedAt` by the database's clock. */
export const newlyVersioned = (now: Date): Omit<Versioned, '_id' | 'publicId'> => ({
  ...{ version: 1, pendingHistory: [] },
  ...{ updatedAt: now, changedAt: now },
});
