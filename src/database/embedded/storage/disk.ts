import { open, type Database } from 'lmdb';
import { assertWhole } from './data-file.js';

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
  close(): Promise<void>;
}

/** LMDB tells some failures of the disk to nobody, and its promise stays open: whoever waits for it would wait for ever. */
const longestFlushMs = 30_000;

/**
 * Opens what a folder keeps. The folder must exist, and the caller must have locked it: LMDB does not refuse a second
 * process, and two of them lose each other's writes.
 * @throws DamagedStoreError when it cannot be read whole, SlowStoreError when it takes too long to read
 */
export async function openDisk(folder: string): Promise<Disk> {
  await assertWhole(folder);
  const root = open({ path: folder, noSubdir: false, maxDbs: 2, encoding: 'binary' });
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
    close: async () => {
      await flush().catch(() => undefined);
      await root.close();
    },
  };
}
