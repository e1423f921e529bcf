import { setTimeout as sleep } from 'node:timers/promises';
import { LogoWaitError } from './logo-errors.js';

/**
 * An ordinary picture is decoded in some hundredths of a second, the slowest in 4 s. One that waits for longer than this
 * stands in a queue that grows.
 */
const longestWaitMs = 5_000;

/** Settles when every picture so far has been decoded. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Runs `decode` once all earlier calls in this process are done, whether they succeeded or not. One at a time, since a
 * decoder takes up to 600 MiB for the worst WebP, and several at once would exhaust the memory.
 * @throws LogoWaitError when its turn does not come within 5 s; then it never runs
 */
export function decodeInTurn<T>(decode: () => Promise<T>): Promise<T> {
  const before = lastTurn;
  const isInTime = Promise.race([before.then(() => true), sleep(longestWaitMs, false, { ref: false })]);
  const turn = isInTime.then((comes) => {
    if (!comes) throw new LogoWaitError('other pictures take long to be decoded');
    return decode();
  });
  // The next call waits for the earlier ones too: a call that gave up waiting ends before they do. Their results are
  // dropped, so that the queue holds no picture in memory.
  lastTurn = Promise.allSettled([before, turn]).then(() => undefined);
  return turn;
}
