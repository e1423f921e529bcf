import { type BsonDocument } from './bson-document.js';

/** What a projection does with one field. */
export type ProjectionLeaf =
  | { kind: 'keep' }
  | { kind: 'drop' }
  | { kind: 'compute'; evaluate: (root: BsonDocument) => unknown }
  /** Keeps the field with another value; alone, it keeps all other fields too when `isNeutral`. */
  | { kind: 'transform'; transform: (value: unknown, root: BsonDocument) => unknown; isNeutral: boolean };
