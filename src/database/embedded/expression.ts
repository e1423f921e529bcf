import { Context } from 'mingo';
import { isDocument, type BsonDocument } from './bson-document.js';
import { assertExpression, normaliseExpression } from './expression-check.js';
import { evaluate, expressionOperators } from './expression-operators.js';
import { optionsFor } from './mingo-context.js';
import { StoreError } from './store-error.js';

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
  const normal = normaliseExpression(expression);
  const options = expressionOptions(variables);
  return (document) => {
    try {
      return withoutMissing(evaluate(document, normal, options));
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError('BadValue', (error as Error).message);
    }
  };
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
