import { type FieldChange } from '../content/fields.rules.js';
import { Schema, type Types } from 'mongoose';
import { totalSchema } from '../database/total-schema.js';

/** How a change came in: through an API, by the gateway's own scheduled work, or by a command of the operator's. */
const transports = ['graphql', 'rest', 'task', 'import'] as const;
export type Transport = (typeof transports)[number];

/** Who made a change, how it came in, and in which request. */
export interface Origin {
  /** The token's subject, `system` for the archiving task, or the name that a command of the operator's gives. */
  actor: string;
  transport: Transport;
  requestId: string;
}

/** Names the call that made a change. It is stored with the change itself (Contract 9.3.9). */
interface CallDigest {
  /** Digest of the call's key, subject and operation, and of whatever else decides whose call it is. */
  key: string;
  /** Digest of its input, which a repetition must share. */
  input: string;
}

/** What an idempotency key may be (Contract 9.3). */
export const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** How long a call is remembered. */
export const rememberedMs = 86_400_000;

/** A call with an idempotency key, while it runs. */
export interface KeyedCall {
  readonly digest: CallDigest;
  /** When it began. */
  readonly at: Date;
  /**
   * Whether another run of the same call may have changed the record before we read it: either this run took the key over
   * from another one, or it can no longer be sure that nobody has taken the key from it.
   */
  mayHaveRun(): boolean;
  /** Set once an earlier run of the call was found. This run then changes nothing. */
  isReplayed: boolean;
}

/** The history of a record as far as a payload shows it: whatever is read of it later, nothing newer is (Contract 9.3.1). */
export class ShownHistory {
  /** @param version the version that is shown */
  constructor(
    readonly record: Types.ObjectId,
    readonly version: number,
  ) {}

  /** Of a record that a payload shows. One that was stored holds an id, and always its version. */
  static of({ history, version }: { history: ShownHistory | Types.ObjectId; version: number }): ShownHistory {
    return history instanceof ShownHistory ? history : new ShownHistory(history, version);
  }

  /** Stored payloads hold the id alone: 1.0.0 reads and writes them so, and may run beside us while we are put in its place. */
  toBSON(): Types.ObjectId {
    return this.record;
  }
}

/** One change of one record: every field that changed, before and after (Contract 10.1). */
export interface HistoryEntry extends Origin {
  /** The version that the change made. Every version of a record but the first has one entry. */
  version: number;
  at: Date;
  changes: FieldChange[];
  /** The call that made it, if that had an idempotency key. */
  call?: CallDigest;
}

/** A call with an idempotency key that found nothing to change, as the record stores it (Contract 9.3.9). */
interface UnchangingCall {
  at: Date;
  call: CallDigest;
}

/** What every record with a history has. */
export interface Versioned {
  _id: Types.ObjectId;
  /** Never changes. */
  publicId: string;
  /** Raised by one at each change. */
  version: number;
  /** When it last changed, as its history says; null before the first change, and absent where only 1.0.0 has changed it. */
  updatedAt?: Date | null;
  /** When it was last written, by the database's clock: lists and changes sort by it. Records that 1.0.0 wrote last lack it. */
  changedAt?: Date;
  /** Media that an import has moved it from, or its company's jobs with it, until their followers are told (Contract 4.6.6). */
  unsettledMedia?: string[];
  /** Entries that have not moved to the history collection yet. Bounded. */
  pendingHistory: HistoryEntry[];
  /** The last calls with a key that found nothing to change; absent before the first. Bounded. */
  unchangingCalls?: UnchangingCall[];
}

const callSchema = totalSchema<CallDigest>({ key: String, input: String }, { _id: false });

/** An entry, both while it is stored in its record and in the history collection. */
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

/** What a record has of {@link Versioned} before its first change. */
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
