import { isDocument, type BsonDocument } from '../values/document.js';
import { fieldOf } from '../values/field-path.js';
import { ABSENT_KEY, NULL_KEY, sortKey } from '../values/sort-key.js';

type Path = readonly string[];

/** One sort key per indexed field. */
export type IndexKey = readonly string[];

/** Whether there is an array on the path or at its end, however short the array is. */
export function passesArray(document: BsonDocument, path: Path): boolean {
  let value: unknown = document;
  for (const part of path) value = Array.isArray(value) ? value : fieldOf(value, part);
  return Array.isArray(value);
}

/** One key, or one key per element if there is an array on a path. */
export function indexKeys(document: BsonDocument, paths: readonly Path[]): readonly IndexKey[] {
  let keys: string[][] = [[]];
  for (const path of paths) {
    const [first = '', ...others] = keysAt(document, path, 0);
    if (others.length > 0) keys = [first, ...others].flatMap((key) => keys.map((before) => [...before, key]));
    else for (const key of keys) key.push(first);
  }
  return keys;
}

/** The smallest key at the path if ascending, otherwise the largest. */
export const documentSortKey = (document: BsonDocument, path: Path, direction: 1 | -1): string =>
  keysAt(document, path, 0).reduce((best, key) => (key < best === (direction === 1) ? key : best));

/** A missing field has the key of null. The key of an empty array at the end of the path sorts before null. */
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
    // MongoDB doesn't look for fields in an array directly inside an array.
    return isDocument(element) ? keysAt(element, path, depth) : [NULL_KEY];
  });
  return [...new Set(keys)];
}
