import { documentSortKey } from '../index/keys.js';
import { type BsonDocument } from '../values/document.js';
import { splitPath } from '../values/field-path.js';

export interface SortField {
  path: string;
  parts: readonly string[];
  direction: 1 | -1;
}

export const parseSort = (specification: BsonDocument): SortField[] =>
  Object.entries(specification).map(([path, direction]) => ({
    path,
    parts: splitPath(path),
    direction: direction as 1 | -1,
  }));

/** Documents with equal sort keys keep their order. */
export function sortDocuments<T>(
  items: readonly T[],
  fields: readonly SortField[],
  documentOf: (item: T) => BsonDocument,
): T[] {
  return items
    .map((item) => ({ item, keys: keysOf(documentOf(item), fields) }))
    .sort((a, b) => compareTuples(a.keys, b.keys, fields))
    .map(({ item }) => item);
}

/** Merges lists that each have this order. */
export function* mergeSorted<T>(
  lists: readonly Iterator<T, void>[],
  fields: readonly SortField[],
  documentOf: (item: T) => BsonDocument,
): Generator<T> {
  const headOf = (list: Iterator<T, void>) => {
    const { done, value } = list.next();
    return done ? [] : [{ list, item: value, keys: keysOf(documentOf(value), fields) }];
  };
  let heads = lists.flatMap(headOf);
  while (heads.length > 0) {
    const first = heads.reduce((one, other) =>
      compareTuples(other.keys, one.keys, fields) < 0 ? other : one,
    );
    yield first.item;
    heads = heads.flatMap((head) => (head === first ? headOf(head.list) : [head]));
  }
}

const keysOf = (document: BsonDocument, fields: readonly SortField[]): string[] =>
  fields.map(({ parts, direction }) => documentSortKey(document, parts, direction));

function compareTuples(a: readonly string[], b: readonly string[], fields: readonly SortField[]): number {
  for (const [index, { direction }] of fields.entries()) {
    const [one = '', other = ''] = [a[index], b[index]];
    if (one !== other) return one < other ? -direction : direction;
  }
  return 0;
}
