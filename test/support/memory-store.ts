import { type EmbeddedStore, serve } from '../../src/database/embedded/server.js';
import { type Disk } from '../../src/database/embedded/storage/disk.js';

const noTable = { put: () => undefined, remove: () => undefined, entries: () => [] };

/** Keeps nothing: the documents in memory are all there is. */
export const noDisk: Disk = {
  collections: noTable,
  records: noTable,
  flushed: async () => undefined,
  close: async () => undefined,
};

/** A built-in store of the test's own, in memory and in the test's thread. */
export const startMemoryStore = (): Promise<EmbeddedStore> => serve(noDisk);
