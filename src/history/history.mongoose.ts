import { Schema, type SchemaDefinition } from 'mongoose';
import { type IndexRow } from '../database/indexes.js';
import { storedPaths, typedSchema } from '../database/typed-schema.js';
import { type FieldChange, type FieldTable } from '../fields/fields.rules.js';
import { type MadeCall } from '../idempotency/keyed-call.js';
import { type HistoryEntry, transports, type Versioned } from './history-entry.js';
import { type StoredEntry } from './history.record.js';

export const historyEntrySchema = typedSchema<HistoryEntry>(
  {
    version: { type: Number, required: true },
    at: { type: Date, required: true },
    actor: { type: String, required: true },
    transport: { type: String, required: true, enum: transports },
    requestId: { type: String, required: true },
    changes: [
      typedSchema<FieldChange>(
        { field: { type: String, required: true }, before: Schema.Types.Mixed, after: Schema.Types.Mixed },
        { _id: false },
      ),
    ],
  },
  { _id: false },
);

export const madeCallSchema = typedSchema<MadeCall>(
  { key: String, input: String, at: Date, version: Number },
  { _id: false },
);

export const historySchema = new Schema<StoredEntry>(
  { _id: { type: String, required: true }, record: { type: Schema.Types.ObjectId, required: true } },
  { collection: 'history', versionKey: false, autoIndex: false, autoCreate: false },
)
  .add(historyEntrySchema)
  .index({ record: 1, version: -1 }, { unique: true })
  // For the task that deletes old entries.
  .index({ at: 1 });

/** The index of every versioned record. */
export const publicIdIndex: IndexRow = {
  key: { publicId: 1 },
  options: { unique: true },
  serves: 'reads and writes by public id',
};

/** The index of the records that an import moves. Nearly always empty. */
export const syncDueIndex = {
  key: { isSyncDue: 1 },
  options: { sparse: true },
  serves: 'completing the moves of a killed import',
} as const satisfies IndexRow;

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
  indexes: readonly IndexRow[],
): Schema<Stored> {
  const paths = {
    ...storedPaths(table),
    publicId: { type: String, required: true },
    ...others,
    version: { type: Number, required: true, default: 1 },
    updatedAt: { type: Date, required: true },
    changedAt: { type: Date, required: true },
    pendingHistory: [historyEntrySchema],
    keyedCalls: {
      type: [madeCallSchema],
      default: undefined,
    },
    isSyncDue: Boolean,
    syncMedia: { type: [String], default: undefined },
  };
  const missing = Object.keys(blank).find((name) => !(name in paths));
  if (missing !== undefined) throw new Error(`The field ${missing} of a record has no path.`);
  const options = { collection, versionKey: false, autoIndex: false, autoCreate: false };
  const schema = new Schema<Stored>(paths as never, options as never);
  for (const index of indexes) schema.index(index.key, index.options);
  return schema;
}
