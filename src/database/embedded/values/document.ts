import { deserialize } from 'bson';
import { notSupported, StoreError } from './store-error.js';

/** What `bson` decodes, limited to the types that the store keeps. */
export type BsonDocument = Record<string, unknown>;

/** MongoDB's limit. */
const MAX_DEPTH = 180;
const KEPT_CLASSES = new Set(['ObjectId', 'Binary']);

/** Integers become numbers. @throws StoreError CommandNotSupported for a type that the store can't keep exactly */
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
    // Assigning this field would change the object's prototype.
    if (name === '__proto__') throw notSupported('A field named __proto__');
    assertSupported(field, depth + 1);
  }
}

/** False for arrays, dates, ObjectIds and scalars. */
export const isDocument = (value: unknown): value is BsonDocument =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Whether the first key starts with `$`, as in `{ $gt: 1 }`. */
export const hasOperator = (value: unknown): value is BsonDocument =>
  isDocument(value) && Object.keys(value)[0]?.startsWith('$') === true;

/** Whether a value is 0 or a positive integer. */
export const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** A lookup table for names from the wire: on a plain object, `constructor` would find an inherited property. */
export const named = <Entry>(table: Record<string, Entry>): ReadonlyMap<string, Entry> =>
  new Map(Object.entries(table));

/** The BSON class, such as `ObjectId`; undefined for a native JavaScript value. */
export function bsonType(value: unknown): string | undefined {
  const type = (value as { _bsontype?: unknown } | null | undefined)?._bsontype;
  return typeof type === 'string' ? type : undefined;
}

/** For error messages. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  return bsonType(value) ?? typeof value;
}
