import { hasOperator, isDocument, type BsonDocument } from '../values/document.js';
import { splitPath } from '../values/field-path.js';
import { notSupported } from '../values/store-error.js';

/** Leaves the original unchanged. */
export type Projection = (document: BsonDocument) => BsonDocument;

/** A path ends at an empty node. */
type Tree = Map<string, Tree>;

/** Keeps or drops all listed fields; only `_id` may differ. @throws StoreError CommandNotSupported for a computed field */
export function compileProjection(specification: BsonDocument): Projection {
  const fields = readFields(specification, '');
  const isInclusion = (fields.find(({ path }) => path !== '_id') ?? fields[0])?.isKept === true;
  const paths = fields.filter(({ isKept }) => isKept === isInclusion).map(({ path }) => path);
  if (isInclusion && !fields.some(({ path }) => path === '_id')) paths.push('_id');
  const tree = treeOf(paths);
  return (document) => project(document, tree, isInclusion) as BsonDocument;
}

function readFields(specification: BsonDocument, parent: string): { path: string; isKept: boolean }[] {
  return Object.entries(specification).flatMap(([name, value]) => {
    const path = parent + name;
    if (typeof value === 'number' || typeof value === 'boolean') return [{ path, isKept: Boolean(value) }];
    if (isDocument(value) && !hasOperator(value)) return readFields(value, `${path}.`);
    throw notSupported(`The projection of ${path}`);
  });
}

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const path of paths) {
    let node = root;
    for (const part of splitPath(path)) {
      const below = node.get(part) ?? new Map<string, Tree>();
      node.set(part, below);
      node = below;
    }
  }
  return root;
}

/** Returns undefined for a value that the projection leaves out. */
function project(value: unknown, tree: Tree, isInclusion: boolean): unknown {
  if (tree.size === 0) return isInclusion ? value : undefined;
  if (Array.isArray(value)) {
    const elements = value.map((element) => project(element, tree, isInclusion));
    return elements.filter((element) => element !== undefined);
  }
  if (!isDocument(value)) return isInclusion ? undefined : value;
  const result: BsonDocument = {};
  for (const [name, field] of Object.entries(value)) {
    const below = tree.get(name);
    const kept = below && project(field, below, isInclusion);
    if (kept !== undefined) result[name] = kept;
    else if (!below && !isInclusion) result[name] = field;
  }
  return result;
}
