import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;
/** Long enough for a machine under load. */
const longestMs = 60_000;

/** @throws Error after a minute: if the wait ended silently, the test could pass */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAtMs = performance.now() + longestMs;
  while (!(await isSo())) {
    if (performance.now() > giveUpAtMs) throw new Error(`${isSo.toString()} did not hold within a minute`);
    await sleep(pollMs);
  }
}
