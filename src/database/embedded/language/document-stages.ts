import { hasOperator, isDocument, named } from '../values/document.js';
import { assertApart, splitPath } from '../values/field-path.js';
import { notSupported, StoreError } from '../values/store-error.js';
import { changeAt } from './change-at.js';
import { compileExpression } from './expression.js';
import { compileProjection, type Projection } from './projection.js';

/** Stages that turn each document into one document. An update pipeline may have only these stages. */
export const documentStages = named<(operand: unknown) => Projection>({
  $set: compileSet,
  $project: (operand) => {
    if (!isDocument(operand)) {
      throw new StoreError('Location15969', '$project specification must be an object');
    }
    if (Object.keys(operand).length === 0) {
      throw new StoreError('Location51272', 'projection specification must have at least one field');
    }
    return compileProjection(operand);
  },
  $replaceWith: (operand) => {
    const evaluate = compileExpression(operand);
    return (document) => {
      const root = evaluate(document);
      if (isDocument(root)) return root;
      throw new StoreError('Location40228', "'replacement document' must evaluate to an object");
    };
  },
});

/** @throws StoreError TypeMismatch if the stage is not a document, Location40323 unless it has exactly one field */
export function readStage(stage: unknown): [name: string, operand: unknown] {
  if (!isDocument(stage)) {
    throw new StoreError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  }
  const [entry, ...others] = Object.entries(stage);
  if (entry !== undefined && others.length === 0) return entry;
  throw new StoreError('Location40323', 'A pipeline stage specification object must contain one field.');
}

/** `$set` removes a field if its expression has no value. */
function compileSet(specification: unknown): Projection {
  if (!isDocument(specification))
    throw new StoreError('Location40272', '$set specification stage must be an object');
  const fields = Object.entries(specification).map(([path, value]) => {
    if (isDocument(value) && !hasOperator(value)) throw notSupported('A document as a value in $set');
    return { path, parts: splitPath(path), evaluate: compileExpression(value) };
  });
  assertApart(fields.map(({ path }) => path));
  return (document) =>
    fields.reduce((result, { parts, evaluate }) => {
      const value = evaluate(document);
      return changeAt(result, parts, value !== undefined, () => value);
    }, document);
}
