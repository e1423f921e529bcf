import { documentSortKey } from '../index/keys.js';
import { type BsonDocument } from '../values/document.js';
import { splitPath } from '../values/field-path.js';
import { assert, unknown } from '../values/store-error.js';

export interface SortField {
  path: string;
  parts: readonly string[];
  direction: 1 | -1;
}

/** @throws StoreError Location15975 for a direction other than 1 and -1, Location16410 for `$natural` */
export function parseSort(specification: BsonDocument): SortField[] {
  return Object.entries(specification).map(([path, direction]) => {
    const isDirection = direction === 1 || direction === -1;
    assert(isDirection, 'Location15975', '$sort key ordering must be 1 (ascending) or -1 (descending)');
    if (path.startsWith('$'))
      throw unknown('Location16410', `FieldPath field names may not start with '$': ${path}`);
    return { path, parts: splitPath(path), direction };
  });
}

/** Documents with equal sort keys keep their order. */
export function sortDocuments<T>(
  items: readonly T[],
  fields: readonly SortField[],
  documentOf: (item: T) => BsonDocument,
): T[] {
  return items
    .map((item) => {
      const document = documentOf(item);
      return { item, keys: fields.map((field) => documentSortKey(document, field.parts, field.direction)) };
    })
    .sort((a, b) => compareTuples(a.keys, b.keys, fields))
    .map(({ item }) => item);
}

function compareTuples(a: readonly string[], b: readonly string[], fields: readonly SortField[]): number {
  for (const [index, { direction }] of fields.entries()) {
    const [one = '', other = ''] = [a[index], b[index]];
    if (one !== other) return one < other ? -direction : direction;
  }
  return 0;
}
