import { type Collection, type WithId } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IRateLimiterMongoOptions, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { isDatabaseAway } from '../errors/mask-error.js';

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

const mostAttempts = 5;
const shortestPauseMs = 20;

/**
 * Counts in a database that processes share (Contract 8.2.3). The library's own limiter ends a window by the clock of
 * the process that asks, so that one whose clock is fast would open a new window while the old one lasts. Here the
 * database reads its own clock, in the same command that counts.
 */
export class SharedLimiter extends RateLimiterMongo {
  declare private readonly _collection: Collection<StoredBucket>;
  declare private readonly _inMemoryBlockedKeys: { msBeforeExpire(key: string): number };

  constructor(options: IRateLimiterMongoOptions) {
    // A bucket that was found empty stays so to the end of its window: this process refuses without asking again.
    super({ ...options, inMemoryBlockOnConsumed: Number(options.points) + 1 });
  }

  /** If this process's clock was set back, a bucket would stay empty for as long: then the database is asked again. */
  getInMemoryBlockMsBeforeExpire(key: string): number {
    const leftMs = this._inMemoryBlockedKeys.msBeforeExpire(key);
    return leftMs > this.msDuration ? 0 : leftMs;
  }

  /** Spends units of the window that is open, or of a new one. The library calls it for `consume`. */
  async _upsert(key: string, points: number, msDuration: number): Promise<StoredBucket | null> {
    const isOpen = { $gt: ['$expire', '$now'] };
    return persistently(() =>
      this._collection.findOneAndUpdate(
        { key },
        [
          { $set: { now: '$$NOW' } },
          {
            $set: {
              points: { $cond: [isOpen, { $add: ['$points', points] }, points] },
              expire: { $cond: [isOpen, '$expire', { $add: ['$now', msDuration] }] },
            },
          },
        ],
        { upsert: true, returnDocument: 'after' },
      ),
    );
  }

  /** The bucket while its window is open, otherwise null. The library calls it for `get`. */
  async _get(key: string): Promise<StoredBucket | null> {
    const [bucket] = await this._collection
      .aggregate<WithId<StoredBucket>>([{ $match: { key } }, { $set: { now: '$$NOW' } }])
      .toArray();
    return bucket && bucket.expire > bucket.now ? bucket : null;
  }

  _getRateLimiterRes(_key: string, _points: number, { points, expire, now }: StoredBucket): RateLimiterRes {
    return new RateLimiterRes(Math.max(this.points - points, 0), expire.getTime() - now.getTime(), points);
  }
}

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
