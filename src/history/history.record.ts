import { type Types } from 'mongoose';
import { type HistoryEntry } from './history-entry.js';

export const versionedKinds = ['company', 'job'] as const;
export type VersionedKind = (typeof versionedKinds)[number];

/** The id consists of record and version, so no entry can be stored twice. */
export interface StoredEntry extends HistoryEntry {
  _id: string;
  record: Types.ObjectId;
}

export const entryId = (kind: VersionedKind, record: Types.ObjectId, version: number): string =>
  `${kind}:${record.toHexString()}:${version}`;

/** Matches entries by id. A sharded database finds them by their record. */
export const entriesOf = (records: readonly Types.ObjectId[], ids: readonly string[]) => ({
  record: { $in: records },
  _id: { $in: ids },
});

/** With {@link entriesOf}: the index of the records would read all their entries. */
export const byEntryId = { hint: { _id: 1 } } as const;
