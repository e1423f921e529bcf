import { type StoredRecord } from '../index/entries.js';
import { compileFilter } from '../language/filter.js';
import { type Collection } from '../storage/collection.js';
import { type BsonDocument } from '../values/document.js';
import { assert } from '../values/store-error.js';
import { planAccess } from './plan.js';
import { type SortField, sortDocuments } from './sort.js';

export interface FindQuery {
  filter: BsonDocument;
  sort?: readonly SortField[];
  skip?: number | undefined;
  /** 0 or missing means no limit. */
  limit?: number | undefined;
  /** The name or key of an index. */
  hint?: unknown;
}

/**
 * Uses the cheapest index, whatever the hint.
 * @throws StoreError BadValue for a hint of a missing index
 */
export function findRecords(collection: Collection | undefined, query: FindQuery): StoredRecord[] {
  const { filter, sort = [], skip = 0, limit = 0, hint } = query;
  const matches = compileFilter(filter);
  if (collection === undefined) return [];
  const isHintKnown = hint === undefined || collection.hasIndex(hint);
  assert(isHintKnown, 'BadValue', 'hint provided does not correspond to an existing index');
  const { records, isSorted } = planAccess(collection, filter, sort);
  const end = limit === 0 ? Infinity : skip + limit;
  const stopsEarly = isSorted || sort.length === 0;
  const found: StoredRecord[] = [];
  for (const record of records) {
    if (stopsEarly && found.length >= end) break;
    if (matches(record.document)) found.push(record);
  }
  const ordered = stopsEarly ? found : sortDocuments(found, sort, (record) => record.document);
  return ordered.slice(skip, end);
}
