import { afterAll } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a new folder for a test file, and removes it at the file's end. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
