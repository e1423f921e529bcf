import { isDocument, type BsonDocument } from './bson-document.js';
import { compileFilter } from './filter.js';
import { positionFinder } from './positional.js';
import { type ProjectionLeaf } from './projection-leaf.js';
import { StoreError } from './store-error.js';

/**
 * Reads what only the projection of a `find` may say of a field: `$slice`, `$elemMatch`, and the positional
 * `field.$`. Undefined for anything else.
 */
export function findOnlyLeaf(
  path: string,
  value: unknown,
  filter: BsonDocument,
): [path: string, leaf: ProjectionLeaf] | undefined {
  if (path.endsWith('.$')) return positional(path.slice(0, -2), filter);
  if (!isDocument(value)) return undefined;
  if ('$slice' in value) return [path, slice(value.$slice)];
  if (!('$elemMatch' in value)) return undefined;
  const test = compileFilter({ array: { $elemMatch: value.$elemMatch } });
  const transform = (array: unknown) => {
    const matched = Array.isArray(array)
      ? array.filter((element: unknown) => test({ array: [element] }))
      : [];
    return matched.length > 0 ? matched.slice(0, 1) : undefined;
  };
  return [path, { kind: 'transform', transform, isNeutral: false }];
}

function positional(path: string, filter: BsonDocument): [path: string, leaf: ProjectionLeaf] {
  const find = positionFinder(filter);
  const transform = (array: unknown, root: BsonDocument) => {
    if (!Array.isArray(array)) return array;
    const position = find(root, path);
    if (position !== undefined) return [array[position] as unknown];
    throw new StoreError(
      'Location51246',
      "positional operator '.$' couldn't find a matching element in the array",
    );
  };
  return [path, { kind: 'transform', transform, isNeutral: false }];
}

/** `$slice: n` takes the first n elements, or the last when negative; `[skip, n]` takes n after a skip. */
function slice(operand: unknown): ProjectionLeaf {
  const [first, count] = Array.isArray(operand) ? (operand as unknown[]) : [operand];
  const hasSkip = Array.isArray(operand);
  if (!Number.isInteger(first) || (hasSkip && (!Number.isInteger(count) || (count as number) <= 0))) {
    throw new StoreError(
      'BadValue',
      'First argument to $slice must be an integer, a second one a positive integer',
    );
  }
  const begin = first as number;
  const transform = (value: unknown) => {
    if (!Array.isArray(value)) return value;
    const array: unknown[] = value;
    if (!hasSkip) return begin < 0 ? array.slice(begin) : array.slice(0, begin);
    const from = begin < 0 ? Math.max(array.length + begin, 0) : begin;
    return array.slice(from, from + (count as number));
  };
  return { kind: 'transform', transform, isNeutral: true };
}
