import { type Collection, type Db, type IndexDescription, type IndexDescriptionInfo } from 'mongodb';
import { quotaCollection, quotaIndexes } from '../quotas/quota-indexes.js';
import { taskIndexes } from '../archiver/task-store.js';
import { indexesIn, indexName } from '../database/indexes.js';
import { indexesOf, type Models } from '../models.js';
import { type Settings } from '../settings/settings.js';
import { about, type Finding } from './finding.js';

const { ok, warn, fail } = about('indexes');
const longestSearchMs = 10_000;

/** A start creates missing indexes, but fails if an index differs from its declaration, or if records share a unique key. */
export async function checkIndexes(
  models: Models,
  db: Db,
  { archiver }: Pick<Settings, 'archiver'>,
): Promise<Finding[]> {
  const wanted = Object.entries<readonly IndexDescription[]>({
    ...Object.fromEntries(Object.values(models).map((model) => [model.collection.name, indexesOf(model)])),
    [quotaCollection]: quotaIndexes,
    ...(archiver === 'on' && taskIndexes),
  });
  const checks = wanted.map(([name, indexes]) => checkCollection(db.collection(name), indexes));
  const findings = (await Promise.all(checks)).flat();
  return findings.length > 0
    ? findings
    : [ok('are as the gateway declares them, or will be created on the next start')];
}

async function checkCollection(collection: Collection, indexes: readonly IndexDescription[]) {
  const there = await indexesIn(collection);
  // The first start creates the collection and its indexes.
  if (there === null) return [];
  const results = await Promise.all(indexes.map((index) => checkIndex(collection, index, there)));
  const findings = results.flatMap((result) => (result && result !== 'missing' ? result : []));
  const [first, ...others] = indexes.filter((_, index) => results[index] === 'missing');
  if (!first) return findings;
  // A new version of the gateway can need many.
  const lacking = others.length > 0 ? `${others.length + 1} indexes, such as` : 'the index';
  const what = `${collection.collectionName} lacks ${lacking} ${indexName(first)}`;
  return [...findings, warn(what, 'start the gateway: it creates missing indexes')];
}

async function checkIndex(
  collection: Collection,
  wanted: IndexDescription,
  there: readonly IndexDescriptionInfo[],
): Promise<Finding | 'missing' | null> {
  const name = indexName(wanted);
  const place = `${collection.collectionName}.${name}`;
  const found =
    there.find((index) => index.name === name) ??
    there.find((index) => signatureOf(index) === signatureOf(wanted));
  if (found) {
    if (found.name === name && shapeOf(found) === shapeOf(wanted)) return null;
    return fail(
      `${place} exists, but as ${found.name} ${shapeOf(found)}, not ${shapeOf(wanted)}`,
      `run db.${collection.collectionName}.dropIndex("${found.name}"); the next start creates it again`,
    );
  }
  // A start removes the duplicates of quotas.
  if (
    wanted.unique &&
    collection.collectionName !== quotaCollection &&
    (await hasDuplicates(collection, wanted))
  )
    return fail(
      `${place} is missing, and cannot be created because records share its key`,
      `keep only one record for each ${Object.keys(wanted.key).join(', ')} in ${collection.collectionName}`,
    );
  return 'missing';
}

/** What identifies an index: a server allows two indexes on the same key if their signatures differ. */
function signatureOf(
  { key, unique, sparse, partialFilterExpression, collation }: IndexDescription | IndexDescriptionInfo,
  others: object = {},
): string {
  const options = {
    unique: unique || undefined,
    sparse: sparse || undefined,
    partialFilterExpression: partialFilterExpression as unknown,
    // Some servers report the collation `simple` for an index without a collation.
    collation: collation?.locale === 'simple' ? undefined : collation,
    ...others,
  };
  return JSON.stringify([key, options]);
}

/** The signature and the other options that a server compares with an index of the same name or signature. */
const shapeOf = ({ expireAfterSeconds, hidden, ...index }: IndexDescription | IndexDescriptionInfo): string =>
  signatureOf(index, {
    expireAfterSeconds: expireAfterSeconds === undefined ? undefined : Number(expireAfterSeconds),
    hidden: hidden || undefined,
  });

async function hasDuplicates(collection: Collection, { key, sparse }: IndexDescription): Promise<boolean> {
  const fields = Object.keys(key);
  const indexed = sparse ? Object.fromEntries(fields.map((field) => [field, { $exists: true }])) : {};
  const _id = Object.fromEntries(fields.map((field, index) => [`key${index}`, `$${field}`]));
  const stages = [
    { $match: indexed },
    { $group: { _id, count: { $sum: 1 } } },
    { $match: { count: { $gt: 1 } } },
    { $limit: 1 },
  ];
  return collection.aggregate(stages, { maxTimeMS: longestSearchMs }).hasNext();
}
