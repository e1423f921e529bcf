import { type Collection, type Model, type Types } from 'mongoose';
import { DomainError } from '../errors/domain-error.js';
import { type FieldChange, type HistoryEntry, type Origin, type UnchangingCall } from './history-entry.js';
import { entryId, type RecordKind, type StoredEntry } from './history.model.js';
import { type KeyedCall, rememberedMs } from './keyed-call.js';

/** What every record with a history has. */
export interface Versioned {
  _id: Types.ObjectId;
  version: number;
  pendingHistory: HistoryEntry[];
  unchangingCalls?: UnchangingCall[];
}

/** What a read of records leaves out: nobody but the history and the calls with a key needs it. */
export const withoutHistory = { pendingHistory: 0, unchangingCalls: 0 } as const;

/** What a read of the record that a call with a key changes leaves out: of its history it needs the calls alone. */
const withCallsAlone = {
  'pendingHistory.actor': 0,
  'pendingHistory.transport': 0,
  'pendingHistory.requestId': 0,
  'pendingHistory.changes': 0,
} as const;

/** What the read of a record that is to be changed leaves out. */
export const leftOutFor = (call: KeyedCall | undefined) => (call ? withCallsAlone : withoutHistory);

/** One step of a write: the changes that make one version. */
export interface Step {
  at: Date;
  origin: Origin;
  changes: FieldChange[];
  /** Fields that change with it without being part of the history: keys made for comparison. */
  derived?: Record<string, unknown>;
}

/**
 * Entries move to the history collection when so many versions have passed, and large ones at once. To move them costs
 * more than an update; to carry them makes every write of the record longer.
 */
const moveEveryVersions = 32;
/**
 * Calls with a key that found nothing to change, which a record holds. One that is pushed out and was never answered runs
 * again, as if it had not been made: it has left nothing.
 */
const mostUnchangingCalls = 64;
/** UTF-16 units of the texts of a large entry. */
const largeUnits = 8_192;
/**
 * Entries that may ride in a record whose moves fail, once a large one is added, or a small one. One with texts of the
 * largest size in every field takes 0.8 MB, a small one 25 kB, so that all stay well under the 16 MiB of a document.
 */
const mostPending = { ifLarge: 12, ifSmall: 64 };

const isEndOfSpan = (version: number, steps: number): boolean =>
  Math.floor((version + steps) / moveEveryVersions) > Math.floor(version / moveEveryVersions);

/** Of the texts alone: what else a change may hold is short. */
const unitsOf = (changes: readonly FieldChange[]): number =>
  changes.reduce((sum, { before, after }) => sum + textUnits(before) + textUnits(after), 0);

const textUnits = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

/** The record as the steps leave it. */
export function recordAfter<R extends Versioned>(record: R, steps: readonly Step[]): R {
  const after = { ...record, version: record.version + steps.length } as unknown as Record<string, unknown>;
  for (const { changes, derived } of steps) {
    for (const change of changes) {
      const [key = '', part] = change.field.split('.');
      after[key] = part ? { ...(after[key] as object), [part]: change.after } : change.after;
    }
    Object.assign(after, derived);
  }
  return after as unknown as R;
}

/** The write of the steps on top of exactly the version given; the last step carries the call that asks for it. */
function writeOf({ _id, version }: Versioned, steps: readonly Step[], call?: KeyedCall) {
  const set: Record<string, unknown> = { version: version + steps.length };
  for (const { changes, derived } of steps) {
    for (const { field, after } of changes) set[field] = after;
    Object.assign(set, derived);
  }
  const entries = steps.map(({ at, origin, changes }, index) => ({
    version: version + index + 1,
    at,
    ...origin,
    changes,
    ...(call && index === steps.length - 1 && { call: call.digest }),
  }));
  const isLarge = steps.some(({ changes }) => unitsOf(changes) > largeUnits);
  const most = isLarge ? mostPending.ifLarge : mostPending.ifSmall;
  return {
    filter: { _id, version, [`pendingHistory.${most - steps.length}`]: { $exists: false } },
    update: { $set: set, $push: { pendingHistory: { $each: entries } } },
    isMoveDue: isLarge || isEndOfSpan(version, steps.length),
  };
}

const isDuplicateKey = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 11_000;

/**
 * The one way to change a record that has versions and a history (Contract 9.1, 10.1): the change, its version and
 * its history entries are one atomic write, so that none is ever seen without the others, even after a crash.
 */
export class VersionedRecords<R extends Versioned> {
  /** The driver's own: casting what the rules made of the right types costs as much as half a command. */
  private readonly records: Collection<Versioned>;
  private readonly history: Collection<StoredEntry>;

  constructor(
    private readonly kind: RecordKind,
    records: Model<R>,
    history: Model<StoredEntry>,
  ) {
    this.records = records.db.collection<Versioned>(records.collection.name);
    this.history = history.db.collection<StoredEntry>(history.collection.name);
  }

