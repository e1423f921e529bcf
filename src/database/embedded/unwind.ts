import { isDocument, type BsonDocument } from './bson-document.js';
import { splitPath, valueAt } from './field-path.js';
import { StoreError } from './store-error.js';

/**
 * Compiles the stage `$unwind`: one document for each element of an array.
 * @throws StoreError Location28818 for a path without its `$`
 */
export function compileUnwind(specification: unknown): (document: BsonDocument) => BsonDocument[] {
  const options = isDocument(specification) ? specification : { path: specification };
  const { path, includeArrayIndex, preserveNullAndEmptyArrays = false } = options;
  if (typeof path !== 'string' || !path.startsWith('$')) {
    throw new StoreError(
      'Location28818',
      `path option to $unwind stage should be prefixed with a '$': ${String(path)}`,
    );
  }
  const field = path.slice(1);
  const parts = splitPath(field);
  const place = (document: BsonDocument, value: unknown, index: number | null) => {
    const placed = replaceAt(document, parts, value);
    return typeof includeArrayIndex === 'string' ? { ...placed, [includeArrayIndex]: index } : placed;
  };
  return (document) => {
    const value = valueAt(document, field);
    if (Array.isArray(value) && value.length > 0)
      return value.map((element, index) => place(document, element, index));
    const isAbsent = value === undefined || value === null || Array.isArray(value);
    if (isAbsent && preserveNullAndEmptyArrays !== true) return [];
    return [place(document, Array.isArray(value) ? undefined : value, null)];
  };
}

function replaceAt(
  document: BsonDocument,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): BsonDocument {
  const result = { ...document };
  if (rest.length > 0) {
    const below = result[name];
    if (isDocument(below)) result[name] = replaceAt(below, rest, value);
  } else if (value === undefined) delete result[name];
  else result[name] = value;
  return result;
}
