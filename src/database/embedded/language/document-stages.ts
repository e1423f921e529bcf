import { hasOperator, isDocument, named } from '../values/document.js';
import { assertApart, splitPath } from '../values/field-path.js';
import { assert, notSupported } from '../values/store-error.js';
import { changeAt } from './change-at.js';
import { compileExpression } from './expression.js';
import { compileProjection, type Projection } from './projection.js';

/** Stages that turn each document into one document. An update pipeline may have only these stages. */
export const documentStages = named<(operand: unknown) => Projection>({
  $set: compileSet,
  $project: (operand) => {
    assert(isDocument(operand), 'Location15969', '$project specification must be an object');
    const isEmpty = Object.keys(operand).length === 0;
    assert(!isEmpty, 'Location51272', 'projection specification must have at least one field');
    return compileProjection(operand);
  },
  $replaceWith: (operand) => {
    const evaluate = compileExpression(operand);
    return (document) => {
      const root = evaluate(document);
      assert(isDocument(root), 'Location40228', "'replacement document' must evaluate to an object");
      return root;
    };
  },
});

/** @throws StoreError TypeMismatch if the stage is not a document, Location40323 unless it has exactly one field */
export function readStage(stage: unknown): [name: string, operand: unknown] {
  assert(isDocument(stage), 'TypeMismatch', "Each element of the 'pipeline' array must be an object");
  const [entry, ...others] = Object.entries(stage);
  assert(entry && others.length === 0, 'Location40323', 'A pipeline stage must have exactly one field.');
  return entry;
}

/** `$set` removes a field if its expression has no value. */
function compileSet(specification: unknown): Projection {
  assert(isDocument(specification), 'Location40272', '$set specification stage must be an object');
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
