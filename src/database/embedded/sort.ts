import { isDocument, type BsonDocument } from './bson-document.js';
import { isPosition, splitPath } from './field-path.js';
import { documentSortKey } from './index-keys.js';
import { compareKeys } from './sort-key.js';
import { notSupported, StoreError } from './store-error.js';

export interface SortField {
  path: string;
  parts: readonly string[];
  direction: 1 | -1;
}

/**
 * Reads a sort specification.
 * @throws StoreError Location15975 for a direction that is neither 1 nor -1
 */
export function parseSort(specification: unknown): SortField[] {
  if (!isDocument(specification)) throw new StoreError('TypeMismatch', 'the sort must be an object');
  return Object.entries(specification).map(([path, direction]) => {
    if (isDocument(direction)) throw notSupported('Sorting by $meta');
    if (direction !== 1 && direction !== -1) {
      throw new StoreError(
        'Location15975',
        '$sort key ordering must be 1 (for ascending) or -1 (for descending)',
      );
    }
    const parts = splitPath(path);
    if (parts.some(isPosition)) throw notSupported('Sorting by a position in an array');
    return { path, parts, direction };
  });
}

/** Orders documents as MongoDB does. Documents that are equal keep their order. */
export function sortDocuments<T>(
  items: readonly T[],
  fields: readonly SortField[],
  documentOf: (item: T) => BsonDocument,
): T[] {
  if (fields.length === 0) return [...items];
  return items
    .map((item) => ({ item, keys: keysOf(documentOf(item), fields) }))
    .sort((a, b) => compareTuples(a.keys, b.keys, fields))
    .map(({ item }) => item);
}

/** The order of two documents under a sort specification. @throws StoreError as {@link parseSort} */
export function documentComparator(specification: unknown): (a: BsonDocument, b: BsonDocument) => number {
  const fields = parseSort(specification);
  return (a, b) => compareTuples(keysOf(a, fields), keysOf(b, fields), fields);
}

function keysOf(document: BsonDocument, fields: readonly SortField[]): string[] {
  return fields.map(({ parts, direction }) => documentSortKey(document, parts, direction));
}

function compareTuples(a: readonly string[], b: readonly string[], fields: readonly SortField[]): number {
  for (const [index, { direction }] of fields.entries()) {
    const order = compareKeys(a[index] ?? '', b[index] ?? '');
    if (order !== 0) return order * direction;
  }
  return 0;
}
