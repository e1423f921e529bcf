import { type Collection } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { isDatabaseAway } from '../errors/mask-error.js';
import { type Quota } from '../setting-parsers.js';

interface StoredBucket {
  key: string;
  /** Units that calls of the window asked for, rejected calls included. */
  points: number;
  /** When the window ends, by the database's clock. */
  expire: Date;
  /** When the bucket was last used, by the database's clock. */
  now: Date;
}

/** Calls of one bucket that a single command counts. */
interface Batch {
  units: number;
  hasBegun: boolean;
  /** The bucket after all calls of the batch. */
  counted: Promise<StoredBucket>;
}

const mostAttempts = 5;
const shortestPauseMs = 20;

/**
 * Counts calls in a database that processes share (Contract 8.2.3), by the database's clock: a process whose clock is fast cannot start a
 * window early.
 */
export class SharedLimiter {
  /** When the windows of empty buckets end, by `performance.now()`. Until then, calls are rejected without a query. */
  private readonly emptyUntilMs = new Map<string, number>();
  /** The newest batch of each bucket, until it is counted. */
  private readonly batches = new Map<string, Batch>();

  constructor(private readonly collection: Collection<StoredBucket>) {}

  /** If too few units were left, `consumedPoints` is over the limit. @throws the driver's error */
  async spend(bucket: string, { limit, durationSeconds }: Quota, units = 1): Promise<RateLimiterRes> {
    const key = keyOf(bucket);
    const nowMs = performance.now();
    const leftMs = (this.emptyUntilMs.get(key) ?? 0) - nowMs;
    if (leftMs > 0) return new RateLimiterRes(0, leftMs, limit + units);
    const state = stateOf(await this.place(key, durationSeconds * 1_000, units), limit);
    if (state.consumedPoints > limit) {
      for (const [ended, endsAtMs] of this.emptyUntilMs)
        if (endsAtMs <= nowMs) this.emptyUntilMs.delete(ended);
      this.emptyUntilMs.set(key, performance.now() + state.msBeforeNext);
    }
    return state;
  }

  /** Null if the window has ended. Spends no unit. */
  async find(bucket: string, { limit }: Quota): Promise<RateLimiterRes | null> {
    const [stored] = await this.collection
      .aggregate<StoredBucket>([{ $match: { key: keyOf(bucket) } }, { $set: { now: '$$NOW' } }])
      .toArray();
    return stored && stored.expire > stored.now ? stateOf(stored, limit) : null;
  }

  /**
   * The bucket after this call and the calls before it. While a command counts a bucket, new calls wait, and the next command counts them
   * together.
   */
  private async place(key: string, durationMs: number, units: number): Promise<StoredBucket> {
    const newest = this.batches.get(key);
    const batch = newest && !newest.hasBegun ? newest : this.gather(key, durationMs, newest);
    batch.units += units;
    const place = batch.units;
    const bucket = await batch.counted;
    return { ...bucket, points: bucket.points - batch.units + place };
  }

  private gather(key: string, durationMs: number, earlier: Batch | undefined): Batch {
    const count = async () => {
      // If the earlier batch fails, fail too: while the database is away, one wait is enough.
      await earlier?.counted;
      batch.hasBegun = true;
      return persistently(() => this.count(key, durationMs, batch.units));
    };
    const batch: Batch = { units: 0, hasBegun: false, counted: Promise.resolve().then(count) };
    this.batches.set(key, batch);
    const forget = () => this.batches.get(key) === batch && this.batches.delete(key);
    batch.counted.then(forget, forget);
    return batch;
  }

  private async count(key: string, durationMs: number, units: number): Promise<StoredBucket> {
    const isOpen = { $gt: ['$expire', '$now'] };
    const stored = await this.collection.findOneAndUpdate(
      { key },
      [
        { $set: { now: '$$NOW' } },
        {
          $set: {
            points: { $cond: [isOpen, { $add: ['$points', units] }, units] },
            expire: { $cond: [isOpen, '$expire', { $add: ['$now', durationMs] }] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    if (!stored) throw new Error('the upsert returned no bucket');
    return stored;
  }
}

const keyOf = (bucket: string): string => `quota:${bucket}`;

const stateOf = ({ points, expire, now }: StoredBucket, limit: number): RateLimiterRes =>
  new RateLimiterRes(Math.max(limit - points, 0), expire.getTime() - now.getTime(), points);

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
