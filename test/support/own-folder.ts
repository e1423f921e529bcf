import { afterAll } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a new folder for a test file, and removes it at the file's end. */
export const ownFolder = (): string => ownFolders()();

/** Returns a function that makes a new folder. The folders are removed at the file's end. */
export function ownFolders(): () => string {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-test-'));
    folders.push(folder);
    return folder;
  };
}
