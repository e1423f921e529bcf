import { Schema, type SchemaDefinition } from 'mongoose';
import { indexKey, type ListIndex } from '../database/list-plan.js';
import { storedPaths, totalSchema } from '../database/total-schema.js';
import { type FieldChange, type FieldTable } from '../fields/fields.rules.js';
import { type CallDigest } from '../idempotency/keyed-call.js';
import { type HistoryEntry, transports, type UnchangingCall, type Versioned } from './history-entry.js';
import { type StoredEntry } from './history.record.js';

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

export const historySchema = new Schema<StoredEntry>(
  { _id: { type: String, required: true }, record: { type: Schema.Types.ObjectId, required: true } },
  { collection: 'history', versionKey: false, autoIndex: false, autoCreate: false },
)
  .add(historyEntrySchema)
  .index({ record: 1, version: -1 }, { unique: true })
  // For the task that deletes old entries.
  .index({ at: 1 })
  // For finding the change of a call that may have run.
  .index({ 'call.key': 1 }, { sparse: true });

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
