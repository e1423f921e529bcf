import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const assetsFolder = fileURLToPath(new URL('../../dist/pages/assets/', import.meta.url));
export const assetsPrefix = '/assets/';
export const listFile = new URL('../../dist/pages/assets.json', import.meta.url);

/** URLs, relative unless the page can be at any depth. Each name holds the hash of the content. */
export interface PageAssets {
  /** A module. */
  script?: string;
  style: string;
  /** The licences of the bundled packages. */
  licences: string;
}

interface BuiltPages {
  explorer: PageAssets;
  /** For all other pages. */
  site: PageAssets;
  /** HTML by the path of the page; `start` is the call on the start page. */
  documents: Record<'contract' | 'client' | 'handbook' | 'errors' | 'changelog' | 'docs' | 'start', string>;
}

/** Null if the build has not run. @throws Error if the file cannot be read */
export async function readPageAssets(): Promise<BuiltPages | null> {
  try {
    return JSON.parse(await readFile(listFile, 'utf8')) as BuiltPages;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
