import { readFile } from 'node:fs/promises';
import { type Running } from '../../support/process.js';

/** The processor time of the gateway's main thread, as the kernel counts it. */
export async function processorMs({ child: { pid = 0 } }: Running): Promise<number> {
  const [ns] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(ns) / 1e6;
}
