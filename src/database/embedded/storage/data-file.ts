import { execFile, type ExecFileException } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A copy was cut short, or another program has written into the file. */
export class DamagedStoreError extends Error {
  override readonly name = 'DamagedStoreError';
}

/** Reading took too long; the file may be fine. */
class SlowStoreError extends Error {
  override readonly name = 'SlowStoreError';
}

/** In ms. A store small enough for memory is read in a few seconds. */
const longestReadMs = 60_000;

/** The exit code of the reading process for data that can't be read. */
const toldDamage = 3;
/** How the reading process ends at a missing or overwritten page: by a signal, or on Windows with an exit code. */
const crashes: unknown[] = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 0xc0000005];

// An error code above 0 is a system error, such as a missing permission, and says nothing about the content. The system fills a truncated
// page with zeros, so a store with a truncated root page would look empty.
const readAll = `
  import { open } from 'lmdb';
  import { statSync } from 'node:fs';
  try {
    const { size } = statSync(process.env.FOLDER + '/data.mdb');
    const root = open({ path: process.env.FOLDER, noSubdir: false, maxDbs: 2, encoding: 'binary' });
    const { pageSize, lastPageNumber } = root.getStats();
    if (size % pageSize > 0 && size < (lastPageNumber + 1) * pageSize) throw new Error('it ends within a page');
    for (const name of ['collections', 'records'])
      for (const { value } of root.openDB({ name, encoding: 'binary' }).getRange()) Buffer.from(value).at(-1);
  } catch (error) {
    process.stderr.write(error.message);
    process.exitCode = error.code > 0 ? 1 : ${toldDamage};
  }
`;

/**
 * Reads the whole file in another process: LMDB crashes its process if a page is missing or overwritten.
 * @throws DamagedStoreError, SlowStoreError, or Error if the check itself failed
 */
export async function assertWhole(folder: string, readMs = longestReadMs): Promise<void> {
  const file = await stat(join(folder, 'data.mdb')).catch(() => null);
  if (!file?.isFile()) return;
  // LMDB would treat an empty file as a new store.
  if (file.size === 0) throw damaged(folder, new Error('it is empty'));
  const options = {
    // The program imports packages from this folder. It is an ES module: LMDB's CommonJS build doesn't find its binary if the path has a
    // character such as `#`.
    cwd: import.meta.dirname,
    env: { ...process.env, NODE_OPTIONS: '', FOLDER: resolve(folder) },
    timeout: readMs,
    killSignal: 'SIGKILL' as const,
  };
  const program = ['--input-type=module', '-e', readAll];
  const fault = await promisify(execFile)(process.execPath, program, options).then(
    () => null,
    (error: ExecFileException) => error,
  );
  if (fault === null) return;
  const { code, signal, killed, stderr, message } = fault;
  if (code === toldDamage || crashes.includes(signal ?? code)) throw damaged(folder, fault);
  if (killed) throw new SlowStoreError(`it was not read within ${readMs / 1_000} s`);
  const reason = stderr || (signal ? `${signal} killed the process that reads it` : message);
  throw new Error(`the store could not be checked: ${reason}`);
}

const damaged = (folder: string, cause: unknown): DamagedStoreError =>
  new DamagedStoreError(`the store in ${folder} is damaged and cannot be read completely`, { cause });
