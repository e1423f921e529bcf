import { isDocument } from './document.js';
import { notSupported } from './store-error.js';

/** Splits a path outside a filter, where a number does not mean an array position. @throws StoreError for a number, and for a part that begins with `$` */
export function splitPath(path: string): string[] {
  const parts = path.split('.');
  if (parts.some((part) => isPosition(part) || part.startsWith('$')))
    throw notSupported(`The path '${path}'`);
  return parts;
}

const isPosition = (part: string): boolean => /^\d+$/.test(part);

/** Undefined if the field is missing or the value is not a document. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isDocument(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/**
 * Whether any value at the path of a filter passes a test. In an array on the path, the next part can be a position or a field of every
 * element. An array at the end of the path is tested as a whole.
 * @param test gets undefined for a missing field, for an element that is not a document, and for an array with no elements to search;
 * `isElement` is true if the path ends with an array position
 */
export function someAt(
  value: unknown,
  parts: readonly string[],
  depth: number,
  test: (value: unknown, isElement?: boolean) => boolean,
  isElement = false,
): boolean {
  const part = parts[depth];
  if (part === undefined) return test(value, isElement);
  if (!Array.isArray(value)) return someAt(fieldOf(value, part), parts, depth + 1, test);
  const position = isPosition(part) && Number(part) < value.length ? Number(part) : undefined;
  if (position !== undefined && someAt(value[position], parts, depth + 1, test, true)) return true;
  // Even if the part is a position, a document in the array may have a field named `0`.
  const entered = value.filter(
    (element) => isDocument(element) || (position === undefined && !Array.isArray(element)),
  );
  if (entered.length === 0) return position === undefined && test(undefined);
  return entered.some((element) => someAt(element, parts, depth, test));
}
