import { deserialize } from 'bson';
import { type EmbeddedStore, serve } from '../../src/database/embedded/server.js';
import { type Disk } from '../../src/database/embedded/storage/disk.js';

const noTable = { put: () => undefined, remove: () => undefined, entries: () => [] };

export const noDisk: Disk = {
  collections: noTable,
  records: noTable,
  flushed: async () => undefined,
  close: async () => undefined,
};

export interface MemoryStore extends EmbeddedStore {
  /** The names of the collections that were written to since the last call. */
  takeWritten(): ReadonlySet<string>;
}

/** Starts the store in the test's own thread. */
export async function startMemoryStore(): Promise<MemoryStore> {
  const names = new Map<number, string>();
  const written = new Set<number>();
  const note = ([id]: [collection: number, sequence: number]) => void written.add(id);
  const store = await serve({
    ...noDisk,
    collections: {
      ...noTable,
      put: (id, bytes) => void names.set(id, String(deserialize(bytes).name)),
    },
    records: { ...noTable, put: note, remove: note },
  });
  return {
    ...store,
    takeWritten: () => {
      const taken = new Set([...written].map((id) => names.get(id) ?? ''));
      written.clear();
      return taken;
    },
  };
}
