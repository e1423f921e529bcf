import { type Logger } from 'pino';
import { tolerableSkewMs } from '../database/clock-skew.js';
import { type Metrics } from './metrics.js';

const everyMs = 60_000;

/**
 * Compares our clock with the database's, at once and then every minute. Warns if they differ by more than 5 s, and again only after
 * they have agreed in between.
 * @param readSkewMs returns how far our clock is ahead; null if unknown
 * @returns a function that stops the checks
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
