import { Query } from 'mingo/query';
import { hasOperator, isDocument, typeName, type BsonDocument } from './bson-document.js';
import { someAt, splitPath } from './field-path.js';
import { type MingoOptions, mingoOperator } from './mingo-context.js';
import { compileRegex } from './regex.js';
import { NULL_KEY, sortKey, typeBracket } from './sort-key.js';

type Test = (value: unknown) => boolean;
/** What mingo calls to compile `{ path: { $operator: operand } }`. */
type QueryOperator = (
  path: string,
  operand: unknown,
  options: MingoOptions,
) => (document: BsonDocument) => boolean;

/**
 * The query operators. mingo drives the language and its logic; whatever looks at a value is ours, because
 * mingo compares across types, null, missing fields, arrays and the order of fields otherwise than MongoDB.
 */
export const queryOperators: Record<string, QueryOperator> = {
  $eq: onValues((operand) => equals(operand)),
  $ne: negated(onValues((operand) => equals(operand))),
  $in: onValues((operand) => anyOf(operand as unknown[])),
  $nin: negated(onValues((operand) => anyOf(operand as unknown[]))),
  $gt: onValues((operand) => compares(operand, (key, bound) => key > bound, false)),
  $gte: onValues((operand) => compares(operand, (key, bound) => key >= bound, true)),
  $lt: onValues((operand) => compares(operand, (key, bound) => key < bound, false)),
  $lte: onValues((operand) => compares(operand, (key, bound) => key <= bound, true)),
  $type: onValues((operand) => {
    const names = new Set([operand].flat());
    return (value) =>
      value !== undefined &&
      (names.has(typeName(value)) || (names.has('number') && typeof value === 'number'));
  }),
  $mod: onValues((operand) => {
    const [divisor, remainder] = (operand as number[]).map(Math.trunc) as [number, number];
    return (value) => typeof value === 'number' && Math.trunc(value) % divisor === remainder;
  }),
  $regex: onValues((operand) => matches(operand as RegExp)),
  $exists: onWhole(() => (value) => value !== undefined, Boolean),
  $size: onWhole((operand) => (value) => Array.isArray(value) && value.length === operand),
  $elemMatch: onWhole((operand, options) => {
    const test = elementTest(operand as BsonDocument, options);
    return (value) => Array.isArray(value) && value.some(test);
  }),
  $all: (path, operand, options) => {
    const queries = (operand as unknown[]).map(
      (wanted) => new Query({ [path]: hasOperator(wanted) ? wanted : { $in: [wanted] } }, options),
    );
    return (document) => queries.length > 0 && queries.every((query) => query.test(document));
  },
};

/** The operators of mingo that only combine others, and so are right as they are. */
export const logicalOperators = Object.fromEntries(
  ['$and', '$or', '$nor', '$not', '$expr'].map((name) => [
    name,
    mingoOperator('query', name) as QueryOperator,
  ]),
);

/** An operator that looks at the value at a path and, when it is an array, at each element too. */
function onValues(compile: (operand: unknown) => Test): QueryOperator {
  return (path, operand) => {
    const parts = splitPath(path);
    const test = compile(operand);
    const testBoth: Test = (value) => test(value) || (Array.isArray(value) && value.some(test));
    return (document) => someAt(document, parts, 0, testBoth);
  };
}

/** An operator that looks at the value at a path as it is. `wants` false asks that no value satisfies it. */
function onWhole(
  compile: (operand: unknown, options: MingoOptions) => Test,
  wants: (operand: unknown) => boolean = () => true,
): QueryOperator {
  return (path, operand, options) => {
    const parts = splitPath(path);
    const test = compile(operand, options);
    const wanted = wants(operand);
    return (document) => someAt(document, parts, 0, test) === wanted;
  };
}

function negated(operator: QueryOperator): QueryOperator {
  return (path, operand, options) => {
    const test = operator(path, operand, options);
    return (document) => !test(document);
  };
}

function equals(operand: unknown): Test {
  if (typeof operand === 'string') return (value) => value === operand;
  const wanted = sortKey(operand);
  return (value) => sortKey(value) === wanted;
}

function anyOf(operands: readonly unknown[]): Test {
  const patterns = operands.filter((operand) => operand instanceof RegExp).map(matches);
  const keys = new Set(operands.map(sortKey));
  return (value) => keys.has(sortKey(value)) || patterns.some((test) => test(value));
}

function matches(pattern: RegExp): Test {
  const regex = compileRegex(pattern.source, pattern.flags);
  const wanted = sortKey(pattern);
  return (value) =>
    typeof value === 'string' ? regex.test(value) : value instanceof RegExp && sortKey(value) === wanted;
}

/** A range only holds values of its operand's type; NaN is in no range but equals itself. */
function compares(
  operand: unknown,
  test: (key: string, bound: string) => boolean,
  isInclusive: boolean,
): Test {
  const bound = sortKey(operand);
  const bracket = typeBracket(bound);
  if (bound === NULL_KEY || Number.isNaN(operand)) return isInclusive ? equals(operand) : () => false;
  return (value) => {
    if (value === undefined || Number.isNaN(value)) return false;
    const key = sortKey(value);
    return typeBracket(key) === bracket && test(key, bound);
  };
}

/** The criteria of `$elemMatch`: operators for the element itself, or a filter for an embedded document. */
function elementTest(criteria: BsonDocument, options: MingoOptions): Test {
  const isLogical = Object.keys(criteria).some((name) => name in logicalOperators && name !== '$not');
  if (hasOperator(criteria) && !isLogical) {
    const query = new Query({ element: criteria }, options);
    return (element) => query.test({ element });
  }
  const query = new Query(criteria, options);
  // An array inside the array is searched like a document whose fields are its positions.
  return (element) => (isDocument(element) || Array.isArray(element)) && query.test(element as BsonDocument);
}
