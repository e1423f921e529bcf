import { isDocument } from './document.js';
import { assert, notSupported, StoreError } from './store-error.js';

/** Splits a path of a filter, which may contain array positions. @throws StoreError EmptyFieldName if a part is empty */
export function splitQueryPath(path: string): string[] {
  const parts = path.split('.');
  assert(!parts.includes(''), 'EmptyFieldName', `The path '${path}' contains an empty field name.`);
  return parts;
}

/** Splits a path outside a filter. @throws StoreError EmptyFieldName for an empty part, CommandNotSupported for a number */
export function splitPath(path: string): string[] {
  const parts = splitQueryPath(path);
  if (parts.some(isPosition)) throw notSupported(`The number in the path '${path}'`);
  return parts;
}

/** @throws StoreError if one path equals or contains another, as `a` contains `a.b` */
export function assertApart(
  paths: readonly string[],
  refuse = (path: string) => new StoreError('Location31249', `Path collision at ${path}`),
): void {
  const seen = new Set<string>();
  for (const path of [...paths].sort()) {
    const parts = path.split('.');
    if (parts.some((_, index) => seen.has(parts.slice(0, index + 1).join('.')))) throw refuse(path);
    seen.add(path);
  }
}

const isPosition = (part: string): boolean => /^(0|[1-9]\d{0,8})$/.test(part);

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
