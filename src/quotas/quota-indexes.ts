import { type Db, type IndexDescription } from 'mongodb';
import { indexesIn } from '../database/indexes.js';
import { isDuplicateKey } from '../database/database-errors.js';

export const quotaCollection = 'quotas';
export const quotaIndexes: readonly IndexDescription[] = [
  { key: { key: 1 }, unique: true },
  { key: { expire: -1 }, expireAfterSeconds: 0 },
];

const mostKeys = 1_000;

/** Whether both indexes exist. They are lost if somebody drops or restores the collection. */
export async function hasQuotaIndexes(db: Db): Promise<boolean> {
  const there = await indexesIn(db.collection(quotaCollection));
  return quotaIndexes.every(({ key }) =>
    there?.some((index) => String(Object.keys(index.key)) === String(Object.keys(key))),
  );
}

/**
 * Builds the indexes. Without the unique index, parallel calls insert a bucket twice, and then the index can't be built: MongoDB reports
 * an error, DocumentDB builds in the background and drops the index without one. So removes the duplicates first, and again after an
 * error: other processes may insert more until the index is complete.
 * @returns how many duplicates were removed
 */
export async function buildQuotaIndexes(db: Db): Promise<number> {
  for (let removed = 0; ;) {
    const found = (await hasQuotaIndexes(db)) ? 0 : await removeDuplicates(db);
    removed += found;
    if (found > 0) continue;
    try {
      // Creates the collection too: a later index would be built in the background on DocumentDB, and not enforced until then.
      await db.collection(quotaCollection).createIndexes([...quotaIndexes]);
      return removed;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/** Keeps one bucket of each key, because calls that find none insert duplicates again. */
async function removeDuplicates(db: Db): Promise<number> {
  const buckets = db.collection(quotaCollection);
  const doubled = await buckets
    .aggregate<{ _id: string }>([
      { $group: { _id: '$key', count: { $sum: 1 } } },
      { $match: { count: { $gt: 1 } } },
      { $limit: mostKeys },
    ])
    .toArray();
  let removed = 0;
  for (const { _id: key } of doubled) {
    const [, ...others] = await buckets
      .find({ key }, { sort: { expire: -1 }, projection: { _id: 1 } })
      .toArray();
    const { deletedCount } = await buckets.deleteMany({ key, _id: { $in: others.map(({ _id }) => _id) } });
    removed += deletedCount;
  }
  return removed;
}
