import { type Model, type Types } from 'mongoose';
import { isDatabaseAway } from '../errors/mask-error.js';
import { type FieldChange, type HistoryEntry, type Origin } from './history-entry.js';
import { entryId, type RecordKind, type StoredEntry } from './history.model.js';

/** What every record with a history has. */
export interface Versioned {
  _id: Types.ObjectId;
  version: number;
  pendingHistory: HistoryEntry[];
}

/** One step of a write: the changes that make one version. */
export interface Step {
  at: Date;
  origin: Origin;
  changes: FieldChange[];
  /** Fields that change with it without being part of the history: keys made for comparison. */
  derived?: Record<string, unknown>;
}

/**
 * Entries move to the history collection when so many versions have passed. Entries of texts of the largest size in
 * every field take 0.8 MB each, so that the most that may wait stays under the 16 MiB of a document.
 */
const moveEveryVersions = 8;
const mostPending = 16;

/** The change is made: its entries may ride in the record until a later write finds the database well. */
function leaveForLater(error: unknown): void {
  if (!isDatabaseAway(error)) throw error;
}

/**
 * The one way to change a record that has versions and a history (Contract 9.1, 10.1): the change, its version and
 * its history entries are one atomic write, so that none is ever seen without the others, even after a crash.
 */
export class VersionedRecords<R extends Versioned> {
  constructor(
    private readonly kind: RecordKind,
    private readonly records: Model<R>,
    private readonly history: Model<StoredEntry>,
  ) {}

  /**
   * Applies the steps on top of exactly the version given, one version each.
   * @returns the record as it is then, or null when somebody else has changed it since
   */
  async write(record: { _id: Types.ObjectId; version: number }, steps: readonly Step[]): Promise<R | null> {
    const set = Object.assign(
      {},
      ...steps.map(({ changes, derived }) => ({
        ...Object.fromEntries(changes.map(({ field, after }) => [field, after])),
        ...derived,
      })),
    ) as Record<string, unknown>;
    const entries = steps.map(({ at, origin, changes }, index) => ({
      version: record.version + index + 1,
      at,
      ...origin,
      changes,
    }));
    const version = record.version + steps.length;

    const written = await this.records
      .findOneAndUpdate(
        {
          _id: record._id,
          version: record.version,
          [`pendingHistory.${mostPending - steps.length}`]: { $exists: false },
        },
        { $set: { ...set, version }, $push: { pendingHistory: { $each: entries } } },
        { returnDocument: 'after', projection: { pendingHistory: 0 } },
      )
      .lean<R>();
    const isMoveDue =
      Math.floor(version / moveEveryVersions) > Math.floor(record.version / moveEveryVersions);
    if (!written) await this.movePending(record._id);
    else if (isMoveDue) await this.movePending(record._id).catch(leaveForLater);
    return written;
  }

  /** Moves the entries that ride in a record to the history collection. Safe to repeat and to run in parallel. */
  async movePending(id: Types.ObjectId): Promise<void> {
    const record = await this.records.findById(id, { pendingHistory: 1 }).lean<Pick<R, 'pendingHistory'>>();
    const pending = record?.pendingHistory ?? [];
    const last = pending.at(-1);
    if (!last) return;
    await this.history.bulkWrite(
      pending.map((entry) => ({
        updateOne: {
          filter: { _id: entryId(this.kind, id, entry.version) },
          update: { $setOnInsert: { record: id, ...entry } },
          upsert: true,
        },
      })),
    );
    await this.records.updateOne(
      { _id: id },
      {
        $pull: { pendingHistory: { version: { $lte: last.version } } },
      },
    );
  }
}
