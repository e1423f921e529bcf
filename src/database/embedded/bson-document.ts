/** A document as it lies in memory: what `bson` decodes, restricted to the types the store keeps. */
export type BsonDocument = Record<string, unknown>;

/** Whether a value is an embedded document, as opposed to an array, a date, an ObjectId or a scalar. */
export function isDocument(value: unknown): value is BsonDocument {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Whether a document's first key makes it an expression or a set of operators, such as `{ $gt: 1 }`. */
export function hasOperator(value: unknown): value is BsonDocument {
  return isDocument(value) && Object.keys(value)[0]?.startsWith('$') === true;
}

/** MongoDB's name of a value's type, as its error messages and `$type` give it. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return isInt32(value) ? 'int' : 'double';
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  if (isDocument(value)) return 'object';
  return bsonType(value) === 'ObjectId' ? 'objectId' : 'binData';
}

/** The class of a BSON value that JavaScript has no type for; undefined for all others. */
export function bsonType(value: unknown): string | undefined {
  const type = (value as { _bsontype?: unknown } | null | undefined)?._bsontype;
  return typeof type === 'string' ? type : undefined;
}

function isInt32(value: number): boolean {
  return (value | 0) === value;
}
