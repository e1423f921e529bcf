import {
  type Collection,
  type Db,
  type Document,
  type IndexDescription,
  type IndexDescriptionInfo,
} from 'mongodb';
import { quotaCollection, quotaIndexes } from '../access/quotas.js';
import { indexesOf, type Models } from '../database/models.js';
import { about, type Finding } from './finding.js';

const { ok, warn, fail } = about('indexes');
const namespaceNotFound = 26;
const longestSearchMs = 10_000;

interface Wanted {
  collection: Collection;
  indexes: readonly IndexDescription[];
}

/**
 * Checks that the indexes exist as the code declares them. The gateway creates missing ones at its start. It fails to
 * start if an index with the same key or name differs, or if two records share the key of a unique index.
 */
export async function checkIndexes(models: Models, db: Db): Promise<Finding[]> {
  const wanted: Wanted[] = Object.values(models).map((model) => ({
    collection: db.collection(model.collection.name),
    indexes: indexesOf(model),
  }));
  wanted.push({ collection: db.collection(quotaCollection), indexes: quotaIndexes });
  const findings = (await Promise.all(wanted.map(checkCollection))).flat();
  return findings.length > 0 ? findings : [ok('are as the gateway declares them, or made on the next start')];
}

async function checkCollection({ collection, indexes }: Wanted): Promise<Finding[]> {
  const there = await collection.indexes().catch((error: { code?: unknown }) => {
    if (error.code === namespaceNotFound) return null;
    throw error;
  });
  // The first start creates the collection together with its indexes.
  if (there === null) return [];
  const findings = await Promise.all(indexes.map((index) => checkIndex(collection, index, there)));
  return findings.flatMap((finding) => finding ?? []);
}

async function checkIndex(
  collection: Collection,
  wanted: IndexDescription,
  there: readonly IndexDescriptionInfo[],
): Promise<Finding | null> {
  const name = nameOf(wanted);
  const place = `${collection.collectionName}.${name}`;
  const found =
    there.find(({ key }) => sameKey(key, wanted.key)) ?? there.find((index) => index.name === name);
  if (found) {
    if (found.name === name && shapeOf(found) === shapeOf(wanted)) return null;
    return fail(
      `${place} is there, but as ${found.name} ${shapeOf(found)}, not ${shapeOf(wanted)}`,
      `db.${collection.collectionName}.dropIndex("${found.name}"); the next start makes it anew`,
    );
  }
  if (wanted.unique && (await hasDuplicates(collection, wanted)))
    return fail(
      `${place} is missing, and records share its key, so that it cannot be made`,
      `leave one record of each ${Object.keys(wanted.key).join(', ')} in ${collection.collectionName}`,
    );
  return warn(`${place} is missing`, 'start the gateway: it makes what is missing');
}

const nameOf = ({ name, key }: IndexDescription): string =>
  name ??
  Object.entries(key)
    .map(([field, direction]) => `${field}_${String(direction)}`)
    .join('_');

const sameKey = (one: object, other: object): boolean =>
  JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));

/** The properties of an index that a server compares, in words. */
function shapeOf(index: Pick<IndexDescription, 'key' | 'unique' | 'sparse'> & Document): string {
  const { key, unique, sparse, expireAfterSeconds, partialFilterExpression } = index;
  // JSON leaves out what is undefined.
  const options = {
    unique: unique || undefined,
    sparse: sparse || undefined,
    expireAfterSeconds: expireAfterSeconds === undefined ? undefined : Number(expireAfterSeconds),
    partialFilterExpression: partialFilterExpression as unknown,
  };
  return JSON.stringify([key, options]);
}

async function hasDuplicates(collection: Collection, { key, sparse }: IndexDescription): Promise<boolean> {
  const fields = Object.keys(key);
  const [found] = await collection
    .aggregate(
      [
        ...(sparse
          ? [{ $match: Object.fromEntries(fields.map((field) => [field, { $exists: true }])) }]
          : []),
        {
          $group: {
            _id: Object.fromEntries(fields.map((field, index) => [`key${index}`, `$${field}`])),
            count: { $sum: 1 },
          },
        },
        { $match: { count: { $gt: 1 } } },
        { $limit: 1 },
      ],
      { maxTimeMS: longestSearchMs },
    )
    .toArray();
  return found !== undefined;
}
