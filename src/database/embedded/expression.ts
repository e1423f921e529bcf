import { Context } from 'mingo';
import { isDocument, type BsonDocument } from './bson-document.js';
import { type MingoOptions, mingoOperator, optionsFor } from './mingo-context.js';
import { compareKeys, sortKey } from './sort-key.js';
import { notSupported, StoreError } from './store-error.js';

type ExpressionOperator = (document: unknown, operand: unknown, options: MingoOptions) => unknown;

/** The operators of mingo that give MongoDB's result for the types the store keeps. */
const TRUSTED = (
  '$abs $add $and $arrayElemAt $arrayToObject $avg $ceil $concat $concatArrays $cond $dateAdd $dateSubtract ' +
  '$dayOfMonth $divide $filter $first $floor $hour $ifNull $isArray $isNumber $last $let $literal $map $max ' +
  '$mergeObjects $min $minute $mod $month $multiply $not $objectToArray $or $reduce $reverseArray $second $size ' +
  '$slice $subtract $sum $switch $toLower $toUpper $year'
).split(' ');

const evaluateNested = mingoOperator('expression', '$let') as ExpressionOperator;

/** Comparisons by MongoDB's order, in which a missing field comes before null. */
const comparisons: Record<string, ExpressionOperator> = {
  $cmp: comparison((order) => order),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $in: (document, operand, options) => {
    const [wanted, list] = evaluatePair('$in', document, operand, options);
    if (!Array.isArray(list)) throw new StoreError('BadValue', '$in requires an array as a second argument');
    const key = expressionKey(wanted);
    return list.some((element) => expressionKey(element) === key);
  },
};

const expressionOperators = Object.fromEntries([
  ...TRUSTED.map((name) => [name, mingoOperator('expression', name) ?? mingoOperator('accumulator', name)]),
  ...Object.entries(comparisons),
]) as Record<string, ExpressionOperator>;

/** The operators that an expression may use, also one inside a query. */
export const expressionContext = Context.init({ expression: expressionOperators });

const expressionOptions = optionsFor(expressionContext);

/**
 * Compiles an aggregation expression. Its result is undefined where MongoDB would leave the field out.
 * @throws StoreError when it is wrong, or asks for what the store cannot answer rightly
 */
export function compileExpression(
  expression: unknown,
  variables: BsonDocument = {},
): (document: BsonDocument) => unknown {
  assertExpression(expression);
  const options = expressionOptions(variables);
  return (document) => {
    try {
      return withoutMissing(evaluateNested(document, { vars: {}, in: expression }, options));
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError('BadValue', (error as Error).message);
    }
  };
}

/**
 * Refuses an expression that the store would not evaluate as MongoDB does.
 * @throws StoreError InvalidPipelineOperator for an unknown operator, CommandNotSupported for a known one
 */
export function assertExpression(expression: unknown): void {
  if (Array.isArray(expression)) return expression.forEach(assertExpression);
  if (typeof expression === 'string') return assertFieldPath(expression);
  if (!isDocument(expression)) return;
  for (const [name, operand] of Object.entries(expression)) {
    if (name === '$literal') return;
    if (name.startsWith('$') && !(name in expressionOperators)) {
      const isKnown = mingoOperator('expression', name) ?? mingoOperator('accumulator', name);
      if (isKnown !== undefined) throw notSupported(`The expression ${name}`);
      throw new StoreError('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
    }
    if (name.startsWith('$') && Object.keys(expression).length > 1) {
      throw new StoreError('BadValue', 'an object representing an expression must have exactly one field');
    }
    assertExpression(operand);
  }
}

function assertFieldPath(path: string): void {
  // MongoDB reads a number in an expression's path as a field's name only, mingo as a position too.
  if (path.startsWith('$') && /\.\d+(\.|$)/.test(path)) throw notSupported(`The numeric path '${path}'`);
}

function comparison(test: (order: number) => unknown): ExpressionOperator {
  return (document, operand, options) => {
    const [left, right] = evaluatePair('A comparison', document, operand, options);
    return test(compareKeys(expressionKey(left), expressionKey(right)));
  };
}

function evaluatePair(name: string, document: unknown, operand: unknown, options: MingoOptions): unknown[] {
  if (!Array.isArray(operand) || operand.length !== 2) {
    throw new StoreError('BadValue', `${name} takes exactly 2 arguments`);
  }
  return operand.map((part) => evaluateNested(document, { vars: {}, in: part as unknown }, options));
}

function expressionKey(value: unknown): string {
  return value === undefined ? '' : sortKey(withoutMissing(value));
}

/** Fields that came out missing are left out of documents, and are null in arrays. */
function withoutMissing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutMissing(element) ?? null);
  if (!isDocument(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => [name, withoutMissing(field)]),
  );
}
