/** The most processor time for work that must finish within a second. */
export const promptMs = 1_000;

/** Other load on the machine affects processor time little, unlike wall time. */
export async function cpuMsOf(run: () => unknown): Promise<number> {
  const cpuMs = startCpuClock();
  await run();
  return cpuMs();
}

/** The least of three runs: compilers warm up, and other load slows some runs. */
export async function leastCpuMsOf(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let tries = 0; tries < 3; tries += 1) times.push(await cpuMsOf(run));
  return Math.min(...times);
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
