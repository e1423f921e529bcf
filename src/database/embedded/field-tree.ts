import { StoreError } from './store-error.js';

/** Paths of a projection as a tree: each name leads to a leaf or to the names below it. */
export type FieldTree<Leaf> = Map<string, Leaf | FieldTree<Leaf>>;

/**
 * Adds a leaf at a path.
 * @throws StoreError Location31249 when a leaf already lies on the path, or names below it
 */
export function addLeaf<Leaf>(tree: FieldTree<Leaf>, parts: readonly string[], leaf: Leaf): void {
  let node = tree;
  for (const [index, part] of parts.entries()) {
    const next = node.get(part);
    const isLast = index === parts.length - 1;
    if (next !== undefined && (isLast || !(next instanceof Map))) {
      throw new StoreError('Location31249', `Path collision at ${parts.join('.')}`);
    }
    if (isLast) node.set(part, leaf);
    else if (next instanceof Map) node = next;
    else {
      const below: FieldTree<Leaf> = new Map();
      node.set(part, below);
      node = below;
    }
  }
}
