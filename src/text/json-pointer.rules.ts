/** The names on the way to a value (RFC 6901). */
export type JsonPointer = readonly string[];

/** Rejects the empty pointer, which is the whole document. @throws Error that says what was expected */
export function parseJsonPointer(text: unknown): JsonPointer {
  if (typeof text !== 'string' || !/^(?:\/(?:[^~]|~[01])*)+$/s.test(text))
    throw new Error('must be a JSON pointer such as /realm_access/roles');
  return text
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Follows own properties alone. Undefined if the document has no such value. */
export function valueAt(pointer: JsonPointer, document: unknown): unknown {
  let value = document;
  for (const name of pointer) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
