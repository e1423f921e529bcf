/** The most processor time for work that must finish within a second. */
export const promptMs = 1_000;

/** Other load on the machine affects processor time little, unlike wall time. */
export async function cpuMsOf(run: () => unknown): Promise<number> {
  const cpuMs = startCpuClock();
  await run();
  return cpuMs();
}

/** The least of three runs: compilers warm up, and other load slows some runs. A run that takes less than `enoughMs` is the last. */
export async function leastCpuMsOf(run: () => unknown, enoughMs = 0): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least >= enoughMs; tries += 1) least = Math.min(least, await cpuMsOf(run));
  return least;
}

/** @returns a function that returns the milliseconds of processor time since this call */
export function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** The most processor time of one request on the main thread. */
export const requestMs = 150;
