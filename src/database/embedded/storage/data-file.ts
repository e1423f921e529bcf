import { execFile, type ExecFileException } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The file cannot be read whole: a copy of it was cut short, or something else has written into it. */
export class DamagedStoreError extends Error {
  override readonly name = 'DamagedStoreError';
}

/** The file was not read in time, which says nothing of what is in it, or of the rights to it. */
class SlowStoreError extends Error {
  override readonly name = 'SlowStoreError';
}

/** A store that is comfortable in memory is read in a few seconds. */
const longestReadMs = 60_000;

/** What the reading process ends with for what cannot be read. */
const toldDamage = 3;
/** How it ends where the file holds no page, or another thing in its place; the number is that of Windows. */
const crashes: unknown[] = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 0xc0000005];

// Codes above 0 are the system's, such as that of a file which this user may not open. They say nothing of what is in it.
const readAll = `
  import { open } from 'lmdb';
  try {
    const root = open({ path: process.env.FOLDER, noSubdir: false, maxDbs: 2, encoding: 'binary' });
    for (const name of ['collections', 'records'])
      for (const { value } of root.openDB({ name, encoding: 'binary' }).getRange()) Buffer.from(value).at(-1);
  } catch (error) {
    process.stderr.write(error.message);
    process.exitCode = error.code > 0 ? 1 : ${toldDamage};
  }
`;

/**
 * Lets another process read what a folder keeps before this one does. LMDB trusts its file: where a page of it is missing
 * or overwritten, the process ends by a signal, without a word.
 * @throws DamagedStoreError when it cannot be read whole, SlowStoreError when it takes too long to read; another error when it
 * could not be found out for another reason
 */
export async function assertWhole(folder: string, readMs = longestReadMs): Promise<void> {
  const file = await stat(join(folder, 'data.mdb')).catch(() => null);
  if (!file?.isFile()) return;
  // LMDB would take an empty file for a new store.
  if (file.size === 0) throw damaged(folder, new Error('it is empty'));
  const options = {
    // The packages are looked for from here. What require() loads of LMDB finds no binary below a folder such as `C#`.
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
  const reason = stderr || (signal ? `the process that reads it was ended by ${signal}` : message);
  throw new Error(`the store could not be looked at: ${reason}`);
}

const damaged = (folder: string, cause: unknown): DamagedStoreError =>
  new DamagedStoreError(`the store in ${folder} cannot be read whole`, { cause });
