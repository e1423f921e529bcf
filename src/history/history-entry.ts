import { type FieldChange, type FieldTable } from '../fields/fields.rules.js';
import { Schema, type SchemaDefinition, type Types } from 'mongoose';
import { indexKey, type ListIndex } from '../database/list-plan.js';
import { storedPaths, totalSchema } from '../database/total-schema.js';
import { type CallDigest } from '../idempotency/keyed-call.js';

const transports = ['graphql', 'rest', 'task', 'import'] as const;
export type Transport = (typeof transports)[number];

export interface Origin {
  /** The token's subject, `system` for the archiving task, or the name given to an operator's command. */
  actor: string;
  transport: Transport;
  requestId: string;
}

/** A record's history up to the version in a payload: a replay shows no newer entries (Contract 9.3.1). */
export interface ShownHistory {
  record: Types.ObjectId;
  publicId: string;
  version: number;
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
  /** Time of the last change in the history, or of the creation. */
  updatedAt: Date;
  /** Time of the last write, by the database's clock. Lists and `changes` sort by it, so every write must set it. */
  changedAt: Date;
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

/** The fields of {@link Versioned} in a record that is created now. `insertStamped` replaces `changedAt` by the database's clock. */
export const newlyVersioned = (now: Date): Omit<Versioned, '_id' | 'publicId'> => ({
  ...{ version: 1, pendingHistory: [] },
  ...{ updatedAt: now, changedAt: now },
});

/**
 * A schema with the paths of the fields that callers may write, of {@link Versioned}, and `others`.
 * @param blank what a new record has
 * @throws Error if a field of it has no path
 */
export function recordSchema<Stored extends Versioned>(
  collection: string,
  blank: object,
  table: FieldTable,
  others: SchemaDefinition,
  lists: readonly ListIndex[],
): Schema<Stored> {
  const paths = {
    ...storedPaths(table),
    publicId: { type: String, required: true },
    ...others,
    version: { type: Number, required: true, default: 1 },
    updatedAt: { type: Date, required: true },
    changedAt: { type: Date, required: true },
    pendingHistory: [historyEntrySchema],
    unchangingCalls: {
      type: [totalSchema<UnchangingCall>({ at: Date, call: callSchema }, { _id: false })],
      default: undefined,
    },
  };
  const missing = Object.keys(blank).find((name) => !(name in paths));
  if (missing !== undefined) throw new Error(`The field ${missing} of a record has no path.`);
  const options = { collection, versionKey: false, autoIndex: false, autoCreate: false };
  const schema = new Schema<Stored>(paths as never, options as never)
    .index({ publicId: 1 }, { unique: true })
    .index({ 'unchangingCalls.at': 1 }, { sparse: true });
  for (const index of lists) schema.index(indexKey(index));
  return schema;
}
