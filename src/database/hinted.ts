import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { keyName } from './indexes.js';
import { isIndexMissing } from './database-errors.js';

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
