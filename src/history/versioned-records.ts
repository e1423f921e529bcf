import { type Collection, type Model } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundedWrite, insertAbsent } from '../database/insert-absent.js';
import { singleBatch } from '../database/single-batch.js';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { type FieldFault } from '../errors/field-fault.js';
import { isDuplicateKey, isGivenUp } from '../database/database-errors.js';
import { type CallKey, callKeys, type KeyedCall } from '../idempotency/keyed-call.js';
import { type HistoryEntry, type Origin, type Step, type Versioned } from './history-entry.js';
import { byEntryId, entriesOf, entryId, type VersionedKind, type StoredEntry } from './history.record.js';
import {
  assertVersioned,
  forgetCalls,
  forgottenBefore,
  recordAfter,
  writeOf,
} from './version-write.rules.js';

export interface UpdateControl {
  origin: Origin;
  /** The update is rejected if the record has another version. */
  expectedVersion?: number | null | undefined;
  /** Whether to return the result without writing it. */
  isDryRun?: boolean | undefined;
  call?: KeyedCall | undefined;
}

/** Only queries of the history and calls with an idempotency key need the history. */
export const withoutHistory = { pendingHistory: 0, unchangingCalls: 0 } as const;

/** For calls with an idempotency key: keeps only the calls of the history. */
const withCallsAlone = Object.fromEntries(
  ['actor', 'transport', 'requestId', 'changes'].map((path) => [`pendingHistory.${path}`, 0 as const]),
);

export const historyProjection = (call: KeyedCall | undefined) => (call ? withCallsAlone : withoutHistory);

type Identified = Pick<Versioned, '_id' | 'publicId'>;

/** If an older call is repeated, it runs again: its first run changed nothing. */
const mostUnchangingCalls = 64;

/**
 * Writes all changes of records with a history, except changes by the archiving task (Contract 9.1.1, 10.1.1). The change, the version and
 * the history entries are written atomically.
 */
export class VersionedRecords<R extends Versioned> {
  private readonly records: Collection<Versioned>;
  private readonly keys: Collection<CallKey>;

  constructor(
    private readonly kind: VersionedKind,
    { db, collection }: Pick<Model<R>, 'db' | 'collection'>,
    private readonly history: Collection<StoredEntry>,
  ) {
    this.records = db.collection<Versioned>(collection.name);
    this.keys = db.collection<CallKey>(callKeys);
  }

  /**
   * Looks for an earlier run of the call (Contract 9.3.9). Returns the current state of that run's record, or null if there was no
   * earlier run.
   *
   * Read `record` before, with the projection {@link historyProjection}. Then no run is missed: an entry that moves later is in the history
   * collection, and a run that changes the record later raises the version, so {@link write} fails.
   * @param record undefined if the call finds none now, for example because its earlier run changed the name
   * @throws DomainError idempotency-key-reuse if the key was used with another input
   */
  async findMade(record: R | undefined, call: KeyedCall | undefined): Promise<R | null> {
    if (!call) return null;
    const { key, input } = call.digest;
    const since = forgottenBefore(call.at);
    const carried = [...(record?.pendingHistory ?? []), ...(record?.unchangingCalls ?? [])].find(
      (carrier) => carrier.call?.key === key && carrier.at > since,
    );
    const moved = !carried && call.mayHaveRun() ? await this.findMoved(record, call, since) : null;
    const found = carried ?? moved;
    if (!found) return null;
    if (found.call?.input !== input) throw new DomainError('idempotency-key-reuse');
    call.isReplayed = true;
    if (record && (!moved || moved.record.equals(record._id))) return record;
    // This is a company: inputs name a job by its public id, so equal inputs find the same job.
    return moved && (await this.records.findOne<R>({ _id: moved.record }, { projection: withoutHistory }));
  }

  private async findMoved(record: R | undefined, call: KeyedCall, since: Date): Promise<StoredEntry | null> {
    const records = [...(await call.movedFrom()), ...(record ? [record._id] : [])];
    if (records.length === 0) return null;
    const made = { record: { $in: records }, 'call.key': call.digest.key, at: { $gt: since } };
    return this.history.findOne(made, { projection: { changes: 0 } });
  }

