import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The folder where the build puts the files that browsers load, and the list of those files. */
export const assetsFolder = fileURLToPath(new URL('../../dist/pages/assets/', import.meta.url));
export const assetsPrefix = '/assets/';
const listFile = new URL('../../dist/pages/assets.json', import.meta.url);

/** The files that a page loads, as relative URLs with the hash of the content in their names. */
interface PageAssets {
  script?: string;
  style: string;
  licences: string;
}

/** What the build made for the pages. */
interface BuiltPages {
  explorer: PageAssets;
  docs: PageAssets;
  /** For pages of text alone. */
  text: PageAssets;
  /** The contract as HTML, in which each statement has its number for an id. */
  contract: string;
}

/** What the build made for the pages; null if it has not been run. @throws Error when unreadable */
export async function readPageAssets(): Promise<BuiltPages | null> {
  try {
    return JSON.parse(await readFile(listFile, 'utf8')) as BuiltPages;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
