import { setTimeout as sleep } from 'node:timers/promises';
import { LogoWaitError } from './logo-wait-error.js';

/** One usual picture takes some hundredths of a second, the slowest 4: what waits longer is in a queue that grows. */
const longestWaitMs = 5_000;

/** One at a time: the decoders' memory, up to 600 MiB for the worst WebP, must not add up. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Runs it when all that asked before are done, whatever became of them, in the whole process.
 * @throws LogoWaitError when they take longer than 5 s; then it never runs
 */
export function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const before = lastTurn;
  const isInTime = Promise.race([before.then(() => true), sleep(longestWaitMs, false, { ref: false })]);
  const turn = isInTime.then((comes) => {
    if (!comes) throw new LogoWaitError('other pictures take long to be decoded');
    return run();
  });
  // Who gave up does not let the next pass those before. What they answered is dropped: the queue must hold no picture.
  lastTurn = Promise.allSettled([before, turn]).then(() => undefined);
  return turn;
}