  /**
   * What the call changed when it ran before, as it stands now; null where it has not run (Contract 9.3.9). The record must
   * have been read with {@link leftOutFor} the call: an entry that has left it since is in the history, so that none is
   * missed, and what comes later raises the version, on which {@link write} fails.
   * @param record what the call means now; absent where it finds nothing, as after a change of what it is found by
   * @throws DomainError idempotency-key-reuse when another input ran under its key
   */
  async findMade(record: R | undefined, call: KeyedCall | undefined): Promise<R | null> {
    if (!call) return null;
    const { key, input } = call.digest;
    const since = new Date(call.at.getTime() - rememberedMs);
    const carried = [...(record?.pendingHistory ?? []), ...(record?.unchangingCalls ?? [])].find(
      (carrier) => carrier.call?.key === key && carrier.at > since,
    );
    const moved =
      !carried && call.mayHaveRun()
        ? await this.history.findOne({ 'call.key': key, at: { $gt: since } }, { projection: { changes: 0 } })
        : null;
    const found = carried ?? moved;
    if (!found) return null;
    if (found.call?.input !== input) throw new DomainError('idempotency-key-reuse');
    call.isReplayed = true;
    if (record && (!moved || moved.record.equals(record._id))) return record;
    return moved && (await this.records.findOne<R>({ _id: moved.record }, { projection: withoutHistory }));
  }

  /**
   * Applies the steps on top of exactly the version given, one version each. The last carries the call that asks for it;
   * without a step the record alone carries it, and keeps its version.
   * @returns the record as it is then, or null when somebody else has changed it since
   */
  async write(record: R, steps: readonly Step[], call?: KeyedCall): Promise<R | null> {
    if (steps.length === 0) return !call || (await this.noteUnchanging(record, call)) ? record : null;
    const { filter, update, isMoveDue } = writeOf(record, steps, call);
    const written = await this.records.findOneAndUpdate(filter, update, {
      includeResultMetadata: false,
      returnDocument: 'after',
      projection: isMoveDue ? { pendingHistory: 1 } : { _id: 1 },
    });
    if (!written) await this.movePending(record._id);
    else if (isMoveDue)
      // The change is made, whatever becomes of this: its entries may ride in the record until a later write.
      await this.move(record._id, written.pendingHistory).catch(() => undefined);
    // What was written stood on this very version, so that nothing of it needs to be read again.
    return written && recordAfter(record, steps);
  }

  /**
   * The same for many records, each of them another one, in one command.
   * @returns the writes that were not made, since somebody else has changed the record or holds a key of the new one
   */
  async writeMany<Write extends { record: R; steps: readonly Step[] }>(
    writes: readonly Write[],
  ): Promise<Write[]> {
    if (writes.length === 0) return [];
    const planned = writes.map(({ record, steps }) => ({ id: record._id, ...writeOf(record, steps) }));
    const matched = await this.records
      .bulkWrite(
        planned.map(({ filter, update }) => ({ updateOne: { filter, update } })),
        { ordered: false },
      )
      .then(
        ({ matchedCount }) => matchedCount,
        (error: unknown) => {
          if (isDuplicateKey(error)) return 0;
          throw error;
        },
      );
    const lost = matched === writes.length ? [] : await this.notMade(writes);
    const due = planned.filter(({ isMoveDue }) => isMoveDue).map(({ id }) => id);
    const full = lost.map(({ record }) => record._id);
    await Promise.all([...due, ...full].map((id) => this.movePending(id)));
    return lost;
  }

  /** The command says how many it has written, not which: each has left its entry, in the record or moved since. */
  private async notMade<Write extends { record: R; steps: readonly Step[] }>(
    writes: readonly Write[],
  ): Promise<Write[]> {
    const idOf = ({ record, steps }: Write) => entryId(this.kind, record._id, record.version + steps.length);
    const made = new Set<string>();
    const carrying = await this.records
      .find({ _id: { $in: writes.map(({ record }) => record._id) } }, { projection: { pendingHistory: 1 } })
      .toArray();
    for (const { _id, pendingHistory = [] } of carrying)
      for (const { version, requestId } of pendingHistory)
        made.add(`${entryId(this.kind, _id, version)} ${requestId}`);
    const moved = await this.history
      .find({ _id: { $in: writes.map(idOf) } }, { projection: { requestId: 1 } })
      .toArray();
    for (const { _id, requestId } of moved) made.add(`${_id} ${requestId}`);
    return writes.filter((write) => !made.has(`${idOf(write)} ${write.steps.at(-1)?.origin.requestId}`));
  }

  private async noteUnchanging({ _id, version }: R, { digest, at }: KeyedCall): Promise<boolean> {
    const { matchedCount } = await this.records.updateOne(
      { _id, version },
      { $push: { unchangingCalls: { $each: [{ at, call: digest }], $slice: -mostUnchangingCalls } } },
    );
    return matchedCount > 0;
  }

  /** Moves the entries that ride in a record to the history collection. Safe to repeat and to run in parallel. */
  async movePending(id: Types.ObjectId): Promise<void> {
    const record = await this.records.findOne({ _id: id }, { projection: { pendingHistory: 1 } });
    await this.move(id, record?.pendingHistory ?? []);
  }

  private async move(id: Types.ObjectId, pending: readonly HistoryEntry[]): Promise<void> {
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
