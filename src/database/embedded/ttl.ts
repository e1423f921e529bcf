import type { Catalog } from './catalog.js';
import type { Collection } from './collection.js';
import { sortKey, typeBracket } from './sort-key.js';

/**
 * Deletes the documents whose time is over: those with a date in a TTL index, `expireAfterSeconds` before now.
 * @returns how many
 */
export function deleteExpired(catalog: Catalog, now: Date): number {
  let deleted = 0;
  for (const collection of catalog.all()) deleted += deleteExpiredIn(collection, now);
  return deleted;
}

function deleteExpiredIn(collection: Collection, now: Date): number {
  let deleted = 0;
  for (const { definition, entries } of collection.indexes) {
    if (definition.expireAfterSeconds === undefined) continue;
    const latest = sortKey(new Date(now.getTime() - definition.expireAfterSeconds * 1000));
    const expired = new Set(entries.records(entries.between([], typeBracket(latest), latest)));
    for (const record of expired) collection.remove(record);
    deleted += expired.size;
  }
  return deleted;
}
