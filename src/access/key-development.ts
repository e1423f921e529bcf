import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newKey, printKeySet } from './key-rotation.js';

/** Where the development key of this folder is, or will be. */
export const developmentKeyPath = (folder: string): string => join(folder, 'development-key.json');

/**
 * The path of the development key in this folder, an ES256 pair made there on first use, readable by its owner only.
 * Processes that start at once agree on one key.
 * @throws Error of the file system when the folder cannot be written.
 */
export async function ensureDevelopmentKey(folder: string): Promise<string> {
  const path = developmentKeyPath(folder);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, printKeySet([await newKey()]), { mode: 0o600, flag: 'wx', flush: true });
    // A link is made whole or not at all, and never replaces a file: the second process uses the first one's key.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return path;
}
