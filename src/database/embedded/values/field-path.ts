import { isDocument } from './document.js';
import { notSupported, StoreError } from './store-error.js';

/** The parts of a query's path; a number in it is a position. @throws StoreError EmptyFieldName for a path with an empty part */
export function splitQueryPath(path: string): string[] {
  const parts = path.split('.');
  if (!parts.includes('')) return parts;
  throw new StoreError('EmptyFieldName', `The path '${path}' contains an empty field name.`);
}

/** The parts of any other path. @throws StoreError as {@link splitQueryPath}, and CommandNotSupported for a number */
export function splitPath(path: string): string[] {
  const parts = splitQueryPath(path);
  if (parts.some(isPosition)) throw notSupported(`The number in the path '${path}'`);
  return parts;
}

/** @throws StoreError for a path that is given twice, or of which a part is given too: they cannot be written side by side */
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

/** Whether a part of a path may be the position of an array's element. */
function isPosition(part: string): boolean {
  return /^(0|[1-9]\d{0,8})$/.test(part);
}

/** The field of a document, or undefined when the value is no document or lacks it. */
export function fieldOf(value: unknown, name: string): unknown {
  return isDocument(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * Whether any value that a query's path leads to passes a test. Arrays on the way are entered, by position and through
 * every element; an array at the end is tested whole, and the test hears whether a position led to it. The test gets
 * undefined for a missing field, for an element that is no document, and for an array that has no element to look into.
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
  if (!Array.isArray(value)) {
    const next = fieldOf(value, part);
    return next === undefined ? test(undefined) : someAt(next, parts, depth + 1, test);
  }
  const position = isPosition(part) && Number(part) < value.length ? Number(part) : undefined;
  if (position !== undefined && someAt(value[position], parts, depth + 1, test, true)) return true;
  // Where the part is a position, only documents could have it as a field's name too.
  const entered = value.filter(
    (element) => isDocument(element) || (position === undefined && !Array.isArray(element)),
  );
  if (entered.length === 0) return position === undefined && test(undefined);
  return entered.some((element) =>
    isDocument(element) ? someAt(element, parts, depth, test) : test(undefined),
  );
}
