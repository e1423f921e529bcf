import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from '@swc/core';
import { root } from '../support/process.js';

const SOURCE = new URL('../../src/', import.meta.url);
const PARTS = /^(database\/embedded|folder)\/.*\.ts$/;
/** Inside the project, where Node.js finds the packages. */
const CACHE = join(root, 'node_modules/.cache');

/**
 * Compiles the store for its own process or thread: jest transpiles nothing there, and `dist` may be older than the sources.
 * @returns the folder of its JavaScript
 */
export async function buildStore(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'embedded-store-'));
  for (const name of await readdir(SOURCE, { recursive: true })) {
    if (!PARTS.test(name)) continue;
    const source = await readFile(new URL(name, SOURCE), 'utf8');
    const options = { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } } as const;
    const { code } = await transform(source, { ...options, module: { type: 'es6' }, swcrc: false });
    const target = join(folder, name.replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, code);
  }
  return folder;
}
