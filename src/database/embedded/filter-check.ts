import { hasOperator, isDocument, type BsonDocument } from './bson-document.js';
import { assertExpression } from './expression-check.js';
import { queryOperators } from './query-operators.js';
import { compileRegex } from './regex.js';
import { notSupported, StoreError } from './store-error.js';

/** Operators that MongoDB has and this store does not. */
const REFUSED = new Set(
  '$where $function $text $jsonSchema $near $nearSphere $geoWithin $geoIntersects $within $rand $sampleRate $bitsAllSet $bitsAnySet $bitsAllClear $bitsAnyClear $alwaysTrue $alwaysFalse'.split(
    ' ',
  ),
);
/** Numbers are kept as JavaScript's, so which of BSON's numeric types one had is not known. */
const NUMERIC_TYPES = new Set<unknown>(['int', 'long', 'double', 1, 16, 18]);
const TYPE_NAMES = new Set<unknown>(
  'number string object array binData objectId bool date null regex undefined decimal timestamp minKey maxKey javascript symbol dbPointer javascriptWithScope'.split(
    ' ',
  ),
);

/**
 * Refuses a filter that the store would not answer as MongoDB does.
 * @throws StoreError BadValue for what MongoDB does not know either, CommandNotSupported for the rest
 */
export function assertFilter(filter: unknown): asserts filter is BsonDocument {
  if (!isDocument(filter)) throw new StoreError('BadValue', 'a filter must be an object');
  for (const [name, operand] of Object.entries(filter)) {
    if (name === '$and' || name === '$or' || name === '$nor') assertAlternatives(name, operand);
    else if (name === '$expr') assertExpression(operand);
    else if (name.startsWith('$') && name !== '$comment') {
      throw unknownOperator(name, `unknown top level operator: ${name}`);
    } else assertCondition(operand);
  }
}

function assertAlternatives(name: string, operand: unknown): void {
  if (!Array.isArray(operand) || operand.length === 0) {
    throw new StoreError('BadValue', `${name} argument must be a non-empty array`);
  }
  for (const alternative of operand) assertFilter(alternative);
}

/** What stands at a field: a value to equal, a regular expression, or operators. */
function assertCondition(condition: unknown): void {
  if (condition instanceof RegExp) compileRegex(condition.source, condition.flags);
  if (!hasOperator(condition)) return;
  for (const [name, operand] of Object.entries(condition)) assertOperator(name, operand, condition);
}

function assertOperator(name: string, operand: unknown, condition: BsonDocument): void {
  switch (name) {
    case '$in':
    case '$nin':
    case '$all':
      if (!Array.isArray(operand)) throw new StoreError('BadValue', `${name} needs an array`);
      for (const element of operand) {
        if (hasOperator(element) && name === '$all' && '$elemMatch' in element) assertCondition(element);
        else if (hasOperator(element)) throw new StoreError('BadValue', `cannot nest $ under ${name}`);
        else assertCondition(element);
      }
      return;
    case '$not':
      if (!(operand instanceof RegExp) && !hasOperator(operand)) {
        throw new StoreError('BadValue', '$not argument must be a regex or an object');
      }
      return assertCondition(operand);
    case '$elemMatch':
      if (!isDocument(operand)) throw new StoreError('BadValue', '$elemMatch needs an Object');
      return hasOperator(operand) && Object.keys(operand)[0]! in queryOperators
        ? assertCondition(operand)
        : assertFilter(operand);
    case '$size':
      if (!Number.isInteger(operand) || (operand as number) < 0) {
        throw new StoreError('BadValue', 'Failed to parse $size. Expected a non-negative integer');
      }
      return;
    case '$mod':
      if (!Array.isArray(operand) || operand.length !== 2 || operand.some((part) => !Number.isFinite(part))) {
        throw new StoreError('BadValue', 'malformed mod, two numbers are needed');
      }
      if (Math.trunc(operand[0] as number) === 0) throw new StoreError('BadValue', 'divisor cannot be 0');
      return;
    case '$type':
      return [operand].flat().forEach(assertType);
    case '$regex': {
      const pattern = operand instanceof RegExp ? operand : { source: operand, flags: '' };
      if (typeof pattern.source !== 'string') throw new StoreError('BadValue', '$regex has to be a string');
      compileRegex(
        pattern.source,
        typeof condition.$options === 'string' ? condition.$options : pattern.flags,
      );
      return;
    }
    case '$options':
      if (!('$regex' in condition)) throw new StoreError('BadValue', '$options needs a $regex');
      return;
    default:
      if (!(name in queryOperators)) throw unknownOperator(name, `unknown operator: ${name}`);
  }
}

function assertType(name: unknown): void {
  if (NUMERIC_TYPES.has(name)) throw notSupported(`$type ${String(name)} (only "number" can be told)`);
  if (!TYPE_NAMES.has(name)) throw new StoreError('BadValue', `Unknown type name alias: ${String(name)}`);
}

function unknownOperator(name: string, message: string): StoreError {
  return REFUSED.has(name) ? notSupported(name) : new StoreError('BadValue', message);
}
