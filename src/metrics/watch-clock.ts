import { type Logger } from 'pino';
import { tolerableSkewMs } from '../database/clock-skew.js';
import { type Metrics } from './metrics.js';

const everyMs = 60_000;

/**
 * Compares the clock at once and then once a minute. Past 5 s it warns, once until the clock is right again. While the database
 * is away, nothing is compared.
 * @param readSkewMs by how much our clock is ahead; null if that cannot be told
 * @returns a function that ends this
 */
export function watchClock(
  readSkewMs: () => Promise<number | null>,
  { clockSkew }: Pick<Metrics, 'clockSkew'>,
  log: Logger,
): () => void {
  let wasOff = false;
  const compare = async () => {
    const skewMs = await readSkewMs().catch(() => null);
    if (skewMs === null) return;
    clockSkew.set(skewMs / 1_000);
    const isOff = Math.abs(skewMs) > tolerableSkewMs;
    if (isOff && !wasOff)
      log.warn(
        { seconds: skewMs / 1_000 },
        'the clock differs from the database’s by more than 5 s: let NTP set both',
      );
    wasOff = isOff;
  };
  void compare();
  const timer = setInterval(() => void compare(), everyMs).unref();
  return () => clearInterval(timer);
}
