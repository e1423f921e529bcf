import { hasOperator, isDocument, typeName, type BsonDocument } from '../values/document.js';
import { sortKey } from '../values/sort-key.js';
import { assert, notSupported, unknown } from '../values/store-error.js';

export interface IndexDefinition {
  name: string;
  key: Record<string, number>;
  unique: boolean;
  sparse: boolean;
  partialFilterExpression?: BsonDocument;
  expireAfterSeconds?: number;
}

/** Not `unique`: the collection itself keeps ids unique. */
export const ID_INDEX: IndexDefinition = { name: '_id_', key: { _id: 1 }, unique: false, sparse: false };

const OPTIONS = 'key name unique sparse partialFilterExpression expireAfterSeconds v background'.split(' ');
const SPECIAL_KINDS = new Set<unknown>(['text', '2d', '2dsphere', 'hashed']);

/** @throws StoreError FailedToParse, CannotCreateIndex, InvalidIndexSpecificationOption or CommandNotSupported */
export function parseIndexDefinition(specification: BsonDocument): IndexDefinition {
  const { name, key, unique, sparse, partialFilterExpression, expireAfterSeconds } = specification;
  const isNamed = isDocument(key) && typeof name === 'string';
  assert(isNamed, 'FailedToParse', "The 'key' and 'name' fields of an index are required");
  for (const option of Object.keys(specification)) {
    if (option === 'collation') throw notSupported('An index with a collation');
    if (OPTIONS.includes(option)) continue;
    const message = `The field '${option}' is not valid for an index specification`;
    throw unknown('InvalidIndexSpecificationOption', message);
  }
  const isMixed = sparse && partialFilterExpression !== undefined;
  assert(!isMixed, 'CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
  return {
    name,
    key: parseKey(key),
    unique: Boolean(unique),
    sparse: Boolean(sparse),
    ...(partialFilterExpression !== undefined && {
      partialFilterExpression: parsePartial(partialFilterExpression),
    }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds: parseExpiry(expireAfterSeconds, key) }),
  };
}

/** Whether two definitions differ at most in name and expiry. A collection can't have two such indexes. */
export function isSameIndex(a: IndexDefinition, b: IndexDefinition): boolean {
  const signature = ({ key, unique, sparse, partialFilterExpression }: IndexDefinition) =>
    sortKey({ key, unique, sparse, partialFilterExpression });
  return signature(a) === signature(b);
}

/** The definition as MongoDB reports it, without options that are off. */
export function describeIndex({ name, key, unique, sparse, ...others }: IndexDefinition): BsonDocument {
  return { v: 2, key, name, ...(unique && { unique }), ...(sparse && { sparse }), ...others };
}

function parseKey(key: BsonDocument): Record<string, number> {
  for (const [path, kind] of Object.entries(key)) {
    if (SPECIAL_KINDS.has(kind)) throw notSupported(`An index of the kind ${String(kind)}`);
    if (path.includes('$')) throw notSupported('A wildcard index');
    const isNumber = typeof kind === 'number' && kind !== 0 && !Number.isNaN(kind);
    assert(isNumber, 'CannotCreateIndex', 'The kind of an index must be a number other than 0.');
  }
  assert(Object.keys(key).length > 0, 'CannotCreateIndex', 'Index keys cannot be empty.');
  return key as Record<string, number>;
}

/** Allows only plain values, so that it is easy to tell which filters the index can serve. */
function parsePartial(filter: unknown): BsonDocument {
  assert(isDocument(filter), 'CannotCreateIndex', "'partialFilterExpression' must be an object");
  for (const [path, value] of Object.entries(filter)) {
    if (!path.startsWith('$') && !hasOperator(value) && !(value instanceof RegExp)) continue;
    throw unknown('CannotCreateIndex', `Expression not supported in partial index: ${path}`);
  }
  return filter;
}

function parseExpiry(seconds: unknown, key: BsonDocument): number {
  assert(Object.keys(key).length === 1, 'CannotCreateIndex', 'TTL indexes are single-field indexes.');
  const isTime = typeof seconds === 'number' && seconds >= 0 && seconds <= 0x7fffffff;
  assert(isTime, 'CannotCreateIndex', `'expireAfterSeconds' must be a number, not ${typeName(seconds)}`);
  return seconds;
}
