import { existsSync } from 'node:fs';
import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../database/embedded/storage/folder-lock.js';
import { newKey, writeKeySet } from './key-rotation.js';

/** The path of the development key in this folder, whether or not the file exists. */
export const developmentKeyPath = (folder: string): string => join(folder, 'development-key.json');

/**
 * Creates the ES256 development key of this folder on first use. Processes that start at the same time get the same key.
 * @returns the path of the key @throws Error of the file system
 */
export async function ensureDevelopmentKey(folder: string): Promise<string> {
  const path = developmentKeyPath(folder);
  if (existsSync(path)) return path;
  await makeFolder(folder);
  // `link` fails if the file exists, so processes that start together use the key of the first.
  await writeKeySet(path, [await newKey()], (draft) =>
    link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    }),
  );
  return path;
}
