import { isDocument, type BsonDocument } from '../values/document.js';
import { fieldOf } from '../values/field-path.js';
import { assert } from '../values/store-error.js';

/**
 * Returns a copy with a new value at a path. The copy shares all other values with the original.
 * @param change maps the current value to the new value; undefined stands for a missing field
 * @param creates whether to create what is missing on the path
 * @throws StoreError BadValue if the new field would be in a value that is not a document
 */
export function changeAt(
  document: BsonDocument,
  [part = '', ...rest]: readonly string[],
  creates: boolean,
  change: (current: unknown) => unknown,
): BsonDocument {
  const current = fieldOf(document, part);
  if (current === undefined && !creates) return document;
  if (rest.length === 0) return withField(document, part, change(current));
  const below = current === undefined ? {} : current;
  if (!isDocument(below) && !creates) return document;
  assert(isDocument(below), 'BadValue', `'${part}' is not a document, so it has no field '${rest[0]}'`);
  return withField(document, part, changeAt(below, rest, creates, change));
}

function withField(document: BsonDocument, name: string, value: unknown): BsonDocument {
  const copy = { ...document, [name]: value };
  if (value === undefined) delete copy[name];
  return copy;
}
