import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Where the build puts what browsers load, and the list of it. */
export const assetsFolder = fileURLToPath(new URL('../../dist/pages/assets/', import.meta.url));
export const assetsPrefix = '/assets/';
const listFile = new URL('../../dist/pages/assets.json', import.meta.url);

/** What a page loads: URLs with the hash of the content in their names. */
export interface PageAssets {
  script: string;
  styles: readonly string[];
}

/** The assets of each page that the build made; null where it has not been run. @throws Error when unreadable */
export async function readPageAssets(): Promise<Record<'explorer' | 'docs', PageAssets> | null> {
  try {
    return JSON.parse(await readFile(listFile, 'utf8')) as Record<'explorer' | 'docs', PageAssets>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
