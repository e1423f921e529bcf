import { access, constants, lstat, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { about, type Finding, type Subject } from './finding.js';

/** The statfs(2) types of /proc and /sys: root has permission there, but nobody can make a folder. */
const withoutNewFolders = new Set([0x9fa0, 0x62656572]);

/** Finds what would keep a start from making DATA_DIR or writing in it. Changes nothing. */
export async function folderFault(subject: Subject, folder: string): Promise<Finding | null> {
  const { fail } = about(subject);
  if (await lstat(folder).then(() => false, isTooLong))
    return fail(`DATA_DIR ${folder} cannot be made`, 'its name is too long: choose another DATA_DIR');
  const nearest = await nearestThere(resolve(folder));
  const status = await stat(nearest).catch(() => null);
  const isFolder = status?.isDirectory() === true;
  const canWrite = isFolder && (await succeeds(access(nearest, constants.W_OK | constants.X_OK)));
  if (canWrite && !withoutNewFolders.has((await statfs(nearest)).type))
    return (await isDiskFull(folder))
      ? fail(`less than 1 MiB is free on the disk of DATA_DIR ${folder}`, 'free some space')
      : null;
  return fail(
    `DATA_DIR ${folder} cannot be written`,
    `${isFolder ? `let this user write in ${nearest}, or` : `${nearest} is not a folder:`} choose another DATA_DIR`,
  );
}

/** A start writes about 100 KB. LMDB maps its files into memory: if a page does not fit on the disk, a signal kills the process. */
const leastBytes = 1024 * 1024;

/** Whether less than 1 MiB is left for this user. The folder need not exist. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bsize, blocks, bfree, bavail } = await statfs(await nearestThere(resolve(folder)));
  // A file system without a size limit reports 0 blocks. Only root may use the reserved blocks.
  return blocks > 0 && (process.getuid?.() === 0 ? bfree : bavail) * bsize < leastBytes;
}

/** A dangling link counts, because no folder or file can be made in its place. */
export const isTaken = (path: string): Promise<boolean> => succeeds(lstat(path));

const isTooLong = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENAMETOOLONG';

async function nearestThere(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await isTaken(path)) ? path : nearestThere(parent);
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
