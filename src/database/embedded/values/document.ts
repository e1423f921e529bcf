import { deserialize } from 'bson';
import { notSupported } from './store-error.js';

/** A value as `bson` decodes it, limited to the types that the store keeps. */
export type BsonDocument = Record<string, unknown>;

const KEPT_CLASSES = new Set(['ObjectId', 'Binary']);

/** Integers become numbers. @throws StoreError CommandNotSupported for a type that the store can't keep exactly */
export function decodeDocument(bytes: Uint8Array): BsonDocument {
  const document = deserialize(bytes, { promoteLongs: true });
  assertSupported(document);
  return document;
}

function assertSupported(value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return;
  const type = bsonType(value);
  if (type === undefined) for (const field of Object.values(value)) assertSupported(field);
  else if (!KEPT_CLASSES.has(type)) throw notSupported(`A value of the type ${type}`);
}

/** False for arrays, dates, ObjectIds and scalars. */
export const isDocument = (value: unknown): value is BsonDocument =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Whether the first key starts with `$`, as in `{ $gt: 1 }`. */
export const hasOperator = (value: unknown): value is BsonDocument =>
  isDocument(value) && Object.keys(value)[0]?.startsWith('$') === true;

/** A lookup table for names from the wire: on a plain object, `constructor` would find an inherited property. */
export const named = <Entry>(table: Record<string, Entry>): ReadonlyMap<string, Entry> =>
  new Map(Object.entries(table));

/** The BSON class, such as `ObjectId`; undefined for a native JavaScript value. */
export function bsonType(value: unknown): string | undefined {
  const type = (value as { _bsontype?: unknown } | null | undefined)?._bsontype;
  return typeof type === 'string' ? type : undefined;
}
