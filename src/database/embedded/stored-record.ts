import type { BsonDocument } from './bson-document.js';

/** A document's place in its collection. */
export interface StoredRecord {
  /** Counts up with every insert, and so gives the natural order. */
  readonly sequence: number;
  /** Replaced by every update, never changed in place: who holds it may keep it. */
  document: BsonDocument;
}
