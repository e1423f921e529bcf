import { isDocument } from './bson-document.js';
import { expressionOperators } from './expression-operators.js';
import { mingoOperator } from './mingo-context.js';
import { notSupported, StoreError } from './store-error.js';

/** Operators with one argument, which may stand in an array of its own. */
const UNARY = new Set(
  '$abs $arrayToObject $ceil $first $floor $isArray $isNumber $last $not $objectToArray $reverseArray $size'.split(
    ' ',
  ),
);

/**
 * Refuses an expression that the store would not evaluate as MongoDB does.
 * @throws StoreError InvalidPipelineOperator for an unknown operator, CommandNotSupported for a known one
 */
export function assertExpression(expression: unknown): void {
  if (Array.isArray(expression)) return expression.forEach(assertExpression);
  if (typeof expression === 'string') return assertFieldPath(expression);
  if (!isDocument(expression)) return;
  for (const [name, operand] of Object.entries(expression)) {
    if (name.startsWith('$')) assertOperator(name, operand);
    if (name.startsWith('$') && Object.keys(expression).length > 1) {
      throw new StoreError('BadValue', 'an object representing an expression must have exactly one field');
    }
    if (name !== '$literal') assertExpression(operand);
  }
}

function assertOperator(name: string, operand: unknown): void {
  if (UNARY.has(name) && Array.isArray(operand) && operand.length !== 1) {
    throw new StoreError(
      'Location16020',
      `Expression ${name} takes exactly 1 arguments. ${operand.length} were passed in.`,
    );
  }
  if (Object.hasOwn(expressionOperators, name)) return;
  const isKnown = mingoOperator('expression', name) ?? mingoOperator('accumulator', name);
  if (isKnown !== undefined) throw notSupported(`The expression ${name}`);
  throw new StoreError('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
}

function assertFieldPath(path: string): void {
  // MongoDB reads a number in an expression's path as a field's name only, mingo as a position too.
  if (path.startsWith('$') && /\.\d+(\.|$)/.test(path)) throw notSupported(`The numeric path '${path}'`);
}

/**
 * Spells out what mingo does not do by itself: an only argument is taken out of its array, and an element of an
 * array that comes out missing is null.
 */
export function normaliseExpression(expression: unknown): unknown {
  if (Array.isArray(expression)) {
    return expression.map((element) => {
      const normal = normaliseExpression(element);
      return typeof element === 'string' || isDocument(element) ? { $ifNull: [normal, null] } : normal;
    });
  }
  if (!isDocument(expression) || '$literal' in expression) return expression;
  return Object.fromEntries(
    Object.entries(expression).map(([name, operand]) => [name, normaliseOperand(name, operand)]),
  );
}

function normaliseOperand(name: string, operand: unknown): unknown {
  if (UNARY.has(name) && Array.isArray(operand)) return normaliseExpression(operand[0]);
  // Here an array holds arguments, or the branches of a $switch, and is no value itself.
  const holdsArguments = name.startsWith('$') || name === 'branches';
  return Array.isArray(operand) && holdsArguments
    ? operand.map(normaliseExpression)
    : normaliseExpression(operand);
}
