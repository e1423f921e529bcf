import { open, type Database } from 'lmdb';

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
  close(): Promise<void>;
}

/** In ms. After some disk failures, LMDB's promise never settles. */
const longestFlushMs = 30_000;

/** The folder must exist, and the caller must hold its lock: LMDB lets a second process open the store, and then writes are lost. */
export async function openDisk(folder: string): Promise<Disk> {
  const options = {
    ...{ path: folder, noSubdir: false, maxDbs: 2, encoding: 'binary' as const },
    // The files hold e-mail addresses, so only their owner may read them.
    permissionsMode: 0o600,
  };
  const root = open<Uint8Array, number | RecordKey>(options);
  let failure: unknown;
  let hasUnflushed = false;
  let flushing = Promise.resolve();
  // LMDB puts all writes of one turn of the event loop into one transaction.
  const write = (start: () => Promise<boolean>): void => {
    const fail = (error: unknown) => void (failure ??= error);
    hasUnflushed = true;
    try {
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
      put: (key, bytes) => write(() => database.put(key, bytes)),
      remove: (key) => write(() => database.remove(key)),
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
    close: async () => {
      await flush().catch(() => undefined);
      await root.close();
    },
  };
}
