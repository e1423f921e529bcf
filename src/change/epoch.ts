import { type Db } from 'mongodb';
import { randomBytes } from 'node:crypto';

const id = 'changes';
const epochs = (db: Db) => db.collection<{ _id: string; epoch: string }>('epochs');

/**
 * Tells a restored database from the database before: followers of `changes` have seen what a restore has undone. Null until the first
 * {@link renewEpoch}.
 */
export const readEpoch = async (db: Db): Promise<string | null> =>
  (await epochs(db).findOne({ _id: id }))?.epoch ?? null;

/** Makes every older cursor of `changes` invalid. Random: the database can be restored to the same state twice. */
export const renewEpoch = async (db: Db): Promise<void> =>
  void (await epochs(db).updateOne(
    { _id: id },
    { $set: { epoch: randomBytes(6).toString('hex') } },
    { upsert: true },
  ));

const keptMs = 15_000;

/** Reads the epoch at most once in 15 s. Meanwhile, a renewed epoch only makes a follower begin again a page later. */
export function epochOf(db: Db): () => Promise<string | null> {
  let epoch: string | null = null;
  let readAtMs = -Infinity;
  return async () => {
    if (performance.now() - readAtMs > keptMs) {
      epoch = await readEpoch(db);
      readAtMs = performance.now();
    }
    return epoch;
  };
}