  /**
   * Writes the steps, one version each, if the record still has the version that was read. The last step's entry stores the call. Without
   * steps, stores only the call and keeps the version.
   * @returns the record after the steps, or null if another call has changed the record since the read, or the record is full of entries
   * @throws Error, before any write, if the version is damaged
   */
  async write(record: R, steps: readonly Step[], call?: KeyedCall): Promise<R | null> {
    assertVersioned(record);
    if (steps.length === 0) return !call || (await this.noteUnchanging(record, call)) ? record : null;
    const { filter, update, isMoveDueBefore, isMoveDueAfter } = writeOf(record, steps, call);
    if (isMoveDueBefore) await this.movePending(record);
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
   * Uses one command. Each record may occur only once.
   * @returns the failed writes: another call changed the record, the record is full of entries, another record has the new name or
   * domain, or the database gave the command up before it came to them
   */
  async writeMany<Write extends { record: R; steps: readonly Step[] }>(
    writes: readonly Write[],
  ): Promise<Write[]> {
    if (writes.length === 0) return [];
    for (const { record } of writes) assertVersioned(record);
    const planned = writes.map(({ record, steps }) => ({ record, ...writeOf(record, steps) }));
    // Move one record's entries at a time: a thousand moves at once would queue for a few connections, and time out if the database is
    // far away.
    for (const { record, isMoveDueBefore } of planned) if (isMoveDueBefore) await this.movePending(record);
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

  /** The command only counts its writes, so look for the entry that each write would have left. */
  private async notMade<Write extends { record: R; steps: readonly Step[] }>(
    writes: readonly Write[],
  ): Promise<Write[]> {
    const idOf = ({ record, steps }: Write) => entryId(this.kind, record._id, record.version + steps.length);
    const made = new Set<string>();
    const carrying = await this.records
      .find(
        { publicId: { $in: writes.map(({ record }) => record.publicId) } },
        { projection: { pendingHistory: 1 }, ...singleBatch },
      )
      .toArray();
    for (const { _id, pendingHistory = [] } of carrying)
      for (const { version, requestId } of pendingHistory)
        made.add(`${entryId(this.kind, _id, version)} ${requestId}`);
    const records = writes.map(({ record }) => record._id);
    const options = { projection: { requestId: 1 }, ...byEntryId, ...singleBatch };
    const moved = await this.history.find(entriesOf(records, writes.map(idOf)), options).toArray();
    for (const { _id, requestId } of moved) made.add(`${_id} ${requestId}`);
    return writes.filter((write) => !made.has(`${idOf(write)} ${write.steps.at(-1)?.origin.requestId}`));
  }

  private async noteUnchanging({ publicId, version, unchangingCalls = [] }: R, { digest, at }: KeyedCall) {
    // One update can't add to a list and remove from it.
    if (unchangingCalls.some((noted) => noted.at < forgottenBefore(at)))
      await this.records.updateOne({ publicId }, forgetCalls(at));
    const { matchedCount } = await this.records.updateOne(
      { publicId, version },
      { $push: { unchangingCalls: { $each: [{ at, call: digest }], $slice: -mostUnchangingCalls } } },
    );
    return matchedCount > 0;
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
    const keys = pending.flatMap(({ call }) => call?.key ?? []);
    if (keys.length > 0)
      await this.keys.updateMany(
        { _id: { $in: keys }, movedFrom: { $ne: id } },
        { $push: { movedFrom: id } },
      );
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

const mostAttempts = 25;
const longestPauseMs = 20;

/**
 * Repeats an attempt until its result is not null, at most 25 times. Null means that another call changed the record between read and
 * write (Contract 9.2).
 * @param giveUp creates the error to throw after the last attempt; default service-unavailable
 */
export async function retryLostRace<T>(
  attempt: () => Promise<T | null>,
  giveUp = (): Error => unavailable(new Error('lost too many races')),
): Promise<T> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const result = await attempt();
    if (result !== null) return result;
    // Wait for a random time, or the same two updates collide again.
    await sleep(Math.random() * longestPauseMs);
  }
  throw giveUp();
}
