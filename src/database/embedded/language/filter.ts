import { hasOperator, isDocument, named, type BsonDocument } from '../values/document.js';
import { someAt } from '../values/field-path.js';
import { sortKey, typeBracket } from '../values/sort-key.js';
import { notSupported } from '../values/store-error.js';

export type Filter = (document: BsonDocument) => boolean;
type Test = (value: unknown, isElement?: boolean) => boolean;

/** @throws StoreError CommandNotSupported for an unknown operator */
export const compileFilter = (filter: BsonDocument): Filter =>
  allOf(Object.entries(filter).map(([name, operand]) => compileClause(name, operand)));

function compileClause(name: string, operand: unknown): Filter {
  if (name === '$and' || name === '$or') {
    const filters = (operand as BsonDocument[]).map(compileFilter);
    return name === '$and' ? allOf(filters) : (document) => filters.some((filter) => filter(document));
  }
  if (name.startsWith('$')) throw notSupported(`The operator ${name}`);
  return compileCondition(name.split('.'), operand);
}

/** A condition on a field. @throws StoreError like {@link compileFilter} */
function compileCondition(parts: readonly string[], condition: unknown): Test {
  if (condition instanceof RegExp) {
    const test = orElement((value) => typeof value === 'string' && condition.test(value));
    return (document) => someAt(document, parts, 0, test);
  }
  if (!hasOperator(condition)) return compileOperator(parts, '$eq', condition);
  return allOf(Object.entries(condition).map(([name, operand]) => compileOperator(parts, name, operand)));
}

function compileOperator(parts: readonly string[], name: string, operand: unknown): Test {
  switch (name) {
    case '$ne':
      return not(compileOperator(parts, '$eq', operand));
    case '$nin':
      return not(compileOperator(parts, '$in', operand));
    case '$not':
      return not(compileCondition(parts, operand));
    case '$exists': {
      const exists: Test = (document) => someAt(document, parts, 0, (value) => value !== undefined);
      return operand ? exists : not(exists);
    }
    default: {
      const test = operators.get(name)?.(operand);
      if (test === undefined) throw notSupported(`The operator ${name}`);
      return (document) => someAt(document, parts, 0, test);
    }
  }
}

const operators = named<(operand: unknown) => Test>({
  $eq: (operand) => orElement(equals(operand)),
  $in: (operand) => {
    const keys = new Set((operand as unknown[]).map(sortKey));
    return orElement((value) => keys.has(sortKey(value)));
  },
  $gt: (operand) => orElement(compares(operand, (key, bound) => key > bound)),
  $gte: (operand) => orElement(compares(operand, (key, bound) => key >= bound)),
  $lt: (operand) => orElement(compares(operand, (key, bound) => key < bound)),
  $lte: (operand) => orElement(compares(operand, (key, bound) => key <= bound)),
  $size: (operand) => (value) => Array.isArray(value) && value.length === operand,
  $elemMatch: (operand) => {
    const test = compileFilter(operand as BsonDocument);
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

function equals(operand: unknown): Test {
  if (typeof operand === 'string') return (value) => value === operand;
  const wanted = sortKey(operand);
  return (value) => sortKey(value) === wanted;
}

/** A range matches only values of its operand's type. */
function compares(operand: unknown, test: (key: string, bound: string) => boolean): Test {
  const bound = sortKey(operand);
  const bracket = typeBracket(bound);
  return (value) => {
    if (value === undefined) return false;
    const key = sortKey(value);
    return typeBracket(key) === bracket && test(key, bound);
  };
}

/** The value that a field must equal, if the condition is a plain value or has only `$eq`. */
export function equalityOf(condition: unknown): { value: unknown } | undefined {
  if (condition instanceof RegExp) return undefined;
  if (!hasOperator(condition)) return { value: condition };
  return Object.keys(condition).length === 1 && '$eq' in condition ? { value: condition.$eq } : undefined;
}
