import { accumulators } from './accumulators.js';
import { type MingoOptions, mingoOperator } from './mingo-context.js';
import { compareKeys, sortKey } from './sort-key.js';
import { StoreError } from './store-error.js';

type ExpressionOperator = (document: unknown, operand: unknown, options: MingoOptions) => unknown;

/** The operators of mingo that give MongoDB's result for the types the store keeps. */
const TRUSTED =
  '$abs $add $and $arrayElemAt $arrayToObject $ceil $concat $concatArrays $cond $divide $filter $first $floor $ifNull $isArray $isNumber $last $let $literal $map $mod $multiply $not $objectToArray $or $reduce $reverseArray $slice $subtract $switch'.split(
    ' ',
  );

const letOperator = mingoOperator('expression', '$let') as ExpressionOperator;

/** The operators that expressions may use: mingo's trusted ones, and ours where mingo answers otherwise. */
export const expressionOperators: Record<string, ExpressionOperator> = {
  ...Object.fromEntries(
    TRUSTED.map((name) => [name, mingoOperator('expression', name) as ExpressionOperator]),
  ),
  $cmp: comparison((order) => order),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $in: (document, operand, options) => {
    const [wanted, list] = evaluatePair(document, operand, options);
    if (!Array.isArray(list)) throw new StoreError('BadValue', '$in requires an array as a second argument');
    const key = expressionKey(wanted);
    return list.some((element) => expressionKey(element) === key);
  },
  $slice: (document, operand, options) => {
    const [list] = Array.isArray(operand) ? (operand as unknown[]) : [];
    if ((evaluate(document, list, options) ?? null) === null) return null;
    return (mingoOperator('expression', '$slice') as ExpressionOperator)(document, operand, options);
  },
  $size: (document, operand, options) => {
    const list = evaluate(document, operand, options);
    if (Array.isArray(list)) return list.length;
    throw new StoreError('Location17124', 'The argument to $size must be an array');
  },
  $sum: overValues('$sum'),
  $avg: overValues('$avg'),
  $min: overValues('$min'),
  $max: overValues('$max'),
  $mergeObjects: overValues('$mergeObjects'),
};

/** Evaluates an expression, through the one operator of mingo that takes any. */
export function evaluate(document: unknown, expression: unknown, options: MingoOptions): unknown {
  return letOperator(document, { vars: {}, in: expression }, options);
}

/** A comparison by MongoDB's order, in which a missing field comes before null. */
function comparison(test: (order: number) => unknown): ExpressionOperator {
  return (document, operand, options) => {
    const [left, right] = evaluatePair(document, operand, options);
    return test(compareKeys(expressionKey(left), expressionKey(right)));
  };
}

/** An accumulator over its arguments, or over the elements of its only one. */
function overValues(name: string): ExpressionOperator {
  return (document, operand, options) => {
    const values = [operand].flat().map((argument) => evaluate(document, argument, options));
    const [only] = values;
    return accumulators[name]?.(values.length === 1 && Array.isArray(only) ? only : values);
  };
}

function evaluatePair(document: unknown, operand: unknown, options: MingoOptions): unknown[] {
  if (!Array.isArray(operand) || operand.length !== 2) {
    throw new StoreError('Location16020', 'the expression takes exactly 2 arguments');
  }
  return operand.map((part) => evaluate(document, part, options));
}

function expressionKey(value: unknown): string {
  return value === undefined ? '' : sortKey(value);
}
