import { hasOperator, isDocument, type BsonDocument } from './bson-document.js';
import { compareValues } from './sort-key.js';
import { documentComparator } from './sort.js';
import { StoreError } from './store-error.js';

const MODIFIERS = new Set(['$each', '$position', '$slice', '$sort']);

/**
 * Compiles the operand of `$push`: a value, or `$each` with `$position`, `$sort` and `$slice`.
 * @throws StoreError BadValue for modifiers that MongoDB refuses
 */
export function pushInto(operand: unknown): (present: readonly unknown[]) => unknown[] {
  if (!hasOperator(operand) || !('$each' in operand)) return (present) => [...present, operand];
  const unknown = Object.keys(operand).find((name) => !MODIFIERS.has(name));
  if (unknown !== undefined) throw new StoreError('BadValue', `Unrecognized clause in $push: ${unknown}`);
  const { $each: added } = operand;
  if (!Array.isArray(added)) {
    throw new StoreError('BadValue', 'The argument to $each in $push must be an array');
  }
  const position = integer(operand, '$position') ?? Infinity;
  const slice = integer(operand, '$slice');
  const compare = operand.$sort === undefined ? undefined : elementComparator(operand.$sort);
  return (present) => {
    const elements: unknown[] = [...present];
    elements.splice(position, 0, ...(added as unknown[]));
    if (compare !== undefined) elements.sort(compare);
    if (slice === undefined) return elements;
    return slice < 0 ? elements.slice(slice) : elements.slice(0, slice);
  };
}

function integer(operand: BsonDocument, name: string): number | undefined {
  const value = operand[name];
  if (value === undefined || Number.isInteger(value)) return value as number | undefined;
  throw new StoreError('BadValue', `The value for ${name} must be an integer value`);
}

/** `$sort: 1` orders whole elements, `$sort: { field: 1 }` embedded documents by their fields. */
function elementComparator(sort: unknown): (a: unknown, b: unknown) => number {
  if (sort === 1 || sort === -1) return (a, b) => compareValues(a, b) * sort;
  if (!isDocument(sort)) throw new StoreError('BadValue', 'The $sort must be 1, -1 or a document');
  const compare = documentComparator(sort);
  const asDocument = (element: unknown) => (isDocument(element) ? element : {});
  return (a, b) => compare(asDocument(a), asDocument(b));
}
