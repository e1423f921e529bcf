import { access, constants, lstat, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { about, type Finding, type Subject } from './finding.js';

/** Linux’s /proc and /sys, by statfs(2): nobody can make a folder there, though root has the right to. */
const withoutNewFolders = new Set([0x9fa0, 0x62656572]);

/** Why the gateway could not write in DATA_DIR, which its start makes; null if it could. Only looks. */
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
      ? fail(`less than 1 MiB is free on the disk of DATA_DIR ${folder}`, 'free more of it')
      : null;
  return fail(
    `DATA_DIR ${folder} cannot be written`,
    `${isFolder ? `let this user write in ${nearest}, or` : `${nearest} is no folder:`} choose another DATA_DIR`,
  );
}

/** A start writes about 100 KB. LMDB maps its files, and ends the process by a signal where a page of them has no room. */
const leastBytes = 1024 * 1024;

/** Whether the disk of a folder, which need not be there yet, has less than 1 MiB left for this user. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bsize, blocks, bfree, bavail } = await statfs(await nearestThere(resolve(folder)));
  // A file system without a bound counts no blocks; root may use those that are kept back.
  return blocks > 0 && (process.getuid?.() === 0 ? bfree : bavail) * bsize < leastBytes;
}

/** Whether something has this path, be it a link that leads nowhere: no folder can be made in its place. */
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
