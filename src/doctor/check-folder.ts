import { access, constants, lstat, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { about, type Finding, type Subject } from './finding.js';

/**
 * Why the gateway could not write in DATA_DIR, which its start makes with the folders above it; null if it could. Only
 * looks.
 */
export async function folderFault(subject: Subject, folder: string): Promise<Finding | null> {
  const nearest = await nearestThere(resolve(folder));
  const isFolder = await stat(nearest).then(
    (status) => status.isDirectory(),
    () => false,
  );
  if (isFolder && (await isWritable(nearest))) return null;
  return about(subject).fail(
    `DATA_DIR ${folder} cannot be written`,
    isFolder ? `let this user write in ${nearest}` : `${nearest} is no folder: choose another DATA_DIR`,
  );
}

/** Whether something has this path, be it a link that leads nowhere: no folder can be made in its place. */
export const isTaken = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function nearestThere(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await isTaken(path)) ? path : nearestThere(parent);
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
