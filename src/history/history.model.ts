import { Schema, type Types } from 'mongoose';
import { historyEntrySchema, type HistoryEntry } from './history-entry.js';

/** The kinds of record that have a history. */
export type VersionedKind = 'company' | 'job';

/** A history entry in the history collection. Its id is made of record and version, so that no entry is there twice. */
export interface StoredEntry extends HistoryEntry {
  _id: string;
  record: Types.ObjectId;
}

/** The id of the one entry that may tell of this version of a record. */
export const entryId = (kind: VersionedKind, record: Types.ObjectId, version: number): string =>
  `${kind}:${record.toHexString()}:${version}`;

export const historySchema = new Schema<StoredEntry>(
  { _id: { type: String, required: true }, record: { type: Schema.Types.ObjectId, required: true } },
  { collection: 'history', versionKey: false, autoIndex: false, autoCreate: false },
)
  .add(historyEntrySchema)
  .index({ record: 1, version: -1 }, { unique: true })
  // For the task that removes old entries.
  .index({ at: 1 })
  // For a call that may have run before: it asks whether its change was made.
  .index({ 'call.key': 1 }, { sparse: true });
