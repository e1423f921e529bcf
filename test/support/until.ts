import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;
/** Longer than a machine under load takes for what is waited for; what has not happened then, the test shows. */
const longestMs = 60_000;

/** Waits until something is so, at most for a minute. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAtMs = performance.now() + longestMs;
  while (!(await isSo()) && performance.now() < giveUpAtMs) await sleep(pollMs);
}
