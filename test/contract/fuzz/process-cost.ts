import { readFile, writeFile } from 'node:fs/promises';
import { type Running } from '../../support/process.js';

/** The processor time of the gateway's main thread, as the kernel counts it. */
export async function processorMs({ child: { pid = 0 } }: Running): Promise<number> {
  const [ns] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(ns) / 1e6;
}

/** The most memory that the process has had since the last reset. */
export async function peakMiB(
  { child: { pid = 0 } }: Running,
  { isReset = false }: { isReset?: boolean } = {},
): Promise<number> {
  if (isReset) await writeFile(`/proc/${pid}/clear_refs`, '5');
  return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 2 ** 10;
}
