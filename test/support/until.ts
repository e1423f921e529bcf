import { setTimeout as sleep } from 'node:timers/promises';

/** Asks less and less often: of a wait of seconds, the asking would cost more than what is waited for. */
const pollMs = (waitedMs: number) => Math.min(20 + waitedMs / 10, 250);
/** Long enough for a machine under load. */
const longestMs = 60_000;

/** @throws Error after a minute: if the wait ended silently, the test could pass */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await isSo())) {
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > longestMs) throw new Error(`${isSo.toString()} did not hold within a minute`);
    await sleep(pollMs(waitedMs));
  }
}
