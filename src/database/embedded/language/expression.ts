import { isDocument, named, type BsonDocument } from '../values/document.js';
import { fieldOf, splitPath } from '../values/field-path.js';
import { sortKey } from '../values/sort-key.js';
import { assert, notSupported } from '../values/store-error.js';

type Expression = (document: BsonDocument) => unknown;

/** A result of undefined omits the field. @throws StoreError CommandNotSupported */
export function compileExpression(expression: unknown): Expression {
  if (typeof expression === 'string' && expression.startsWith('$')) return compilePath(expression);
  if (Array.isArray(expression)) {
    const elements = expression.map(compileExpression);
    return (document) => elements.map((element) => element(document) ?? null);
  }
  if (!isDocument(expression)) return () => expression;
  const entries = Object.entries(expression);
  const operator = entries.find(([name]) => name.startsWith('$'));
  if (operator) return compileOperator(...operator);
  const fields = entries.map(([name, value]) => [name, compileExpression(value)] as const);
  return (document) => {
    const values = fields.map(([name, evaluate]) => [name, evaluate(document)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  };
}

/** `$$NOW` is the time of the command. */
function compilePath(path: string): Expression {
  const [name = '', ...parts] = splitPath(path.startsWith('$$') ? path.slice(2) : `ROOT.${path.slice(1)}`);
  if (name === 'ROOT') return (document) => parts.reduce<unknown>(below, document);
  const now = new Date();
  if (name === 'NOW') return () => now;
  throw notSupported(`The variable ${name}`);
}

/** Reads a field of a document, or of each document in an array. */
function below(value: unknown, name: string): unknown {
  if (!Array.isArray(value)) return fieldOf(value, name);
  return value.map((element) => fieldOf(element, name)).filter((found) => found !== undefined);
}

function compileOperator(name: string, operand: unknown): Expression {
  if (name === '$literal') return () => operand;
  const apply = operators.get(name);
  if (!apply || !Array.isArray(operand)) throw notSupported(`The expression ${name}`);
  const values = operand.map(compileExpression);
  const [condition, yes, no] = values;
  // Not in the table: only one branch may be evaluated.
  if (name === '$cond') return (document) => (condition?.(document) ? yes : no)?.(document);
  return (document) => apply(values.map((evaluate) => evaluate(document)));
}

/** By name, with what they make of the values of their operands. Where MongoDB refuses a value, the result is null. */
const operators = named<(values: readonly unknown[]) => unknown>({
  $cond: () => null,
  $arrayElemAt: ([array, index]) => (Array.isArray(array) ? (array.at(index as number) as unknown) : null),
  $indexOfArray: ([array, value]) => {
    const wanted = orderKey(value);
    return Array.isArray(array) ? array.findIndex((element) => orderKey(element) === wanted) : null;
  },
  $gt: ([left, right]) => orderKey(left) > orderKey(right),
  /** Adds numbers, or milliseconds to a date. */
  $add: (values) => {
    const isSum = values.every((value) => typeof value === 'number' || value instanceof Date);
    assert(isSum, 'BadValue', '$add takes numbers, and milliseconds to a date');
    const sum = values.reduce<number>((total, value) => total + Number(value), 0);
    return values.some((value) => value instanceof Date) ? new Date(sum) : sum;
  },
  $concatArrays: (values) => (values.every(Array.isArray) ? values.flat() : null),
});

/** In an expression, a missing field comes before null. */
const orderKey = (value: unknown): string => (value === undefined ? '' : sortKey(value));
