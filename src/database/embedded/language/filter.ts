import { hasOperator, isCount, isDocument, named, type BsonDocument } from '../values/document.js';
import { someAt, splitQueryPath } from '../values/field-path.js';
import { NULL_KEY, sortKey, typeBracket } from '../values/sort-key.js';
import { assert, notSupported, type StoreError, unknown } from '../values/store-error.js';

export type Filter = (document: BsonDocument) => boolean;
type Test = (value: unknown, isElement?: boolean) => boolean;

/** Scripts, text search and geography. */
const FEATURES = new Set(['$where', '$text', '$near', '$nearSphere', '$geoWithin', '$geoIntersects']);

/** @throws StoreError BadValue for an unknown operator or a wrong operand */
export const compileFilter = (filter: BsonDocument): Filter =>
  allOf(Object.entries(filter).map(([name, operand]) => compileClause(name, operand)));

function compileClause(name: string, operand: unknown): Filter {
  if (name === '$and' || name === '$or') {
    const isList = Array.isArray(operand) && operand.length > 0 && operand.every(isDocument);
    assert(isList, 'BadValue', `${name} argument must be a non-empty array of objects`);
    const filters = operand.map(compileFilter);
    return name === '$and' ? allOf(filters) : (document) => filters.some((filter) => filter(document));
  }
  if (name.startsWith('$')) throw unknownOperator(name, `unknown top level operator: ${name}`);
  return compileCondition(splitQueryPath(name), operand);
}

/** A condition on a field, or on the value itself if `parts` is empty. @throws StoreError like {@link compileFilter} */
export function compileCondition(parts: readonly string[], condition: unknown): Test {
  if (condition instanceof RegExp) {
    const test = orElement(matches(condition));
    return (document) => someAt(document, parts, 0, test);
  }
  if (!hasOperator(condition)) return compileOperator(parts, '$eq', condition);
  return allOf(Object.entries(condition).map(([name, operand]) => compileOperator(parts, name, operand)));
}

function compileOperator(parts: readonly string[], name: string, operand: unknown): Test {
  switch (name) {
    case '$ne':
      assert(!(operand instanceof RegExp), 'BadValue', "Can't have regex as arg to $ne.");
      return not(compileOperator(parts, '$eq', operand));
    case '$nin':
      return not(compileOperator(parts, '$in', operand));
    case '$exists': {
      const exists: Test = (document) => someAt(document, parts, 0, (value) => value !== undefined);
      return operand ? exists : not(exists);
    }
    default: {
      const test = operators.get(name)?.(operand);
      if (test === undefined) throw unknownOperator(name, `unknown operator: ${name}`);
      return (document) => someAt(document, parts, 0, test);
    }
  }
}

const operators = named<(operand: unknown) => Test>({
  $eq: (operand) => orElement(equals(operand)),
  $in: (operand) => orElement(isIn(operand)),
  $gt: (operand) => orElement(compares(operand, (key, bound) => key > bound, false)),
  $gte: (operand) => orElement(compares(operand, (key, bound) => key >= bound, true)),
  $lt: (operand) => orElement(compares(operand, (key, bound) => key < bound, false)),
  $lte: (operand) => orElement(compares(operand, (key, bound) => key <= bound, true)),
  $size: (operand) => {
    assert(isCount(operand), 'BadValue', 'Failed to parse $size. Expected a non-negative integer');
    return (value) => Array.isArray(value) && value.length === operand;
  },
  $elemMatch: (operand) => {
    assert(isDocument(operand), 'BadValue', '$elemMatch needs an Object');
    const test = compileFilter(operand);
    return (value) => Array.isArray(value) && value.some((element) => isDocument(element) && test(element));
  },
});

function allOf<Value>(tests: readonly ((value: Value) => boolean)[]): (value: Value) => boolean {
  const [only = () => true] = tests;
  return tests.length < 2 ? only : (value) => tests.every((test) => test(value));
}

function not(test: Test): Test {
  return (value) => !test(value);
}

/** An array also passes if one of its elements passes, unless the path reached the array by its position. */
function orElement(test: Test): Test {
  return (value, isElement) =>
    test(value) || (!isElement && Array.isArray(value) && value.some((element) => test(element)));
}

export function equals(operand: unknown): Test {
  if (typeof operand === 'string') return (value) => value === operand;
  const wanted = sortKey(operand);
  return (value) => sortKey(value) === wanted;
}

function isIn(operand: unknown): Test {
  assert(Array.isArray(operand), 'BadValue', '$in needs an array');
  assert(!operand.some(hasOperator), 'BadValue', 'cannot nest $ under $in');
  const patterns = operand.filter((element) => element instanceof RegExp).map(matches);
  const keys = new Set(operand.map(sortKey));
  return (value) => keys.has(sortKey(value)) || patterns.some((test) => test(value));
}

/** A range matches only values of its operand's type. NaN is in no range; only `$gte` and `$lte` with NaN match it. */
function compares(
  operand: unknown,
  test: (key: string, bound: string) => boolean,
  isInclusive: boolean,
): Test {
  assert(!(operand instanceof RegExp), 'BadValue', "Can't have RegEx as arg to a comparison.");
  const bound = sortKey(operand);
  const bracket = typeBracket(bound);
  if (bound === NULL_KEY || Number.isNaN(operand)) return isInclusive ? equals(operand) : () => false;
  return (value) => {
    if (value === undefined || Number.isNaN(value)) return false;
    const key = sortKey(value);
    return typeBracket(key) === bracket && test(key, bound);
  };
}

function matches({ source, flags }: RegExp): Test {
  // Drop the flag `g`: a global expression would start at the end of its last match.
  const regex = new RegExp(source, flags.replace(/[gu]/g, ''));
  const wanted = sortKey(regex);
  return (value) => (typeof value === 'string' ? regex.test(value) : sortKey(value) === wanted);
}

const unknownOperator = (name: string, message: string): StoreError =>
  FEATURES.has(name) ? notSupported(name) : unknown('BadValue', message);

/** The value that a field must equal, if the condition is a plain value or has only `$eq`. */
export function equalityOf(condition: unknown): { value: unknown } | undefined {
  if (condition instanceof RegExp) return undefined;
  if (!hasOperator(condition)) return { value: condition };
  return Object.keys(condition).length === 1 && '$eq' in condition ? { value: condition.$eq } : undefined;
}
