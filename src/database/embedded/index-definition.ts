import { isDocument, typeName, type BsonDocument } from './bson-document.js';
import { assertFilter } from './filter-check.js';
import { isPosition, splitPath } from './field-path.js';
import { sortKey } from './sort-key.js';
import { notSupported, StoreError } from './store-error.js';

/** An index as it was asked for, and as `listIndexes` gives it back. */
export interface IndexDefinition {
  name: string;
  key: Record<string, number>;
  unique: boolean;
  sparse: boolean;
  partialFilterExpression?: BsonDocument;
  expireAfterSeconds?: number;
}

export const ID_INDEX: IndexDefinition = { name: '_id_', key: { _id: 1 }, unique: false, sparse: false };

const OPTIONS = new Set(
  'key name unique sparse partialFilterExpression expireAfterSeconds v background ns'.split(' '),
);
/** Options and kinds of index that MongoDB has and this store does not. */
const REFUSED_OPTIONS = new Set(
  'collation hidden weights default_language language_override textIndexVersion 2dsphereIndexVersion bits min max bucketSize storageEngine wildcardProjection prepareUnique clustered'.split(
    ' ',
  ),
);
const REFUSED_KINDS = new Set<unknown>(['text', '2d', '2dsphere', 'hashed', 'geoHaystack']);
const PARTIAL_OPERATORS = new Set(['$eq', '$exists', '$gt', '$gte', '$lt', '$lte', '$type', '$in']);

/**
 * Reads one index of a `createIndexes` command.
 * @throws StoreError CannotCreateIndex, InvalidIndexSpecificationOption, or CommandNotSupported
 */
export function parseIndexDefinition(specification: unknown): IndexDefinition {
  if (
    !isDocument(specification) ||
    !isDocument(specification.key) ||
    typeof specification.name !== 'string'
  ) {
    throw new StoreError(
      'FailedToParse',
      "The 'key' and 'name' fields are required properties of an index specification",
    );
  }
  for (const option of Object.keys(specification)) {
    if (REFUSED_OPTIONS.has(option)) throw notSupported(`The index option ${option}`);
    if (!OPTIONS.has(option)) {
      const message = `The field '${option}' is not valid for an index specification.`;
      throw new StoreError('InvalidIndexSpecificationOption', message);
    }
  }
  const { name, key, unique, sparse, partialFilterExpression, expireAfterSeconds } = specification;
  const definition: IndexDefinition = {
    name,
    key: parseKey(key),
    unique: Boolean(unique),
    sparse: Boolean(sparse),
    ...(partialFilterExpression === undefined
      ? {}
      : { partialFilterExpression: parsePartial(partialFilterExpression) }),
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds: parseExpiry(expireAfterSeconds, key) }),
  };
  if (definition.sparse && definition.partialFilterExpression !== undefined) {
    throw cannotCreate('cannot mix "partialFilterExpression" and "sparse" options');
  }
  return definition;
}

/** Whether two definitions index the same documents under the same keys; if so they may not both exist. */
export function isSameIndex(a: IndexDefinition, b: IndexDefinition): boolean {
  return signature(a) === signature(b);
}

/** Whether two definitions of one name are one index, so that creating it again changes nothing. */
export function isIdenticalIndex(a: IndexDefinition, b: IndexDefinition): boolean {
  return isSameIndex(a, b) && a.expireAfterSeconds === b.expireAfterSeconds;
}

/** The definition as MongoDB reports it: options that are off are left out. */
export function describeIndex(definition: IndexDefinition): BsonDocument {
  const { name, key, unique, sparse, ...others } = definition;
  return { v: 2, key, name, ...(unique ? { unique } : {}), ...(sparse ? { sparse } : {}), ...others };
}

function signature({ key, unique, sparse, partialFilterExpression }: IndexDefinition): string {
  return sortKey({ key, unique, sparse, partialFilterExpression });
}

function parseKey(key: BsonDocument): Record<string, number> {
  for (const [path, kind] of Object.entries(key)) {
    if (splitPath(path).some(isPosition)) throw notSupported('An index on a position in an array');
    if (REFUSED_KINDS.has(kind)) throw notSupported(`An index of the kind ${String(kind)}`);
    if (path.includes('$')) throw notSupported('A wildcard index');
    if (typeof kind === 'string') throw cannotCreate(`Unknown index plugin '${kind}'`);
    if (typeof kind !== 'number' || kind === 0 || Number.isNaN(kind)) {
      throw cannotCreate('Values in the index key pattern must be numbers other than 0.');
    }
  }
  if (Object.keys(key).length === 0) throw cannotCreate('Index keys cannot be empty.');
  return key as Record<string, number>;
}

/** The operators that a partial index may use: those that one matching value suffices for. */
function parsePartial(filter: unknown): BsonDocument {
  assertFilter(filter);
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and') {
      (condition as unknown[]).forEach(parsePartial);
      continue;
    }
    if (path.startsWith('$')) throw notSupported(`${path} in a partial index`);
    if (condition instanceof RegExp) throw cannotCreate('Expression not supported in partial index: $regex');
    if (!isDocument(condition)) continue;
    for (const [operator, operand] of Object.entries(condition)) {
      if (!operator.startsWith('$')) break;
      if (!PARTIAL_OPERATORS.has(operator) || (operator === '$exists' && !operand)) {
        throw cannotCreate(`Expression not supported in partial index: ${operator}`);
      }
    }
  }
  return filter;
}

function parseExpiry(seconds: unknown, key: BsonDocument): number {
  if (Object.keys(key).length > 1) {
    throw cannotCreate('TTL indexes are single-field indexes, compound indexes do not support TTL.');
  }
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= 0x7fffffff) return seconds;
  throw cannotCreate(
    `TTL index 'expireAfterSeconds' option must be a number of seconds, not ${typeName(seconds)}`,
  );
}

function cannotCreate(reason: string): StoreError {
  return new StoreError('CannotCreateIndex', reason);
}
