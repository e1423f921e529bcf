import { isDocument, type BsonDocument } from './bson-document.js';
import { isPosition } from './field-path.js';
import type { Filter } from './filter.js';
import { StoreError } from './store-error.js';

/** Further elements than this past an array's end are not filled with null. MongoDB's own limit. */
const MAX_PADDING = 1_500_000;

/** What decides which elements a path with `$`, `$[]` or `$[name]` means. */
export interface ElementChoice {
  /** The element that the query matched in the array at a path, or undefined when it matched none. */
  matchedPosition(arrayPath: string): number | undefined;
  arrayFilters: ReadonlyMap<string, Filter>;
}

type Container = BsonDocument | unknown[];

/**
 * The paths that an update's path means in one document, without `$`, `$[]` and `$[name]`.
 * @throws StoreError BadValue when such a part does not stand for elements of an array
 */
export function concretePaths(
  document: BsonDocument,
  parts: readonly string[],
  choice: ElementChoice,
): string[][] {
  const index = parts.findIndex((part) => part.startsWith('$'));
  const part = parts[index];
  if (part === undefined) return [[...parts]];
  const before = parts.slice(0, index);
  const after = parts.slice(index + 1);
  const array = before.reduce<unknown>(child, document);
  if (array === undefined) {
    const path = before.join('.');
    throw new StoreError(
      'BadValue',
      `The path '${path}' must exist in the document in order to apply array updates.`,
    );
  }
  if (!Array.isArray(array)) {
    throw new StoreError('BadValue', `Cannot apply array updates to non-array element ${before.join('.')}`);
  }
  return chosenPositions(array, part, before.join('.'), choice).flatMap((position) =>
    concretePaths(document, [...before, String(position), ...after], choice),
  );
}

function chosenPositions(array: unknown[], part: string, arrayPath: string, choice: ElementChoice): number[] {
  if (part === '$') {
    const position = choice.matchedPosition(arrayPath);
    if (position !== undefined) return [position];
    throw new StoreError('BadValue', 'The positional operator did not find the match needed from the query.');
  }
  const name = part.slice(2, -1);
  if (name === '') return [...array.keys()];
  const filter = choice.arrayFilters.get(name);
  if (filter === undefined)
    throw new StoreError('BadValue', `No array filter found for identifier '${name}'`);
  return [...array.keys()].filter((position) => filter({ [name]: array[position] }));
}

/**
 * Changes the value at a path in place.
 * @param change gets the present value and gives the next one; undefined leaves the document as it is
 * @param creates whether documents missing on the way are made; otherwise nothing happens without them
 * @throws StoreError PathNotViable when the path leads through a value that is no document or array
 */
export function changeAt(
  document: BsonDocument,
  parts: readonly string[],
  creates: boolean,
  change: (current: unknown) => unknown,
): void {
  let container: Container = document;
  for (const [index, part] of parts.entries()) {
    if (Array.isArray(container) && !isPosition(part)) {
      throw notViable(part, parts[index - 1] ?? '');
    }
    const current = child(container, part);
    if (index === parts.length - 1) {
      const next = change(current);
      if (next !== undefined) assign(container, part, next);
      return;
    }
    if (current === undefined && !creates) return;
    if (current === undefined) {
      assign(container, part, {});
    } else if (!isContainer(current)) {
      throw notViable(parts[index + 1] ?? '', part);
    }
    container = child(container, part) as Container;
  }
}

/** Takes a field away; an element of an array becomes null instead, so that the others keep their places. */
export function removeAt(document: BsonDocument, parts: readonly string[]): void {
  const last = parts.at(-1) ?? '';
  const container = parts.slice(0, -1).reduce<unknown>(child, document);
  if (isDocument(container)) delete container[last];
  else if (Array.isArray(container) && child(container, last) !== undefined) container[Number(last)] = null;
}

/** The field of a document or the element of an array. */
export function child(container: unknown, part: string): unknown {
  if (Array.isArray(container)) return isPosition(part) ? (container as unknown[])[Number(part)] : undefined;
  return isDocument(container) && Object.hasOwn(container, part) ? container[part] : undefined;
}

function assign(container: Container, part: string, value: unknown): void {
  if (!Array.isArray(container)) {
    container[part] = value;
    return;
  }
  const position = Number(part);
  if (position > container.length + MAX_PADDING) {
    throw new StoreError('BadValue', `can't backfill more than ${MAX_PADDING} elements`);
  }
  while (container.length < position) container.push(null);
  container[position] = value;
}

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isDocument(value);
}

function notViable(part: string, parent: string): StoreError {
  return new StoreError('PathNotViable', `Cannot create field '${part}' in element '${parent}'`);
}
