import { isDocument, type BsonDocument } from './bson-document.js';
import { StoreError } from './store-error.js';

/**
 * The parts of a dotted path.
 * @throws StoreError EmptyFieldName for a path with an empty part
 */
export function splitPath(path: string): string[] {
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new StoreError(
      'EmptyFieldName',
      `The path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  return parts;
}

/** Whether a part of a path may be the position of an array's element. */
export function isPosition(part: string): boolean {
  return /^(0|[1-9]\d{0,8})$/.test(part);
}

/** The field of a document, or undefined when the value is no document or lacks it. */
export function fieldOf(value: unknown, name: string): unknown {
  return isDocument(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * Whether any of the values that a query's path reaches satisfies a test. Arrays on the way are entered, by
 * position and through every element; an array at the end is handed over whole. A missing field is undefined,
 * and so is what a scalar element, or an array without any element to look into, would have held.
 */
export function someAt(
  value: unknown,
  parts: readonly string[],
  depth: number,
  test: (value: unknown) => boolean,
): boolean {
  const part = parts[depth];
  if (part === undefined) return test(value);
  if (!Array.isArray(value)) {
    const next = fieldOf(value, part);
    return next === undefined ? test(undefined) : someAt(next, parts, depth + 1, test);
  }
  const position = isPosition(part) && Number(part) < value.length ? Number(part) : undefined;
  if (position !== undefined && someAt(value[position], parts, depth + 1, test)) return true;
  // Where the part is a position, only documents could have it as a field's name too.
  const entered = value.filter(
    (element) => isDocument(element) || (position === undefined && !Array.isArray(element)),
  );
  if (entered.length === 0) return position === undefined && test(undefined);
  return entered.some((element) =>
    isDocument(element) ? someAt(element, parts, depth, test) : test(undefined),
  );
}

/** The value at a path that holds no arrays, or undefined. */
export function valueAt(document: BsonDocument, path: string): unknown {
  return path.split('.').reduce<unknown>(fieldOf, document);
}
