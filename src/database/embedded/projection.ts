import { hasOperator, isDocument, type BsonDocument } from './bson-document.js';
import { compileExpression } from './expression.js';
import { splitPath } from './field-path.js';
import { addLeaf, type FieldTree } from './field-tree.js';
import { findOnlyLeaf } from './find-projection.js';
import { type ProjectionLeaf } from './projection-leaf.js';
import { StoreError } from './store-error.js';

export type Projection = (document: BsonDocument) => BsonDocument;

type Tree = FieldTree<ProjectionLeaf>;

export interface ProjectionOptions {
  variables?: BsonDocument;
  /** The filter of the `find` that the projection belongs to. It allows `$slice`, `$elemMatch` and `field.$`. */
  findFilter?: BsonDocument;
}

/**
 * Compiles the projection of a `find`, or the stage `$project`.
 * @throws StoreError Location31253 or Location31254 when it both keeps and drops fields
 */
export function compileProjection(specification: unknown, options: ProjectionOptions): Projection {
  if (!isDocument(specification)) throw new StoreError('FailedToParse', 'a projection must be an object');
  const leaves = readLeaves(specification, [], options);
  const { _id: idLeaf, ...others } = Object.fromEntries(leaves.map(([path, leaf]) => [path, leaf]));
  const isInclusion = includes(Object.entries(others)) ?? (idLeaf !== undefined && idLeaf.kind !== 'drop');
  const tree: Tree = new Map();
  if (isInclusion && idLeaf === undefined) tree.set('_id', { kind: 'keep' });
  for (const [path, leaf] of leaves) {
    const isPlainId = path === '_id' && leaf.kind === (isInclusion ? 'drop' : 'keep');
    if (!isPlainId) addLeaf(tree, splitPath(path), leaf);
  }
  return isInclusion
    ? (document) => include(document, tree, document) as BsonDocument
    : (document) => exclude(document, tree, document) as BsonDocument;
}

function readLeaves(
  specification: BsonDocument,
  parents: readonly string[],
  options: ProjectionOptions,
): [path: string, leaf: ProjectionLeaf][] {
  return Object.entries(specification).flatMap(([name, value]): [string, ProjectionLeaf][] => {
    const path = [...parents, name].join('.');
    const special = options.findFilter && findOnlyLeaf(path, value, options.findFilter);
    if (special !== undefined) return [special];
    if (typeof value === 'number' || typeof value === 'boolean')
      return [[path, { kind: value ? 'keep' : 'drop' }]];
    if (isDocument(value) && !hasOperator(value)) {
      if (Object.keys(value).length === 0) {
        throw new StoreError('Location51270', `Invalid empty sub-projection: ${path}`);
      }
      return readLeaves(value, [...parents, name], options);
    }
    return [[path, { kind: 'compute', evaluate: compileExpression(value, options.variables) }]];
  });
}

/** Whether leaves ask for an inclusion; undefined when they leave it open. */
function includes(leaves: readonly [path: string, leaf: ProjectionLeaf][]): boolean | undefined {
  const dropped = leaves.find(([, leaf]) => leaf.kind === 'drop');
  const kept = leaves.find(
    ([, leaf]) => leaf.kind !== 'drop' && !(leaf.kind === 'transform' && leaf.isNeutral),
  );
  if (dropped !== undefined && kept !== undefined) {
    if (leaves.indexOf(dropped) > leaves.indexOf(kept)) {
      throw new StoreError(
        'Location31254',
        `Cannot do exclusion on field ${dropped[0]} in inclusion projection`,
      );
    }
    throw new StoreError('Location31253', `Cannot do inclusion on field ${kept[0]} in exclusion projection`);
  }
  if (dropped === undefined && kept === undefined) return leaves.length > 0 ? false : undefined;
  return kept !== undefined;
}

function include(value: unknown, tree: Tree, root: BsonDocument): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => include(element, tree, root)).filter((element) => element !== undefined);
  }
  if (!isDocument(value) && !computes(tree)) return undefined;
  const source = isDocument(value) ? value : {};
  const result: BsonDocument = {};
  for (const name of Object.keys(source)) {
    const node = tree.get(name);
    const kept = node === undefined ? undefined : includeField(source[name], node, root);
    if (kept !== undefined) result[name] = kept;
  }
  for (const [name, node] of tree) {
    const isNew =
      node instanceof Map ? !Object.hasOwn(source, name) && computes(node) : node.kind === 'compute';
    if (!isNew) continue;
    const computed = node instanceof Map ? include(undefined, node, root) : evaluate(node, root);
    if (computed !== undefined) result[name] = computed;
  }
  return result;
}

function includeField(value: unknown, node: ProjectionLeaf | Tree, root: BsonDocument): unknown {
  if (node instanceof Map) return include(value, node, root);
  if (node.kind === 'keep') return value;
  return node.kind === 'transform' ? node.transform(value, root) : undefined;
}

function exclude(value: unknown, tree: Tree, root: BsonDocument): unknown {
  if (Array.isArray(value)) return value.map((element) => exclude(element, tree, root));
  if (!isDocument(value)) return value;
  const result: BsonDocument = {};
  for (const name of Object.keys(value)) {
    const node = tree.get(name);
    if (node === undefined) result[name] = value[name];
    else if (node instanceof Map) result[name] = exclude(value[name], node, root);
    else if (node.kind === 'transform') result[name] = node.transform(value[name], root);
  }
  return result;
}

function evaluate(leaf: ProjectionLeaf, root: BsonDocument): unknown {
  return leaf.kind === 'compute' ? leaf.evaluate(root) : undefined;
}

function computes(tree: Tree): boolean {
  return [...tree.values()].some((node) => (node instanceof Map ? computes(node) : node.kind === 'compute'));
}
