import { hasOperator, isDocument, type BsonDocument } from './bson-document.js';
import { compileExpression } from './expression.js';
import { splitPath } from './field-path.js';
import { addLeaf, type FieldTree } from './field-tree.js';
import { StoreError } from './store-error.js';

type Evaluate = (document: BsonDocument) => unknown;

/**
 * Compiles the stage `$set`, also named `$addFields`. A field whose expression gives nothing is taken away.
 * @throws StoreError when an expression is refused, or two paths collide
 */
export function compileComputedFields(
  specification: unknown,
  variables: BsonDocument,
): (document: BsonDocument) => BsonDocument {
  if (!isDocument(specification)) {
    throw new StoreError('FailedToParse', '$addFields specification stage must be an object');
  }
  const tree: FieldTree<Evaluate> = new Map();
  const add = (fields: BsonDocument, parents: readonly string[]): void => {
    for (const [path, value] of Object.entries(fields)) {
      const parts = [...parents, ...splitPath(path)];
      if (isDocument(value) && Object.keys(value).length > 0 && !hasOperator(value)) add(value, parts);
      else addLeaf(tree, parts, compileExpression(value, variables));
    }
  };
  add(specification, []);
  return (document) => compute(document, tree, document) as BsonDocument;
}

/** Arrays are entered: each element gets the fields, and what is no document becomes one. */
function compute(value: unknown, tree: FieldTree<Evaluate>, root: BsonDocument): unknown {
  if (Array.isArray(value)) return value.map((element) => compute(element, tree, root));
  const result: BsonDocument = isDocument(value) ? { ...value } : {};
  for (const [name, node] of tree) {
    const next = node instanceof Map ? compute(result[name], node, root) : node(root);
    if (next === undefined) delete result[name];
    else result[name] = next;
  }
  return result;
}
