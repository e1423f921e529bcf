import { isDocument, type BsonDocument } from '../values/document.js';
import { fieldOf } from '../values/field-path.js';
import { ABSENT_KEY, NULL_KEY, sortKey } from '../values/sort-key.js';

type Path = readonly string[];

/** The tuple of sort keys that a document has in an index, one for each indexed field. */
export type IndexKey = readonly string[];

/** Whether a path leads into or to an array: even with one element or none, it is the element that is indexed. */
export function passesArray(document: BsonDocument, path: Path): boolean {
  let value: unknown = document;
  for (const part of path) value = Array.isArray(value) ? value : fieldOf(value, part);
  return Array.isArray(value);
}

/** The keys that a document has in an index: one, or one for each element of an array on the way. */
export function indexKeys(document: BsonDocument, paths: readonly Path[]): readonly IndexKey[] {
  return paths.reduce<IndexKey[]>(
    (keys, path) => keysAt(document, path, 0).flatMap((key) => keys.map((before) => [...before, key])),
    [[]],
  );
}

/** The key by which a document sorts: that of the least value at the path when ascending, else of the greatest. */
export function documentSortKey(document: BsonDocument, path: Path, direction: 1 | -1): string {
  return keysAt(document, path, 0).reduce((best, key) => (key < best === (direction === 1) ? key : best));
}

/** A missing field has the key of null, an empty array a key before it. */
function keysAt(value: unknown, path: Path, depth: number): readonly string[] {
  if (!Array.isArray(value)) {
    return depth === path.length
      ? [sortKey(value)]
      : keysAt(fieldOf(value, path[depth] ?? ''), path, depth + 1);
  }
  const isEnd = depth === path.length;
  if (value.length === 0) return [isEnd ? ABSENT_KEY : NULL_KEY];
  const keys = value.flatMap((element) => {
    if (isEnd) return [sortKey(element)];
    // Arrays directly inside arrays are not searched for fields, and scalars have none.
    return isDocument(element) ? keysAt(element, path, depth) : [NULL_KEY];
  });
  return [...new Set(keys)];
}
