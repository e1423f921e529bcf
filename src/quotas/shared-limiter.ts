import { type Collection } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../database/database-errors.js';
import { type Quota } from '../settings/setting-parsers.js';

interface StoredBucket {
  key: string;
  /** Units spent in the window. At most the limit, unless a process with a higher limit has counted, too. */
  points: number;
  /** `points` before the last command; 0 if the command began the window. */
  before: number;
  /** When the window ends, by the database's clock. */
  expire: Date;
  /** When the bucket was last used, by the database's clock. */
  now: Date;
}

/** What a bucket is known to hold until its window ends. */
export interface Window {
  remaining: number;
  /** When the window ends, by the database's clock. */
  expire: Date;
  /** The same by `performance.now()`. */
  endsAtMs: number;
}

/** `missing`: how many units were too few; 0 if the call has spent its units. A refused call spends nothing. */
type Spending = Window & { missing: number };

interface QueuedCall {
  units: number;
}

/** Calls of one bucket that are counted together. */
interface Batch {
  calls: QueuedCall[];
  hasBegun: boolean;
  counted: Promise<Window & { granted: readonly QueuedCall[] }>;
}

const mostAttempts = 5;
const shortestPauseMs = 20;

/**
 * Counts calls in a database that processes share (Contract 8.2.3), by the database's clock: a process whose clock is fast cannot start a
 * window early.
 */
export class SharedLimiter {
  /** Buckets that have refused a call. Until their windows end, calls that ask for more than is left are refused without a query. */
  private readonly known = new Map<string, Window>();
  /** The newest batch of each bucket, until it is counted. */
  private readonly batches = new Map<string, Batch>();

  constructor(private readonly collection: Collection<StoredBucket>) {}

  /** Spends all the units or none. @throws the driver's error */
  async spend(bucket: string, quota: Quota, units: number): Promise<Spending> {
    const key = keyOf(bucket);
    const known = this.known.get(key);
    if (known && isOpen(known) && units > known.remaining)
      return { ...known, missing: units - known.remaining };
    return this.place(key, quota, { units });
  }

  /** Null if the window has ended. Spends no unit. */
  async find(bucket: string, { limit }: Quota): Promise<Window | null> {
    const [stored] = await this.collection
      .aggregate<StoredBucket>([{ $match: { key: keyOf(bucket) } }, { $set: { now: '$$NOW' } }])
      .toArray();
    return stored && stored.expire > stored.now ? windowOf(stored, limit) : null;
  }

  /** Gives back units that a call has spent but not used, unless their window has ended. */
  async giveBack(bucket: string, { limit }: Quota, units: number, expire: Date): Promise<Window | null> {
    const key = keyOf(bucket);
    this.known.delete(key);
    const stored = await this.collection.findOneAndUpdate(
      { key, expire },
      { $inc: { points: -units } },
      { returnDocument: 'after' },
    );
    return stored && windowOf(stored, limit);
  }

  /** While a command counts a bucket, new calls wait, and the next command counts them together. */
  private async place(key: string, quota: Quota, call: QueuedCall): Promise<Spending> {
    const newest = this.batches.get(key);
    const batch = newest && !newest.hasBegun ? newest : this.gather(key, quota, newest);
    batch.calls.push(call);
    const { granted, ...known } = await batch.counted;
    const place = granted.indexOf(call);
    if (place === -1) return { ...known, missing: call.units - known.remaining };
    return { ...known, remaining: known.remaining + sumOf(granted.slice(place + 1)), missing: 0 };
  }

  private gather(key: string, quota: Quota, earlier: Batch | undefined): Batch {
    const count = async () => {
      // If the earlier batch fails, fail too: while the database is away, one wait is enough.
      const known = await earlier?.counted;
      batch.hasBegun = true;
      return this.countAll(key, quota, batch.calls, known);
    };
    const batch: Batch = { calls: [], hasBegun: false, counted: Promise.resolve().then(count) };
    this.batches.set(key, batch);
    const forget = () => this.batches.get(key) === batch && this.batches.delete(key);
    batch.counted.then(forget, forget);
    return batch;
  }

  /** Asks for the calls that fit, as far as is known, until the database grants them or none is left. */
  private async countAll(
    key: string,
    quota: Quota,
    calls: readonly QueuedCall[],
    earlier: Window | undefined,
  ) {
    let known = earlier && isOpen(earlier) ? earlier : undefined;
    for (;;) {
      const granted = fitting(calls, known?.remaining ?? quota.limit);
      if (!known || granted.length > 0) {
        const stored = await persistently(() => this.count(key, quota, sumOf(granted)));
        known = windowOf(stored, quota.limit);
        if (stored.points === stored.before && granted.length > 0) continue;
      }
      if (granted.length < calls.length) this.remember(key, known);
      return { ...known, granted };
    }
  }

  private remember(key: string, known: Window): void {
    for (const [other, each] of this.known) if (!isOpen(each)) this.known.delete(other);
    this.known.set(key, known);
  }

  private async count(key: string, { limit, durationSeconds }: Quota, units: number): Promise<StoredBucket> {
    const isInWindow = { $gt: ['$expire', '$now'] };
    const sum = { $add: ['$before', units] };
    const stored = await this.collection.findOneAndUpdate(
      { key },
      [
        { $set: { now: '$$NOW' } },
        {
          $set: {
            before: { $cond: [isInWindow, '$points', 0] },
            expire: { $cond: [isInWindow, '$expire', { $add: ['$now', durationSeconds * 1_000] }] },
          },
        },
        { $set: { points: { $cond: [{ $gt: [sum, limit] }, '$before', sum] } } },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    if (!stored) throw new Error('the upsert returned no bucket');
    return stored;
  }
}

const keyOf = (bucket: string): string => `quota:${bucket}`;

const sumOf = (calls: readonly QueuedCall[]): number => calls.reduce((sum, { units }) => sum + units, 0);

/** A cheaper call passes where an earlier one does not fit. */
function fitting(calls: readonly QueuedCall[], units: number): QueuedCall[] {
  let left = units;
  return calls.filter((call) => {
    const fits = call.units <= left;
    if (fits) left -= call.units;
    return fits;
  });
}

const windowOf = ({ points, expire, now }: StoredBucket, limit: number): Window => ({
  remaining: Math.max(limit - points, 0),
  expire,
  endsAtMs: performance.now() + expire.getTime() - now.getTime(),
});

const isOpen = ({ endsAtMs }: Window): boolean => endsAtMs > performance.now();

/** Tries up to 5 times after errors such as a deadlock. Does not retry while the database is away. */
async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (isDatabaseAway(error) || attempt === mostAttempts) throw error;
      // A random pause, or the same calls would collide again.
      await sleep(shortestPauseMs * (1 + Math.random()));
    }
  }
}
