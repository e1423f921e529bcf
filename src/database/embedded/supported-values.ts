import { deserialize } from 'bson';
import { bsonType, type BsonDocument } from './bson-document.js';
import { notSupported, StoreError } from './store-error.js';

/** MongoDB's own limit on how deep documents and arrays may be nested. */
const MAX_DEPTH = 180;
const KEPT_CLASSES = new Set(['ObjectId', 'Binary']);

/**
 * Decodes one BSON document, a command or a part of one. Integers become numbers.
 * @throws StoreError CommandNotSupported for a type whose arithmetic or order the store cannot do rightly
 */
export function decodeDocument(bytes: Uint8Array): BsonDocument {
  const document = deserialize(bytes, { promoteLongs: true });
  assertSupported(document, 0);
  return document;
}

function assertSupported(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return;
  const type = bsonType(value);
  if (type !== undefined) {
    if (KEPT_CLASSES.has(type)) return;
    throw notSupported(type === 'Long' ? 'An integer beyond 2^53' : `A value of type ${type}`);
  }
  if (depth > MAX_DEPTH) {
    throw new StoreError('Overflow', `cannot nest documents more than ${MAX_DEPTH} levels deep`);
  }
  if (Array.isArray(value)) {
    for (const element of value) assertSupported(element, depth + 1);
    return;
  }
  for (const [name, field] of Object.entries(value)) {
    // Assigning it would change the object's prototype instead of its content.
    if (name === '__proto__') throw notSupported('A field named __proto__');
    assertSupported(field, depth + 1);
  }
}
