import { Context } from 'mingo';
import { Query } from 'mingo/query';
import { hasOperator, isDocument, type BsonDocument } from './bson-document.js';
import { expressionContext } from './expression.js';
import { normaliseExpression } from './expression-check.js';
import { assertFilter } from './filter-check.js';
import { optionsFor } from './mingo-context.js';
import { compileRegex } from './regex.js';
import { logicalOperators, queryOperators } from './query-operators.js';

const queryOptions = optionsFor(
  Context.from(Context.init({ query: { ...logicalOperators, ...queryOperators } }), expressionContext),
);

export type Filter = (document: BsonDocument) => boolean;

/**
 * Compiles a filter of MongoDB's query language.
 * @param variables of `let`, for `$expr`
 * @throws StoreError when the filter is wrong, or asks for what the store cannot answer rightly
 */
export function compileFilter(filter: unknown, variables: BsonDocument = {}): Filter {
  assertFilter(filter);
  if (Object.keys(filter).length === 0) return () => true;
  const query = new Query(prepare(filter) as BsonDocument, queryOptions(variables));
  return (document) => query.test(document);
}

/** Drops comments, and makes `$regex` with `$options` one expression before mingo makes one of its own. */
function prepare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepare);
  if (!isDocument(value)) return value;
  const prepared: BsonDocument = {};
  for (const [name, operand] of Object.entries(value)) {
    if (name === '$comment' || name === '$options') continue;
    if (name === '$regex') prepared.$regex = regexOf(operand, value.$options);
    else prepared[name] = name === '$expr' ? normaliseExpression(operand) : prepare(operand);
  }
  return prepared;
}

function regexOf(pattern: unknown, options: unknown): RegExp {
  const { source, flags } = pattern instanceof RegExp ? pattern : { source: String(pattern), flags: '' };
  return compileRegex(source, typeof options === 'string' ? options : flags);
}

/** Whether a condition asks for equality: a plain value, or `{ $eq: value }` alone. */
export function equalityOf(condition: unknown): { value: unknown } | undefined {
  if (condition instanceof RegExp) return undefined;
  if (!hasOperator(condition)) return { value: condition };
  return Object.keys(condition).length === 1 && '$eq' in condition ? { value: condition.$eq } : undefined;
}
