import { decodeUtf8, isJsonObject, mostFields, parseJson, tooManyFields } from '../decoding/read-json.js';
import { unreadable } from '../errors/domain-error.js';

/** How the body of an update may come (Contract 4.3.1). */
export type BodyKind = 'form' | 'multipart' | 'json';

export const contentTypes: Record<BodyKind, string> = {
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  json: 'application/json',
};

/** The fields of a body as they came: a text, several where a form repeats a key, or whatever JSON holds. */
export type BodyFields = Record<string, unknown>;

/** Reads a form: a repeated key gives a list (Contract 4.3.2). @throws DomainError body-format-error, also past `mostFields` */
export function readForm(body: Buffer): BodyFields {
  const text = decodeUtf8(body);
  if (text.split('&', mostFields + 1).length > mostFields) throw tooManyFields();
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) addField(fields, name, value);
  // Escapes that are no UTF-8 come out as U+FFFD. If that were stored, nobody would know what was sent.
  if ([...fields].flat(2).some((part) => part.includes('\uFFFD'))) assertEscapes(body);
  return fieldsOf(fields);
}

/** Unescapes a form, its separators included as they are. @throws DomainError body-format-error when the bytes are no UTF-8 */
function assertEscapes(body: Buffer): void {
  const bytes = Buffer.alloc(body.length);
  const places = new Uint32Array(body.length);
  let length = 0;
  for (let at = 0; at < body.length; at += 1) {
    const escape = body[at] === percent ? 16 * hexDigit(body[at + 1]) + hexDigit(body[at + 2]) : NaN;
    places[length] = at;
    if (!Number.isNaN(escape)) at += 2;
    bytes[length++] = Number.isNaN(escape) ? (body[at] ?? 0) : escape;
  }
  decodeUtf8(bytes.subarray(0, length), { placeOf: (at) => places[at] ?? at });
}

const percent = 0x25;

/** What a byte stands for as a hexadecimal digit, NaN for none. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NaN;
}

/** Adds a value to those that a name has already, in the order in which they came. */
export function addField<T>(fields: Map<string, T[]>, name: string, value: T): void {
  const values = fields.get(name);
  if (values) values.push(value);
  else fields.set(name, [value]);
}

/** The fields of a body: a name that came once has its value, one that came several times the list of them. */
export const fieldsOf = (fields: ReadonlyMap<string, unknown[]>): BodyFields =>
  Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));

/** Reads a JSON object. @throws DomainError body-format-error when it is not one, or holds more than a thousand values */
export function readJson(body: Buffer): BodyFields {
  const value = parseJson(decodeUtf8(body));
  if (!isJsonObject(value)) throw unreadable('it is no JSON object', 'ce n’est pas un objet JSON');
  return value;
}
