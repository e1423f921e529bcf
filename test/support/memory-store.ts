import { type EmbeddedStore, serve } from '../../src/database/embedded/server.js';
import { type Disk } from '../../src/database/embedded/storage/disk.js';

const noTable = { put: () => undefined, remove: () => undefined, entries: () => [] };

export const noDisk: Disk = {
  collections: noTable,
  records: noTable,
  flushed: async () => undefined,
  close: async () => undefined,
};

/** Starts the store in the test's own thread. */
export const startMemoryStore = (): Promise<EmbeddedStore> => serve(noDisk);
