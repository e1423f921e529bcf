import { isDocument, type BsonDocument } from '../values/document.js';
import { isPosition } from '../values/field-path.js';
import { StoreError } from '../values/store-error.js';

/** Further elements than this past the end of an array are not filled with null. MongoDB's own limit. */
const MAX_PADDING = 1_500_000;

type Container = BsonDocument | unknown[];

/**
 * A copy with another value at a path. What the path does not pass is shared with the original.
 * @param change gets the present value, undefined for none, and gives the next one; undefined takes the field away,
 * or makes an element of an array null, so that the others keep their places
 * @param creates whether documents that are missing on the way are made; otherwise nothing happens without them
 * @throws StoreError PathNotViable when the path leads through a value that is no document or array
 */
export function changeAt<Kind extends Container>(
  container: Kind,
  [part = '', ...rest]: readonly string[],
  creates: boolean,
  change: (current: unknown) => unknown,
): Kind {
  if (Array.isArray(container) && !isPosition(part) && creates) throw notViable(part, 'an array');
  const current = childOf(container, part);
  if (current === undefined && !creates) return container;
  if (rest.length === 0) return withChild(container, part, change(current));
  if (current === undefined) return withChild(container, part, changeAt({}, rest, creates, change));
  if (Array.isArray(current) || isDocument(current)) {
    return withChild(container, part, changeAt(current, rest, creates, change));
  }
  if (creates) throw notViable(rest[0] ?? '', `the element '${part}'`);
  return container;
}

function childOf(container: Container, part: string): unknown {
  if (Array.isArray(container)) return isPosition(part) ? container[Number(part)] : undefined;
  return Object.hasOwn(container, part) ? container[part] : undefined;
}

function withChild<Kind extends Container>(container: Kind, part: string, value: unknown): Kind {
  if (!Array.isArray(container)) {
    const copy = { ...container, [part]: value };
    if (value === undefined) delete copy[part];
    return copy;
  }
  const position = Number(part);
  if (position > container.length + MAX_PADDING) {
    throw new StoreError('BadValue', `can't backfill more than ${MAX_PADDING} elements`);
  }
  const elements: unknown[] = [...container];
  while (elements.length < position) elements.push(null);
  elements[position] = value ?? null;
  return elements as Kind;
}

function notViable(part: string, parent: string): StoreError {
  return new StoreError('PathNotViable', `Cannot create field '${part}' in ${parent}`);
}
