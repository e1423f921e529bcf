import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The file cannot be read whole: a copy of it was cut short, or something else has written into it. */
export class DamagedStoreError extends Error {
  override readonly name = 'DamagedStoreError';
}

/** A store that is comfortable in memory is read in a few seconds. */
const readMs = 60_000;

const readAll = `
  const { open } = require(process.env.LMDB);
  const root = open({ path: process.env.FOLDER, noSubdir: false, maxDbs: 2, encoding: 'binary' });
  for (const name of ['collections', 'records'])
    for (const { value } of root.openDB({ name, encoding: 'binary' }).getRange()) Buffer.from(value).at(-1);
`;

/**
 * Lets another process read what a folder keeps before this one does. LMDB trusts its file: where a page of it is missing
 * or overwritten, the process ends by a signal, without a word.
 * @throws DamagedStoreError when it cannot be read whole
 */
export async function assertWhole(folder: string): Promise<void> {
  const file = await stat(join(folder, 'data.mdb')).catch(() => null);
  if (!file?.isFile()) return;
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    FOLDER: folder,
    LMDB: createRequire(import.meta.url).resolve('lmdb'),
  };
  try {
    // LMDB would take an empty file for a new store.
    if (file.size === 0) throw new Error('it is empty');
    await promisify(execFile)(process.execPath, ['-e', readAll], {
      env,
      timeout: readMs,
      killSignal: 'SIGKILL',
    });
  } catch (cause) {
    throw new DamagedStoreError(`the store in ${folder} cannot be read whole`, { cause });
  }
}
