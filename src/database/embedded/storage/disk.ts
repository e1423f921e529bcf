import { chmod, open as openFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { open, type Database } from 'lmdb';
import { assertWhole } from './data-file.js';
import { spareBytes } from '../../../folder/disk-space.js';
import { makeFolder } from '../../../folder/folder-lock.js';

type RecordKey = [collection: number, sequence: number];

interface DiskTable<Key> {
  put(key: Key, bytes: Uint8Array): void;
  remove(key: Key): void;
  entries(): Iterable<{ key: Key; value: Uint8Array }>;
}

/** All writes of a command reach the disk together or not at all. */
export interface Disk {
  collections: DiskTable<number>;
  records: DiskTable<RecordKey>;
  /** Resolves when all writes so far are on the disk. Rejects if a write fails or takes more than 30 s. */
  flushed(): Promise<void>;
  close(isRewritten?: boolean): Promise<void>;
}

/** In ms. After some disk failures, LMDB's promise never settles. */
const longestFlushMs = 30_000;

/** The files hold e-mail addresses, so only their owner may read them. */
async function openFiles(folder: string) {
  const options = {
    path: folder,
    noSubdir: false,
    maxDbs: 2,
    encoding: 'binary' as const,
    permissionsMode: 0o600,
  };
  const root = open<Uint8Array, number | RecordKey>(options);
  // Older versions let everyone read the files. A file of another user keeps its mode.
  for (const name of ['data.mdb', 'lock.mdb'])
    await chmod(join(folder, name), options.permissionsMode).catch(() => undefined);
  return root;
}

/** Closes the files, and replaces the data file by a copy of its entries: LMDB doesn't clear removed data in free pages and gaps. */
async function rewrite(folder: string, root: Awaited<ReturnType<typeof openFiles>>): Promise<void> {
  const { size } = await stat(join(folder, 'data.mdb'));
  if (spareBytes(folder) < size) throw new Error('its disk has too little free space for a copy');
  const draft = join(folder, 'draft');
  // A killed run may have left a draft.
  await rm(draft, { recursive: true, force: true });
  await makeFolder(draft);
  const copy = await openFiles(draft);
  try {
    copy.transactionSync(() => {
      for (const name of ['collections', 'records']) {
        const table = copy.openDB({ name, encoding: 'binary' });
        for (const { key, value } of root.openDB({ name, encoding: 'binary' }).getRange())
          table.putSync(key, value);
      }
    });
    await copy.flushed;
  } finally {
    await copy.close();
    await root.close();
  }
  await sync(join(draft, 'data.mdb'));
  await rename(join(draft, 'data.mdb'), join(folder, 'data.mdb'));
  // Windows can't open a folder.
  if (process.platform !== 'win32') await sync(folder);
  await rm(draft, { recursive: true });
}

async function sync(path: string): Promise<void> {
  const file = await openFile(path);
  await file.sync().finally(() => file.close());
}

/**
 * The folder must exist, and the caller must hold its lock: LMDB lets a second process open the store, and then writes are lost.
 * @throws DamagedStoreError or SlowStoreError
 */
export async function openDisk(folder: string): Promise<Disk> {
  await assertWhole(folder);
  const root = await openFiles(folder);
  let failure: unknown;
  let hasUnflushed = false;
  let flushing = Promise.resolve();
  /** How many bytes fit on the disk since the last flush. */
  let spare = 0;
  // LMDB puts all writes of one turn of the event loop into one transaction. It also writes the tree of pages, and can copy a page.
  const write = (bytes: number, start: () => Promise<boolean>): void => {
    const fail = (error: unknown) => void (failure ??= error);
    const isFirst = !hasUnflushed;
    hasUnflushed = true;
    try {
      spare = (isFirst ? spareBytes(folder) : spare) - 2 * bytes;
      if (spare < 0) throw new Error('less than 1 MiB is free on the disk');
      if (failure === undefined) start().catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  const flush = () =>
    new Promise<void>((resolve, reject) => {
      const end = (cause: unknown): void => {
        clearTimeout(timer);
        if (cause === undefined) resolve();
        else reject(new Error('a write to the disk failed', { cause }));
      };
      const timer = setTimeout(end, longestFlushMs, new Error('the disk does not answer'));
      root.flushed.then(() => end(failure), end);
    });
  const table = <Key extends number | RecordKey>(name: string): DiskTable<Key> => {
    const database: Database<Uint8Array, Key> = root.openDB({ name, encoding: 'binary' });
    return {
      put: (key, bytes) => write(bytes.length, () => database.put(key, bytes)),
      remove: (key) => write(0, () => database.remove(key)),
      entries: () => database.getRange(),
    };
  };
  return {
    collections: table('collections'),
    records: table('records'),
    flushed: () => {
      // A command that only reads may have seen writes of another command, so it waits too. Wait for `root.flushed`: LMDB settles the
      // promise of a single write before that write is on the disk.
      if (hasUnflushed) flushing = flush();
      hasUnflushed = false;
      return flushing;
    },
    close: async (isRewritten = false) => {
      if (!isRewritten) {
        await flush().catch(() => undefined);
        return root.close();
      }
      try {
        await flush();
        await rewrite(folder, root);
      } catch (cause) {
        const why = (cause as Error).message;
        throw new Error(
          `the file of the built-in store in ${folder} could not be rewritten and may still hold removed data: ${why}. Run the command again`,
          { cause },
        );
      }
    },
  };
}
