import { existsSync } from 'node:fs';
import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../database/embedded/storage/folder-lock.js';
import { newKey, writeKeySet } from './key-rotation.js';

/** Where the development key of this folder is, or will be. */
export const developmentKeyPath = (folder: string): string => join(folder, 'development-key.json');

/** The ES256 key of this folder, made on first use; processes that start together agree on it. @throws Error of the file system */
export async function ensureDevelopmentKey(folder: string): Promise<string> {
  const path = developmentKeyPath(folder);
  if (existsSync(path)) return path;
  await makeFolder(folder);
  // A link never replaces a file: a process that comes second uses the first one's key.
  await writeKeySet(path, [await newKey()], (draft) =>
    link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    }),
  );
  return path;
}
