/** What is promised within a second, in milliseconds of processor time. */
export const promptMs = 1_000;

/** The processor time in milliseconds that it takes: unlike the time by the clock, a neighbour's load hardly changes it. */
export async function cpuMsOf(run: () => unknown): Promise<number> {
  const cpuMs = startCpuClock();
  await run();
  return cpuMs();
}

/** The least that three tries take: compilers warm up, and a neighbour's load adds to some of them. */
export async function leastCpuMsOf(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let tries = 0; tries < 3; tries += 1) times.push(await cpuMsOf(run));
  return Math.min(...times);
}

/** @returns what tells the processor time in milliseconds since this call. */
export function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** What one request may take of the main thread's processor time, in milliseconds. */
export const requestMs = 150;
