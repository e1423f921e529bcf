import { type FieldChange } from '../content/fields.rules.js';
import { Schema, type Types } from 'mongoose';
import { totalSchema } from '../database/total-schema.js';

/** How a change came in: through an API, from a scheduled task of the gateway, or from an operator's command. */
const transports = ['graphql', 'rest', 'task', 'import'] as const;
export type Transport = (typeof transports)[number];

export interface Origin {
  /** The token's subject, `system` for the archiving task, or the name given to an operator's command. */
  actor: string;
  transport: Transport;
  requestId: string;
}

/** Identifies the call that made a change. Stored together with the change (Contract 9.3.9). */
interface CallDigest {
  /** Digest of the idempotency key, the operation and the caller's authority. */
  key: string;
  /** Digest of the input, which must be the same in a repeated call. */
  input: string;
}

/** Valid idempotency keys (Contract 9.3). */
export const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** How long a call is remembered: 24 hours. */
export const rememberedMs = 86_400_000;

/** A call with an idempotency key, while it runs. */
export interface KeyedCall {
  readonly digest: CallDigest;
  /** When it began. */
  readonly at: Date;
  /**
   * Whether another run of the same call may have changed the record before we read it. True if this run took the key over
   * from an earlier run, or if a later run may have taken the key from this run.
   */
  mayHaveRun(): boolean;
  /** Set when an earlier run of the call is found. This run then changes nothing. */
  isReplayed: boolean;
}

/** The history of a record up to the version in a payload. A replay of the payload shows no newer entries (Contract 9.3.1). */
export class ShownHistory {
  /** @param version the version in the payload */
  constructor(
    readonly record: Types.ObjectId,
    readonly version: number,
  ) {}

  /** Creates it from the record in a payload. In a stored payload, `history` is only the record's id. */
  static of({ history, version }: { history: ShownHistory | Types.ObjectId; version: number }): ShownHistory {
    return history instanceof ShownHistory ? history : new ShownHistory(history, version);
  }

  /** Stores only the id, the format of 1.0.0, because 1.0.0 processes may still run during an upgrade. */
  toBSON(): Types.ObjectId {
    return this.record;
  }
}

/** One change of one record: every field that changed, before and after (Contract 10.1). */
export interface HistoryEntry extends Origin {
  /** The version that the change produced. Each version of a record except the first has one entry. */
  version: number;
  at: Date;
  changes: FieldChange[];
  /** The call that made the change, if it had an idempotency key. */
  call?: CallDigest;
}

/** A call that had an idempotency key and changed nothing. Stored in the record (Contract 9.3.9). */
interface UnchangingCall {
  at: Date;
  call: CallDigest;
}

/** The fields of every record with a history. */
export interface Versioned {
  _id: Types.ObjectId;
  /** Never changes. */
  publicId: string;
  /** Starts at 1; each change adds 1. */
  version: number;
  /** The time of the last change in the history. Null or absent before the first change, and if only 1.0.0 made changes. */
  updatedAt?: Date | null;
  /**
   * The time of the last write, by the database's clock. `changes`, and lists ordered by the last change, sort by this time. Absent
   * if 1.0.0 wrote the record last.
   */
  changedAt?: Date;
  /**
   * The media whose `changes` do not show yet that an import moved the job, or moved the company with its jobs (Contract 4.6.6).
   * Absent if there are none.
   */
  unsettledMedia?: string[];
  /** The entries that are not yet in the history collection. Bounded. */
  pendingHistory: HistoryEntry[];
  /** The last calls that had an idempotency key and changed nothing. Bounded. Absent before the first such call. */
  unchangingCalls?: UnchangingCall[];
}

const callSchema = totalSchema<CallDigest>({ key: String, input: String }, { _id: false });

/** The schema of an entry, both inside a record and in the history collection. */
export const historyEntrySchema = totalSchema<HistoryEntry>(
  {
    version: { type: Number, required: true },
    at: { type: Date, required: true },
    actor: { type: String, required: true },
    transport: { type: String, required: true, enum: transports },
    requestId: { type: String, required: true },
    changes: [
      totalSchema<FieldChange>(
        { field: String, before: Schema.Types.Mixed, after: Schema.Types.Mixed },
        { _id: false },
      ),
    ],
    call: callSchema,
  },
  { _id: false },
);

/** The fields of {@link Versioned} in a new record. */
export const unversioned = { version: 1, pendingHistory: [], updatedAt: null };

/** The Mongoose paths of {@link Versioned}. */
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
