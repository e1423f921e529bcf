import { type Collection, type Model } from 'mongoose';
import { boundedWrite, insertAbsent } from '../database/insert-records.js';
import { ReadableRecords } from '../database/readable-records.js';
import { allInOneBatch } from '../database/all-in-one-batch.js';
import { allOf, type Query } from '../paging/query.rules.js';
import { DomainError } from '../errors/domain-error.js';
import { type FieldFault } from '../errors/field-fault.js';
import { isDuplicateKey, isGivenUp } from '../database/database-errors.js';
import { type KeyedCall } from '../idempotency/keyed-call.js';
import { type HistoryEntry, type Origin, type Step, type Versioned } from './history-entry.js';
import { historyEntrySchema } from './history.mongoose.js';
import { entryId, type VersionedKind, type StoredEntry } from './history.record.js';
import { recordAfter, writeOf } from './version-write.rules.js';

export interface MutationControl {
  origin: Origin;
  /** The call is rejected if the record has another version. */
  expectedVersions?: readonly number[] | undefined;
  /** Whether to return the result without writing it. */
  isDryRun?: boolean | undefined;
  call?: KeyedCall | undefined;
  /** The faults of values that REST could not parse, by input name. They are reported with those of the other fields. */
  parseFaults?: readonly FieldFault[];
}

/** Checks the version that the caller expects. The history names the fields that have changed since. */
export interface VersionCheck {
  /** @throws DomainError version-conflict with the current version and the fields that changed since the last expected one */
  assertVersion(record: Versioned, control: MutationControl): Promise<void>;
}

/** Only queries of the history need the history, and only calls with an idempotency key those before. */
export const withoutHistory = { pendingHistory: 0, keyedCalls: 0 } as const;

export const historyProjection = (call: KeyedCall | undefined) =>
  call ? ({ pendingHistory: 0 } as const) : withoutHistory;

/** A write would turn a version such as "x" into "x1". */
const versioned = new ReadableRecords(historyEntrySchema, ['version']);

type Identified = Pick<Versioned, '_id' | 'publicId'>;

/**
 * Writes all changes of records with a history, except changes by the archiving task. The change, the version and
 * the history entries are written atomically.
 */
export class VersionedRecords<R extends Versioned> {
  private readonly records: Collection<Versioned>;

  constructor(
    private readonly kind: VersionedKind,
    { db, collection }: Pick<Model<R>, 'db' | 'collection'>,
    private readonly history: Collection<StoredEntry>,
  ) {
    this.records = db.collection<Versioned>(collection.name);
  }

  /**
   * Writes the steps, one version each, and the call, if the record still has the version that was read. Without steps, writes nothing.
   * @returns the record after the steps, or null if another call has changed the record since the read, or the record is full of entries
   * @throws Error, before any write, if the version cannot be read
   */
  async write(record: R, steps: readonly Step[], call?: KeyedCall): Promise<R | null> {
    versioned.assert(record);
    if (steps.length === 0) return record;
    const { filter, update, isLarge, isMoveDueAfter } = writeOf(record, steps, call);
    if (isLarge) await this.movePending(record);
    const written = await this.records.findOneAndUpdate(filter, update, {
      includeResultMetadata: false,
      returnDocument: 'after',
      projection: isMoveDueAfter ? { pendingHistory: 1 } : { _id: 1 },
      ...boundedWrite,
    });
    if (!written) await this.movePending(record);
    else if (isMoveDueAfter)
      // If the move fails, a later write moves the entries.
      await this.move(record, written.pendingHistory).catch(() => undefined);
    return written && recordAfter(record, steps);
  }

  /**
   * Uses one command. Each record may occur only once, and may have a further condition.
   * @returns the failed writes: another call changed the record, the record is full of entries, another record has the new name or
   * domain, or the database gave the command up before it came to them
   */
  async writeMany<Write extends { record: R; steps: readonly Step[]; condition?: Query }>(
    writes: readonly Write[],
  ): Promise<Write[]> {
    if (writes.length === 0) return [];
    for (const { record } of writes) versioned.assert(record);
    const planned = writes.map(({ record, steps, condition }) => {
      const { filter, ...write } = writeOf(record, steps);
      return { record, ...write, filter: allOf(filter, condition) };
    });
    // Move one record's entries at a time: a thousand moves at once would queue for a few connections, and time out if the database is
    // far away.
    for (const { record, isLarge } of planned) if (isLarge) await this.movePending(record);
    const updates = planned.map(({ filter, update }) => ({ updateOne: { filter, update } }));
    const written = await this.records
      .bulkWrite(updates, { ordered: false, ...boundedWrite })
      .catch((error: unknown) => {
        if (!isDuplicateKey(error) && !isGivenUp(error)) throw error;
      });
    const lost = written?.matchedCount === writes.length ? [] : await this.notMade(writes);
    const due = planned.filter(({ isMoveDueAfter }) => isMoveDueAfter);
    for (const { record } of [...due, ...lost]) await this.movePending(record);
    return lost;
  }

  /**
   * The command only counts its writes, so look for the entry that each write leaves in its record. If another writer has moved the entry
   * already, planning the write again finds nothing to change.
   */
  private async notMade<Write extends { record: R; steps: readonly Step[] }>(
    writes: readonly Write[],
  ): Promise<Write[]> {
    const publicIds = { $in: writes.map(({ record }) => record.publicId) };
    const options = { projection: { publicId: 1, pendingHistory: 1 }, ...allInOneBatch };
    const carrying = await this.records.find({ publicId: publicIds }, options).toArray();
    const made = new Set(
      carrying.flatMap(({ publicId, pendingHistory }) =>
        pendingHistory.map(({ version, requestId }) => `${publicId} ${version} ${requestId}`),
      ),
    );
    return writes.filter(({ record: { publicId, version }, steps }) => {
      const requestId = steps.at(-1)?.origin.requestId;
      return !made.has(`${publicId} ${version + steps.length} ${requestId}`);
    });
  }

  /** Safe to repeat, and to run in parallel. */
  async movePending(record: Identified): Promise<void> {
    const { publicId } = record;
    const carrying = await this.records.findOne({ publicId }, { projection: { pendingHistory: 1 } });
    await this.move(record, carrying?.pendingHistory ?? []);
  }

  private async move({ _id: id, publicId }: Identified, pending: readonly HistoryEntry[]): Promise<void> {
    const last = pending.at(-1);
    if (!last) return;
    // Don't upsert: DocumentDB rejects one of two colliding upserts as a deadlock or a duplicate key.
    const moved = pending.map((one) => ({ _id: entryId(this.kind, id, one.version), record: id, ...one }));
    await insertAbsent(this.history, moved);
    await this.records.updateOne(
      { publicId },
      { $pull: { pendingHistory: { version: { $lte: last.version } } } },
    );
  }
}

/** @throws DomainError validation-failed with every fault of the request. */
export function assertFaultless(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw new DomainError('validation-failed', { faults });
}
