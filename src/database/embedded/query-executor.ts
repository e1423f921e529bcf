import type { BsonDocument } from './bson-document.js';
import type { Collection } from './collection.js';
import { compileFilter } from './filter.js';
import { planAccess } from './plan.js';
import { type SortField, sortDocuments } from './sort.js';
import type { StoredRecord } from './stored-record.js';

export interface Query {
  filter: BsonDocument;
  sort?: readonly SortField[];
  skip?: number;
  /** How many documents at most; 0 or missing for all. */
  limit?: number;
  variables?: BsonDocument;
}

/**
 * The records that a query finds, in its order. The list is the caller's: it does not change with the collection.
 * @throws StoreError when the filter is refused, also on a collection that does not exist
 */
export function findRecords(collection: Collection | undefined, query: Query): StoredRecord[] {
  const { filter, sort = [], skip = 0, limit = 0, variables } = query;
  const matches = compileFilter(filter, variables);
  if (collection === undefined) return [];
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
