import { type Model, type Types } from 'mongoose';
import { nameKey } from '../text/name-key.rules.js';
import { inPages } from './in-pages.js';
import { placesRefused } from './insert-absent.js';

interface Named {
  _id: Types.ObjectId;
  publicId: string;
  name?: unknown;
  nameKey?: string;
}

const projection = { publicId: 1, name: 1, nameKey: 1 } as const;

/**
 * Recomputes the name keys that an older version stored differently or not at all, without versions, `changedAt` or history. Run it
 * repeatedly: an older process may still rename records, and a unique key that was taken may be free now.
 * @returns for each page, the public ids of the records that keep their old key because the new key is taken
 */
export async function* repairNameKeys<R extends Named>(records: Model<R>): AsyncGenerator<string[]> {
  for await (const page of inPages<Named>(records, { projection })) {
    const former = page.filter((record) => record.nameKey !== keyOf(record));
    const writes = former.map((record) => ({
      updateOne: {
        // Match the old name: an update that has just renamed the record stored the right key.
        filter: {
          publicId: record.publicId,
          name: { $eq: record.name ?? null },
          nameKey: record.nameKey ?? null,
        },
        update: { $set: { nameKey: keyOf(record) } },
      },
    }));
    const writing = writes.length > 0 && records.collection.bulkWrite(writes, { ordered: false });
    const refused = writing ? await placesRefused(writing) : [];
    yield refused.flatMap((place) => former[place]?.publicId ?? []);
  }
}

/** A damaged name keeps its key, or gets an empty one. It must not stop the start. */
const keyOf = ({ name, nameKey: stored = '' }: Named): string =>
  typeof name === 'string' ? nameKey(name) : stored;
