import { setTimeout as sleep } from 'node:timers/promises';
import {
  type IRateLimiterMongoOptions,
  RateLimiterMemory,
  RateLimiterMongo,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import { isDatabaseAway } from '../errors/mask-error.js';

const mostAttempts = 5;
const shortestPauseMs = 20;

/**
 * Counts in a database that processes share (Contract 8.2.3). While it is away, which the connection's own time-outs
 * tell, each process counts on its own. A database that answers with an error is not away, and another count would let
 * in who has no unit left: what does not come to pass in a few attempts fails.
 */
export class SharedLimiter extends RateLimiterMongo {
  private readonly own: RateLimiterMemory;

  constructor(options: IRateLimiterMongoOptions) {
    super(options);
    this.own = new RateLimiterMemory(options);
  }

  override consume(key: string, points?: number): Promise<RateLimiterRes> {
    return orElse(
      () => super.consume(key, points),
      () => this.own.consume(key, points),
    );
  }

  override get(key: string): Promise<RateLimiterRes | null> {
    return orElse(
      () => super.get(key),
      () => this.own.get(key),
    );
  }
}

async function orElse<T>(ask: () => Promise<T>, whileAway: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      // A refusal is thrown, too, but is no error.
      if (!(error instanceof Error)) throw error;
      if (isDatabaseAway(error)) return whileAway();
      if (attempt === mostAttempts) throw error;
      // Those who stood in each other's way, as in a deadlock, spread out.
      await sleep(shortestPauseMs * (1 + Math.random()));
    }
  }
}
