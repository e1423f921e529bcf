import { type Document, type IndexDescription, type IndexDescriptionInfo } from 'mongodb';
import { type Collection } from 'mongoose';
import { isIndexMissing } from './database-errors.js';

const namespaceNotFound = 26;

/** An index of a collection, and what the handbook says of it. */
export interface IndexRow {
  key: Readonly<Record<string, 1 | -1>>;
  options?: Omit<IndexDescription, 'key'>;
  serves: string;
}

export const ascending = (...fields: readonly string[]): Record<string, 1> =>
  Object.fromEntries(fields.map((field) => [field, 1 as const]));

/** The indexes of a collection; null if the collection does not exist. */
export const indexesIn = (collection: {
  indexes(): Promise<IndexDescriptionInfo[]>;
}): Promise<IndexDescriptionInfo[] | null> =>
  collection.indexes().catch((error: { code?: unknown }) => {
    if (error.code === namespaceNotFound) return null;
    throw error;
  });

/** The name that a server gives to an index without one. */
const keyName = (key: object): string => Object.entries(key).flat().join('_');

export const indexName = ({ name, key }: IndexDescription): string => name ?? keyName(key);

/** How long queries do without the hint of a missing index, in ms. DocumentDB builds a small index within 2 s. */
const withoutMs = 10_000;

/** A collection, and the connection that tells of its missing indexes. */
export type Hinting = Pick<Collection, 'collectionName'> & Partial<Pick<Collection, 'conn'>>;

/** The missing indexes of a collection, each with the time until queries do without it, by `performance.now()`. */
const missing = new WeakMap<Hinting, Map<string, number>>();

/**
 * Runs a query. If the index of its hint is missing, runs it again without the hint: servers reject such a query, and DocumentDB also does
 * so while it builds the index. The connection emits `missingIndex` with the index's name, once until the index is there again.
 */
export async function withHint<Options extends { hint?: Document | undefined }, Found>(
  records: Hinting,
  options: Options,
  run: (options: Options) => Promise<Found>,
): Promise<Found> {
  const { hint, ...others } = options;
  if (!hint) return run(options);
  const index = `${records.collectionName}.${keyName(hint)}`;
  const known = missing.get(records) ?? new Map<string, number>();
  missing.set(records, known);
  if (performance.now() < (known.get(index) ?? 0)) return run(others as Options);
  try {
    const found = await run(options);
    known.delete(index);
    return found;
  } catch (error) {
    if (!isIndexMissing(error)) throw error;
    if (!known.has(index)) records.conn?.emit('missingIndex', index);
    known.set(index, performance.now() + withoutMs);
    return run(others as Options);
  }
}
