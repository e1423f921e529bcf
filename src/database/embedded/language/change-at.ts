import { isDocument, type BsonDocument } from '../values/document.js';
import { fieldOf } from '../values/field-path.js';
import { StoreError } from '../values/store-error.js';

/**
 * A copy of a document with another value at a path. What the path does not pass is shared with the original.
 * @param change gets the present value, undefined for none, and gives the next one; undefined takes the field away
 * @param creates whether documents that are missing on the way are made; otherwise nothing happens without them
 * @throws StoreError PathNotViable when the path leads through a value that is no document
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
  if (current === undefined || isDocument(current)) {
    return withField(document, part, changeAt(current ?? {}, rest, creates, change));
  }
  if (!creates) return document;
  throw new StoreError('PathNotViable', `Cannot create field '${rest[0]}' in the element '${part}'`);
}

function withField(document: BsonDocument, name: string, value: unknown): BsonDocument {
  const copy = { ...document, [name]: value };
  if (value === undefined) delete copy[name];
  return copy;
}
