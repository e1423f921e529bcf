import { chmod, open as openFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { open, type Database } from 'lmdb';
import { assertWhole } from './data-file.js';
import { makeFolder } from './folder-lock.js';

/** Where a document lies: the number of its collection, and its own. */
type RecordKey = [collection: number, sequence: number];

/** Bytes by their key. */
interface Table<Key> {
  put(key: Key, bytes: Uint8Array): void;
  remove(key: Key): void;
  entries(): Iterable<{ key: Key; value: Uint8Array }>;
}

/** The durable side of the store. All writes of one command reach the disk together or not at all. */
export interface Disk {
  collections: Table<number>;
  records: Table<RecordKey>;
  /** Settles when all writes made so far are on the disk. Rejects when one could not be made, or takes more than 30 s. */
  flushed(): Promise<void>;
  /** @param isRewritten whether the file is first written anew, so that nothing of what was removed stays in it; default false */
  close(isRewritten?: boolean): Promise<void>;
}

/** LMDB tells some failures of the disk to nobody, and its promise stays open: whoever waits for it would wait for ever. */
const longestFlushMs = 30_000;

/** Opens the files of a folder. They hold e-mail addresses, so only their owner may read them. */
async function openFiles(folder: string) {
  const options = {
    path: folder,
    noSubdir: false,
    maxDbs: 2,
    encoding: 'binary' as const,
    permissionsMode: 0o600,
  };
  const root = open<Uint8Array, number | RecordKey>(options);
  // Former versions let everybody read them. Files of another user stay as they are.
  for (const name of ['data.mdb', 'lock.mdb'])
    await chmod(join(folder, name), options.permissionsMode).catch(() => undefined);
  return root;
}

type Files = Awaited<ReturnType<typeof openFiles>>;

/**
 * Closes the files of a folder and puts a copy in place of the data, in one step: a kill leaves either file, whole. LMDB does not
 * clear what it removes, in free pages and in the gaps of others, so the copy is made of the entries.
 */
async function rewrite(folder: string, root: Files): Promise<void> {
  const draft = join(folder, 'draft');
  // A run that was killed may have left one.
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
  // Windows opens no folder.
  if (process.platform !== 'win32') await sync(folder);
  await rm(draft, { recursive: true });
}

async function sync(path: string): Promise<void> {
  const file = await openFile(path);
  await file.sync().finally(() => file.close());
}

/**
 * Opens what a folder keeps. The folder must exist, and the caller must have locked it: LMDB does not refuse a second
 * process, and two of them lose each other's writes.
 * @throws DamagedStoreError when it cannot be read whole, SlowStoreError when it takes too long to read
 */
export async function openDisk(folder: string): Promise<Disk> {
  await assertWhole(folder);
  const root = await openFiles(folder);
  let failure: unknown;
  let hasUnflushed = false;
  let flushing = Promise.resolve();
  // LMDB makes one transaction of the writes of one turn of the event loop, such as those of a command.
  const watch = (write: Promise<boolean>): void => {
    hasUnflushed = true;
    write.catch((error: unknown) => (failure ??= error));
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
  const table = <Key extends number | RecordKey>(name: string): Table<Key> => {
    const database: Database<Uint8Array, Key> = root.openDB({ name, encoding: 'binary' });
    return {
      put: (key, bytes) => watch(database.put(key, bytes)),
      remove: (key) => watch(database.remove(key)),
      entries: () => database.getRange(),
    };
  };
  return {
    collections: table('collections'),
    records: table('records'),
    flushed: () => {
      // A command that wrote nothing may have seen what another has written, so it waits for that one's flush.
      // The promise of a write settles before the write is on the disk; this one does not.
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
          `the file of the built-in store in ${folder} was not written anew, and may still hold what was removed: ${why}. Run the command again`,
          { cause },
        );
      }
    },
  };
}
