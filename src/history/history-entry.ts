import { type FieldChange } from '../fields/fields.rules.js';
import { Schema, type Types } from 'mongoose';
import { totalSchema } from '../database/total-schema.js';

const transports = ['graphql', 'rest', 'task', 'import'] as const;
export type Transport = (typeof transports)[number];

export interface Origin {
  /** The token's subject, `system` for the archiving task, or the name given to an operator's command. */
  actor: string;
  transport: Transport;
  requestId: string;
}

/** Stored with a change to identify the call that made it (Contract 9.3.9). */
interface CallDigest {
  /** Digest of the idempotency key, the operation and the caller's authority. */
  key: string;
  input: string;
}

/** Valid idempotency keys (Contract 9.3). */
export const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** 24 hours. */
export const rememberedMs = 86_400_000;

/** The collection of the idempotency keys. */
export const callKeys = 'idempotency';

/** What a moving history entry stores with the key of its call. */
export interface CallKey {
  _id: string;
  /** The records whose entry of the call has moved to the history collection. Absent if version 1.2.0 claimed the key first. */
  movedFrom?: Types.ObjectId[];
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

/** A record's history up to the version in a payload: a replay shows no newer entries (Contract 9.3.1). */
export class ShownHistory {
  constructor(
    readonly record: Types.ObjectId,
    readonly publicId: string,
    readonly version: number,
  ) {}

  /** In a stored payload, `history` is only the record's id. */
  static of({
    history,
    publicId,
    version,
  }: Pick<ShownHistory, 'publicId' | 'version'> & { history: ShownHistory | Types.ObjectId }): ShownHistory {
    return history instanceof ShownHistory ? history : new ShownHistory(history, publicId, version);
  }

  /** Stores only the id, like 1.0.0, whose processes may still run during an upgrade. */
  toBSON(): Types.ObjectId {
    return this.record;
  }
}

/** One change of one record (Contract 10.1). */
export interface HistoryEntry extends Origin {
  /** The version that the change produced. */
  version: number;
  at: Date;
  changes: FieldChange[];
  /** Set if the call had an idempotency key. */
  call?: CallDigest;
}

/** A call with an idempotency key that changed nothing (Contract 9.3.9). */
interface UnchangingCall {
  at: Date;
  call: CallDigest;
}

export interface Versioned {
  _id: Types.ObjectId;
  /** Never changes. */
  publicId: string;
  /** Starts at 1; each change adds 1. */
  version: number;
  /** Time of the last change in the history. Null or absent before the first change, and if only 1.0.0 made changes. */
  updatedAt?: Date | null;
  /**
   * Time of the last write, by the database's clock. Lists and `changes` sort by it, so every write must set it. Absent if 1.0.0 wrote
   * the record last.
   */
  changedAt?: Date;
  /**
   * The media whose `changes` still lack a move by an import: of this job, or of this company with its jobs, between media or brands
   * (Contract 4.6.6). Absent if there are none.
   */
  unsettledMedia?: string[];
  /** Not yet in the history collection. Bounded. */
  pendingHistory: HistoryEntry[];
  /** Bounded. Absent before the first such call. */
  unchangingCalls?: UnchangingCall[];
}

const callSchema = totalSchema<CallDigest>({ key: String, input: String }, { _id: false });

export const historyEntrySchema = totalSchema<HistoryEntry>(
  {
    version: { type: Number, required: true },
    at: { type: Date, required: true },
    actor: { type: String, required: true },
    transport: { type: String, required: true, enum: transports },
    requestId: { type: String, required: true },
    changes: [
      totalSchema<FieldChange>(
        { field: { type: String, required: true }, before: Schema.Types.Mixed, after: Schema.Types.Mixed },
        { _id: false },
      ),
    ],
    call: callSchema,
  },
  { _id: false },
);

/** The fields of {@link Versioned} in a new record. */
export const unversioned = { version: 1, pendingHistory: [], updatedAt: null };

export const versionedPaths = {
  version: { type: Number, required: true, default: 1 },
  updatedAt: Date,
  changedAt: Date,
  unsettledMedia: { type: [String], default: undefined },
  pendingHistory: [historyEntrySchema],
  unchangingCalls: {
    type: [totalSchema<UnchangingCall>({ at: Date, call: callSchema }, { _id: false })],
    default: undefined,
  },
} as const;
