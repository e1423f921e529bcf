import { isDocument, named, typeName, type BsonDocument } from '../values/document.js';
import { fieldOf, splitPath } from '../values/field-path.js';
import { sortKey } from '../values/sort-key.js';
import { assert, notSupported, unknown } from '../values/store-error.js';

type Expression = (document: BsonDocument) => unknown;

/** A result of undefined omits the field. @throws StoreError InvalidPipelineOperator, or Location17276 */
export function compileExpression(expression: unknown): Expression {
  if (typeof expression === 'string' && expression.startsWith('$')) return compilePath(expression);
  if (Array.isArray(expression)) {
    const elements = expression.map(compileExpression);
    return (document) => elements.map((element) => element(document) ?? null);
  }
  if (!isDocument(expression)) return () => expression;
  const entries = Object.entries(expression);
  const operator = entries.find(([name]) => name.startsWith('$'));
  if (operator === undefined) {
    const fields = entries.map(([name, value]) => [name, compileExpression(value)] as const);
    return (document) => {
      const values = fields.map(([name, evaluate]) => [name, evaluate(document)] as const);
      return Object.fromEntries(values.filter(([, value]) => value !== undefined));
    };
  }
  assert(entries.length === 1, 'Location40181', 'an expression must have exactly one field');
  return compileOperator(...operator);
}

/** `$$NOW` is the time of the command. */
function compilePath(path: string): Expression {
  const [name = '', ...parts] = splitPath(path.startsWith('$$') ? path.slice(2) : `ROOT.${path.slice(1)}`);
  if (name === 'ROOT') return (document) => parts.reduce<unknown>(below, document);
  const now = new Date();
  if (name === 'NOW' && parts.length === 0) return () => now;
  throw unknown('Location17276', `Use of undefined variable: ${name}`);
}

/** Reads a field of a document, or of each document in an array. */
function below(value: unknown, name: string): unknown {
  if (!Array.isArray(value)) return fieldOf(value, name);
  return value.map((element) => fieldOf(element, name)).filter((found) => found !== undefined);
}

function compileOperator(name: string, operand: unknown): Expression {
  if (name === '$function') throw notSupported('A script');
  if (name === '$cond' && isDocument(operand)) {
    return compileOperator(name, [operand.if, operand.then, operand.else]);
  }
  if (name === '$literal') return () => operand;
  const known = operators.get(name);
  if (known === undefined) throw unknown('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
  const [count, apply] = known;
  const operands = [operand].flat();
  const message = `Expression ${name} takes exactly ${count} arguments. ${operands.length} were passed in.`;
  assert(operands.length === count || count === Infinity, 'Location16020', message);
  const values = operands.map(compileExpression);
  if (apply !== undefined) return (document) => apply(values.map((evaluate) => evaluate(document)));
  const [condition, yes, no] = values;
  return (document) => (isTrue(condition?.(document)) ? yes : no)?.(document);
}

/** Only `$cond` has no `apply`, because it must not evaluate both branches. */
type Operator = readonly [argumentCount: number, apply?: (values: readonly unknown[]) => unknown];

const operators = named<Operator>({
  $arrayElemAt: [
    2,
    ([array, index]) => {
      if (!isPresent(array) || !isPresent(index)) return null;
      const message = `$arrayElemAt takes an array and a whole number, not ${typeName(array)} and ${typeName(index)}`;
      assert(Array.isArray(array), 'Location28689', message);
      assert(typeof index === 'number', 'Location28690', message);
      assert(Number.isInteger(index), 'Location28691', message);
      return array.at(index) as unknown;
    },
  ],
  $indexOfArray: [
    2,
    ([array, value]) => {
      if (!isPresent(array)) return null;
      const wanted = orderKey(value);
      assert(Array.isArray(array), 'Location40090', `$indexOfArray needs an array, not ${typeName(array)}`);
      return array.findIndex((element) => orderKey(element) === wanted);
    },
  ],
  $gt: [2, ([left, right]) => orderKey(left) > orderKey(right)],
  $cond: [3],
  $ifNull: [Infinity, (values) => values.find(isPresent) ?? values.at(-1)],
  $add: [Infinity, (values) => (values.every(isPresent) ? values.reduce<number | Date>(add, 0) : null)],
  $concatArrays: [
    Infinity,
    (values) => {
      const other = values.find((value) => isPresent(value) && !Array.isArray(value));
      const message = `$concatArrays only supports arrays, not ${typeName(other)}`;
      assert(other === undefined, 'Location28664', message);
      return values.every(isPresent) ? values.flat() : null;
    },
  ],
});

/** In an expression, a missing field comes before null. */
const orderKey = (value: unknown): string => (value === undefined ? '' : sortKey(value));

const isTrue = (value: unknown): boolean => isPresent(value) && value !== false && value !== 0;

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** Adds numbers, or milliseconds to a date. */
function add(left: unknown, right: unknown): number | Date {
  const dates = [left, right].filter((value) => value instanceof Date).length;
  const numbers = [left, right].filter((value) => typeof value === 'number').length;
  const isSum = dates < 2 && dates + numbers === 2;
  assert(isSum, 'TypeMismatch', `Cannot $add ${typeName(left)} and ${typeName(right)}`);
  const [first, second] = [Number(left), Number(right)];
  const sum = exactly(first + second, first, second);
  return dates === 1 ? new Date(sum) : sum;
}

/** @throws StoreError CommandNotSupported where MongoDB would continue with 64-bit integers */
export function exactly(result: number, ...operands: number[]): number {
  if (Number.isInteger(result) && !Number.isSafeInteger(result) && operands.every(Number.isSafeInteger)) {
    throw notSupported('An integer beyond 2^53');
  }
  return result;
}
