import { statfsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * A start writes about 100 KB. On a full disk, a signal can kill the process: LMDB maps its files into memory, and writes the message for a
 * failed write into a buffer that is too short for it.
 */
const leastBytes = 1024 * 1024;

/** How many bytes this user can write before less than 1 MiB is left. */
export function spareBytes(folder: string): number {
  const { bsize, blocks, bfree, bavail } = statfsSync(folder);
  // A file system without a size limit reports 0 blocks. Only root may use the reserved blocks.
  return blocks > 0 ? (process.getuid?.() === 0 ? bfree : bavail) * bsize - leastBytes : Infinity;
}

/** Whether less than 1 MiB is left for this user. The folder need not exist. */
export const isDiskFull = async (folder: string): Promise<boolean> =>
  spareBytes(await nearestThere(resolve(folder))) < 0;

/** A dangling link counts, because no folder or file can be made in its place. */
export const isTaken = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null)) !== null;

/** The path itself, or the nearest of its parents that is there. */
export async function nearestThere(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await isTaken(path)) ? path : nearestThere(parent);
}
