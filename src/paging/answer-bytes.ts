import { type Selection } from '../fields/selection.js';

/** Values of fields that a resolver of their own computes, by name. */
export type Derived = ReadonlyMap<string, (object: never) => unknown>;

/** The size of a text in JSON. */
export type TextBytes = (text: string) => number;

const bytesOf = { null: 4, brackets: 2, comma: 1, date: 26, scalar: 8 };

/** JSON writes a UTF-16 unit with at most six bytes, as in `\u001f`. */
export const mostTextBytes: TextBytes = (text) => bytesOf.brackets + 6 * text.length;

/** The size of an object in the JSON reply: each field counts as often as the document selects it (Contract 8.4.8). */
export function answerBytes(
  object: object,
  selection: Selection,
  derived: Derived,
  ofText: TextBytes,
): number {
  let bytes = 0;
  for (const [name, field] of selection) {
    const derive = derived.get(name);
    const value = derive ? derive(object as never) : (object as Record<string, unknown>)[name];
    bytes += field.nameBytes + valueBytes(value, field, derived, ofText);
  }
  return bytes;
}

function valueBytes(
  value: unknown,
  field: { below: Selection; times: number },
  derived: Derived,
  ofText: TextBytes,
): number {
  const { below, times } = field;
  if (value === null || value === undefined) return bytesOf.null * times;
  if (typeof value === 'string') return ofText(value) * times;
  if (typeof value !== 'object') return bytesOf.scalar * times;
  if (value instanceof Date) return bytesOf.date * times;
  if (Array.isArray(value)) {
    let bytes = bytesOf.brackets * times;
    for (const each of value) bytes += bytesOf.comma * times + valueBytes(each, field, derived, ofText);
    return bytes;
  }
  return below.size > 0
    ? bytesOf.brackets * times + answerBytes(value, below, derived, ofText)
    : Buffer.byteLength(JSON.stringify(value)) * times;
}

export const textBytes: TextBytes = (text) => Buffer.byteLength(JSON.stringify(text));
