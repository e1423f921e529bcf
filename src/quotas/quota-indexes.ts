import { type Db, type IndexDescription } from 'mongodb';
import { indexesIn } from '../database/indexes.js';

export const quotaCollection = 'quotas';
const quotaIndexes: readonly IndexDescription[] = [
  { key: { key: 1 }, unique: true },
  { key: { expire: -1 }, expireAfterSeconds: 0 },
];

/**
 * Builds the indexes, and the collection: on DocumentDB, an index of a collection that has records is not enforced while it is built.
 * Without the unique index, parallel calls can have stored a bucket twice. Removes all buckets then: they count for seconds.
 */
export async function buildQuotaIndexes(db: Db): Promise<void> {
  const buckets = db.collection(quotaCollection);
  const there = await indexesIn(buckets);
  if (there && !there.some(({ unique }) => unique)) await buckets.deleteMany({});
  await buckets.createIndexes([...quotaIndexes]);
}
