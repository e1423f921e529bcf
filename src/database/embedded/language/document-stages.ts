import { type BsonDocument, hasOperator, isDocument, named } from '../values/document.js';
import { splitPath } from '../values/field-path.js';
import { notSupported } from '../values/store-error.js';
import { changeAt } from './change-at.js';
import { compileExpression } from './expression.js';
import { compileProjection, type Projection } from './projection.js';

/** Stages that turn each document into one document. An update pipeline may have only these stages. */
export const documentStages = named<(operand: unknown) => Projection>({
  $set: compileSet,
  $project: (operand) => compileProjection(operand as BsonDocument),
  $replaceWith: (operand) => {
    const evaluate = compileExpression(operand);
    return (document) => evaluate(document) as BsonDocument;
  },
});

/** `$set` removes a field if its expression has no value. */
function compileSet(specification: unknown): Projection {
  const fields = Object.entries(specification as BsonDocument).map(([path, value]) => {
    if (isDocument(value) && !hasOperator(value)) throw notSupported('A document as a value in $set');
    return { parts: splitPath(path), evaluate: compileExpression(value) };
  });
  return (document) =>
    fields.reduce((result, { parts, evaluate }) => {
      const value = evaluate(document);
      return changeAt(result, parts, value !== undefined, () => value);
    }, document);
}
