import { type Collection } from 'mongoose';
import { singleBatch } from '../database/single-batch.js';
import { type Versioned } from '../history/history-entry.js';
import {
  byEntryId,
  entriesOf,
  entryId,
  type StoredEntry,
  type VersionedKind,
} from '../history/history.record.js';

type Dated = Omit<Versioned, keyof ChangeInstants> & { [path in keyof ChangeInstants]?: unknown } & {
  publishedAt?: unknown;
};
type ChangeInstants = Partial<Record<'changedAt' | 'updatedAt', Date>>;

/**
 * Finds the instants that records lack: of the last history entry, else of the publication, else of the record's id, else now. Followers
 * have read records without an instant first, so an instant in the past doesn't make them read these again.
 */
export async function lackingInstants(
  kind: VersionedKind,
  history: Collection<StoredEntry>,
  records: readonly Dated[],
  now: Date,
): Promise<(record: Dated) => ChangeInstants> {
  const moved = records.filter(
    ({ changedAt, updatedAt, pendingHistory }) => !(changedAt && updatedAt) && !pendingHistory?.length,
  );
  const ids = moved.map(({ _id, version }) => entryId(kind, _id, version));
  const owners = moved.map(({ _id }) => _id);
  const options = { projection: { at: 1 }, ...byEntryId, ...singleBatch };
  const found = moved.length > 0 ? await history.find(entriesOf(owners, ids), options).toArray() : [];
  const entries = new Map(found.map(({ _id, at }) => [_id, at]));
  return ({ _id, version, changedAt, updatedAt, publishedAt, pendingHistory }) => {
    const entryAt = pendingHistory?.at(-1)?.at ?? entries.get(entryId(kind, _id, version));
    const last =
      [entryAt, publishedAt, _id.getTimestamp()].find((at) => at instanceof Date && at <= now) ?? now;
    return {
      ...(!changedAt && { changedAt: last }),
      ...(!updatedAt && { updatedAt: last }),
    } as ChangeInstants;
  };
}
