import { lstat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** A start writes about 100 KB. LMDB maps its files into memory: if a page does not fit on the disk, a signal kills the process. */
const leastBytes = 1024 * 1024;

/** Whether less than 1 MiB is left for this user. The folder need not exist. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bsize, blocks, bfree, bavail } = await statfs(await nearestThere(resolve(folder)));
  // A file system without a size limit reports 0 blocks. Only root may use the reserved blocks.
  return blocks > 0 && (process.getuid?.() === 0 ? bfree : bavail) * bsize < leastBytes;
}

/** A dangling link counts, because no folder or file can be made in its place. */
export const isTaken = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null)) !== null;

/** The path itself, or the nearest of its parents that is there. */
export async function nearestThere(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await isTaken(path)) ? path : nearestThere(parent);
}
