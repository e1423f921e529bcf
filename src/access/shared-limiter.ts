import { type Collection } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { isDatabaseAway } from '../errors/mask-error.js';
import { type Quota } from '../setting-parsers.js';

/** A bucket as it is stored. */
interface StoredBucket {
  key: string;
  /** Units spent, and calls refused, since the window began. */
  points: number;
  /** When the window ends. */
  expire: Date;
  /** When the bucket was last asked. Both instants are the database's own. */
  now: Date;
}

/** Calls of one bucket that one command counts. */
interface Batch {
  calls: number;
  hasBegun: boolean;
  /** The bucket once all of them are counted. */
  counted: Promise<StoredBucket>;
}

const mostAttempts = 5;
const shortestPauseMs = 20;

/**
 * Counts in a database that processes share (Contract 8.2.3). The database reads its own clock in the command that counts, so
 * that a process whose clock is fast opens no new window while the old one lasts.
 */
export class SharedLimiter {
  /** When the windows of empty buckets end, by this process's steady clock: until then it refuses without asking again. */
  private readonly emptyUntilMs = new Map<string, number>();
  /** The newest batch of each bucket until it is counted. */
  private readonly batches = new Map<string, Batch>();

  constructor(private readonly collection: Collection<StoredBucket>) {}

  /** Spends a unit. `consumedPoints` is over the limit where none was left. @throws the driver's error */
  async spend(bucket: string, { limit, durationSeconds }: Quota): Promise<RateLimiterRes> {
    const key = keyOf(bucket);
    const nowMs = performance.now();
    const leftMs = (this.emptyUntilMs.get(key) ?? 0) - nowMs;
    if (leftMs > 0) return new RateLimiterRes(0, leftMs, limit + 1);
    const state = stateOf(await this.place(key, durationSeconds * 1_000), limit);
    if (state.consumedPoints > limit) {
      for (const [ended, endsAtMs] of this.emptyUntilMs)
        if (endsAtMs <= nowMs) this.emptyUntilMs.delete(ended);
      this.emptyUntilMs.set(key, performance.now() + state.msBeforeNext);
    }
    return state;
  }

  /** The state of a bucket while its window is open, otherwise null. Spends nothing. */
  async find(bucket: string, { limit }: Quota): Promise<RateLimiterRes | null> {
    const [stored] = await this.collection
      .aggregate<StoredBucket>([{ $match: { key: keyOf(bucket) } }, { $set: { now: '$$NOW' } }])
      .toArray();
    return stored && stored.expire > stored.now ? stateOf(stored, limit) : null;
  }

  /**
   * The bucket as one call leaves it. Calls that come while others of their bucket are being counted wait, and the next command
   * counts them together: each has its own place, in the order in which they came.
   */
  private async place(key: string, durationMs: number): Promise<StoredBucket> {
    const newest = this.batches.get(key);
    const batch = newest && !newest.hasBegun ? newest : this.gather(key, durationMs, newest);
    batch.calls += 1;
    const place = batch.calls;
    const bucket = await batch.counted;
    return { ...bucket, points: bucket.points - batch.calls + place };
  }

  private gather(key: string, durationMs: number, earlier: Batch | undefined): Batch {
    const count = async () => {
      // If the database is away, one wait is enough for all.
      await earlier?.counted;
      batch.hasBegun = true;
      return persistently(() => this.count(key, durationMs, batch.calls));
    };
    const batch: Batch = { calls: 0, hasBegun: false, counted: Promise.resolve().then(count) };
    this.batches.set(key, batch);
    const forget = () => this.batches.get(key) === batch && this.batches.delete(key);
    batch.counted.then(forget, forget);
    return batch;
  }

  /** Counts so many calls in the window that is open, or in a new one. */
  private async count(key: string, durationMs: number, calls: number): Promise<StoredBucket> {
    const isOpen = { $gt: ['$expire', '$now'] };
    const stored = await this.collection.findOneAndUpdate(
      { key },
      [
        { $set: { now: '$$NOW' } },
        {
          $set: {
            points: { $cond: [isOpen, { $add: ['$points', calls] }, calls] },
            expire: { $cond: [isOpen, '$expire', { $add: ['$now', durationMs] }] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    if (!stored) throw new Error('an upsert returns the bucket');
    return stored;
  }
}

/** The key that a bucket is stored by. */
const keyOf = (bucket: string): string => `quota:${bucket}`;

const stateOf = ({ points, expire, now }: StoredBucket, limit: number): RateLimiterRes =>
  new RateLimiterRes(Math.max(limit - points, 0), expire.getTime() - now.getTime(), points);

/** Tries again when the database answers with an error, as of two calls in a deadlock. When it is away, one wait is enough. */
async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (isDatabaseAway(error) || attempt === mostAttempts) throw error;
      // Pauses of different lengths, so that the same two calls do not meet again.
      await sleep(shortestPauseMs * (1 + Math.random()));
    }
  }
}
