import { existsSync } from 'node:fs';
import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../folder/folder-lock.js';
import { newKey, writeKeySet } from './key-rotation.js';

export const developmentKeyPath = (folder: string): string => join(folder, 'development-key.json');

/** Processes that start together get the same key. @throws Error of the file system */
export async function ensureDevelopmentKey(folder: string): Promise<string> {
  const path = developmentKeyPath(folder);
  if (existsSync(path)) return path;
  await makeFolder(folder);
  // Unlike `rename`, `link` fails if the file exists.
  await writeKeySet(path, [await newKey()], (draft) =>
    link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    }),
  );
  return path;
}
