import { access, constants, lstat, stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isDiskFull, nearestThere } from '../folder/disk-space.js';
import { about, type Finding } from './finding.js';

/** The statfs(2) types of /proc and /sys: root has permission there, but nobody can make a folder. */
const withoutNewFolders = new Set([0x9fa0, 0x62656572]);

/** Finds what would keep a start from making DATA_DIR or writing in it. Changes nothing. */
export async function folderFault(subject: string, folder: string): Promise<Finding | null> {
  const { fail } = about(subject);
  if (await lstat(folder).then(() => false, isTooLong))
    return fail(`DATA_DIR ${folder} cannot be made`, 'its name is too long: choose another DATA_DIR');
  const nearest = await nearestThere(resolve(folder));
  const status = await stat(nearest).catch(() => null);
  const isFolder = status?.isDirectory() === true;
  const refusal = await access(nearest, constants.W_OK | constants.X_OK).catch((error: unknown) => error);
  const canWrite = isFolder && refusal === undefined;
  if (canWrite && !withoutNewFolders.has((await statfs(nearest)).type))
    return (await isDiskFull(folder))
      ? fail(`less than 1 MiB is free on the disk of DATA_DIR ${folder}`, 'free some space')
      : null;
  return fail(
    `DATA_DIR ${folder} cannot be written`,
    `${isFolder ? `let this user write in ${nearest}, or` : `${nearest} is not a folder:`} choose another DATA_DIR`,
  );
}

const isTooLong = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENAMETOOLONG';
