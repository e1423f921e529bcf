import type { BsonDocument } from './bson-document.js';
import type { Collection } from './collection.js';
import { positionFinder } from './positional.js';
import type { StoredRecord } from './stored-record.js';
import type { Update } from './update.js';

/** The parts of a command that say what to update and how. */
export interface UpdateRequest {
  q: BsonDocument;
  u: unknown;
  arrayFilters?: unknown;
}

/**
 * Updates one document that a filter has found.
 * @returns whether the document is another one now
 * @throws StoreError when the update cannot be applied to it; then it is as before
 */
export function updateOne(
  collection: Collection,
  record: StoredRecord,
  update: Update,
  filter: BsonDocument,
): boolean {
  const { document } = record;
  const matchedPosition = (arrayPath: string) => positionFinder(filter)(document, arrayPath);
  return collection.replace(record, update(document, { isInsert: false, matchedPosition }));
}
