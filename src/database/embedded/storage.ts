import { open, type Database, type RootDatabase } from 'lmdb';

/** Where a document lies: the number of its collection, and its own. */
export type RecordKey = [collection: number, sequence: number];

/** The durable side of the store. All writes of one command reach the disk together or not at all. */
export interface Storage {
  putRecord(key: RecordKey, bytes: Uint8Array): void;
  removeRecord(key: RecordKey): void;
  putCollection(id: number, bytes: Uint8Array): void;
  removeCollection(id: number): void;
  collections(): Iterable<{ id: number; bytes: Uint8Array }>;
  records(): Iterable<{ key: RecordKey; bytes: Uint8Array }>;
  /** Settles when the writes made since it was last called are on the disk. Rejects when one could not be made. */
  flushed(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps nothing: the documents in memory are all there is. */
export const noStorage: Storage = {
  putRecord: () => undefined,
  removeRecord: () => undefined,
  putCollection: () => undefined,
  removeCollection: () => undefined,
  collections: () => [],
  records: () => [],
  flushed: async () => undefined,
  close: async () => undefined,
};

/**
 * Opens the storage in a folder, which must exist and be locked by the caller: LMDB does not refuse a second
 * process, and two of them lose each other's writes.
 */
export function openStorage(folder: string): Storage {
  return new LmdbStorage(open({ path: folder, noSubdir: false, maxDbs: 2, encoding: 'binary' }));
}

class LmdbStorage implements Storage {
  readonly #records: Database<Uint8Array, RecordKey>;
  readonly #collections: Database<Uint8Array, number>;
  #failure: unknown;
  #hasUnflushed = false;

  constructor(private readonly root: RootDatabase) {
    this.#records = root.openDB({ name: 'records', encoding: 'binary' });
    this.#collections = root.openDB({ name: 'collections', encoding: 'binary' });
  }

  // Writes made in one turn of the event loop, such as those of a command, are one transaction of LMDB's.
  putRecord(key: RecordKey, bytes: Uint8Array): void {
    this.#watch(this.#records.put(key, bytes));
  }

  removeRecord(key: RecordKey): void {
    this.#watch(this.#records.remove(key));
  }

  putCollection(id: number, bytes: Uint8Array): void {
    this.#watch(this.#collections.put(id, bytes));
  }

  removeCollection(id: number): void {
    this.#watch(this.#collections.remove(id));
  }

  collections(): Iterable<{ id: number; bytes: Uint8Array }> {
    return this.#collections.getRange().map(({ key, value }) => ({ id: key, bytes: value }));
  }

  records(): Iterable<{ key: RecordKey; bytes: Uint8Array }> {
    return this.#records.getRange().map(({ key, value }) => ({ key, bytes: value }));
  }

  async flushed(): Promise<void> {
    // A command that wrote nothing need not wait for the writes of others.
    if (!this.#hasUnflushed) return;
    this.#hasUnflushed = false;
    // Only `flushed` waits for the disk; the promise of a write settles before.
    await this.root.flushed;
    if (this.#failure !== undefined) throw new Error('a write to the disk failed', { cause: this.#failure });
  }

  async close(): Promise<void> {
    await this.root.flushed;
    await this.root.close();
  }

  #watch(write: Promise<boolean>): void {
    this.#hasUnflushed = true;
    write.catch((error: unknown) => (this.#failure ??= error));
  }
}
