import {
  getNamedType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { Upload } from 'graphql-upload-minimal';
import { type FieldTable, givenTypeOf, partsOf, readGiven } from '../content/fields.rules.js';
import { decodeUtf8, isJsonObject, mostFields, parseJson, tooManyFields } from '../decoding/read-json.js';
import { documentedName } from '../errors/documented-name.js';
import { unreadable } from '../errors/domain-error.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';

/** The formats of an update body (Contract 4.3.1). */
export type BodyKind = 'form' | 'multipart' | 'json';

export const contentTypes: Record<BodyKind, string> = {
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  json: 'application/json',
};

/** The fields of a body as sent: a text, a list if a form repeats a key, or any JSON value. */
export type BodyFields = Record<string, unknown>;

/**
 * Reads a form. A repeated key gives a list (Contract 4.3.2).
 * @throws DomainError body-format-error if the form is not UTF-8, or has more than `mostFields` fields
 */
export function readForm(body: Buffer): BodyFields {
  const text = decodeUtf8(body);
  if (text.split('&', mostFields + 1).length > mostFields) throw tooManyFields();
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) addField(fields, name, value);
  // URLSearchParams turns escapes that are not UTF-8 into U+FFFD. Storing U+FFFD would lose what was sent.
  if ([...fields].flat(2).some((part) => part.includes('\uFFFD'))) assertEscapes(body);
  return fieldsOf(fields);
}

/** Checks the unescaped bytes of a whole form. @throws DomainError body-format-error if they are not UTF-8 */
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

/** The value of a hexadecimal digit; NaN for any other byte. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NaN;
}

export function addField<T>(fields: Map<string, T[]>, name: string, value: T): void {
  const values = fields.get(name);
  if (values) values.push(value);
  else fields.set(name, [value]);
}

/** The fields of a body. A name that was sent once has its value, and a repeated name has the list of its values. */
export const fieldsOf = (fields: ReadonlyMap<string, unknown[]>): BodyFields =>
  Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));

/** Reads a JSON object. @throws DomainError body-format-error if the body is anything else, or has over a thousand values */
export function readJson(body: Buffer): BodyFields {
  const value = parseJson(decodeUtf8(body));
  if (!isJsonObject(value)) throw unreadable('it is not a JSON object', 'ce n’est pas un objet JSON');
  return value;
}

/** A body as GraphQL input, with the faults of its fields. */
export interface ReadVariables {
  input: Record<string, unknown>;
  faults: FieldFault[];
  /** Undocumented fields, ignored with a warning (Contract 4.3.4). */
  unknownFields: string[];
}

/** Reads the body of a request. `given` has the fields that the URL path sets. The body cannot set these fields. */
type VariablesReader = (body: BodyFields, given?: Record<string, unknown>) => ReadVariables;

/** A reader for each type. It returns undefined if the value has another type. */
const readers = { ...readGiven, file: (value: unknown) => (value instanceof Upload ? value : undefined) };

export const isUpload = (type: GraphQLInputType): boolean => getNamedType(type).name === 'Upload';

/** The body formats of an operation. Multipart is accepted only if the input has a field for a file (Contract 4.3.1). */
export const bodyKinds = (input: GraphQLInputObjectType | undefined): BodyKind[] => {
  if (!input) return [];
  const takesFile = Object.values(input.getFields()).some(({ type }) => isUpload(type));
  return takesFile ? ['multipart', 'form', 'json'] : ['form', 'json'];
};

/** A field of a body. `within` is set if GraphQL has the field as a part of an input object. */
type BodyField = GraphQLInputField & { within?: { whole: string; part: string } };

/** The fields of an input, flattened for REST: an object is replaced by its parts. */
export const bodyFields = (input: GraphQLInputObjectType | undefined, table: FieldTable): BodyField[] =>
  Object.values(input?.getFields() ?? {}).flatMap((field): BodyField[] => {
    const nested = getNamedType(field.type);
    if (!isInputObjectType(nested)) return [field];
    return partsOf(table, field.name).map(({ name, field: { part } }) => ({
      ...nested.getFields()[part]!,
      name,
      within: { whole: field.name, part },
    }));
  });

/** Makes a body reader. If GraphQL would reject a value, the reader reports an ordinary fault of the field (Contract 7.6.3). */
export function variablesReader(
  type: GraphQLInputObjectType | undefined,
  table: FieldTable,
): VariablesReader {
  const fields = bodyFields(type, table);
  const byName = new Map(
    fields.map(({ name: key, type: given, within }) => {
      const field = table[key];
      const as = isUpload(given) ? 'file' : givenTypeOf[field?.type ?? 'text'];
      const choices = field?.type === 'choice' && field.of;
      // For a field of the table or a file, the service decides what null means. A required id that is null counts as missing. For
      // an optional id, null is a fault over REST (Contract 4.2.4).
      const takesNull = field !== undefined || as === 'file' || isNonNullType(given);
      return [documentedName(key), { key, as, choices, takesNull, within }] as const;
    }),
  );
  const required = fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name);

  return (body, given = {}) => {
    const read: ReadVariables = { input: {}, faults: [], unknownFields: [] };
    for (const [name, value] of Object.entries(mergeLists(body))) {
      const field = byName.get(name);
      if (!field || field.key in given) {
        read.unknownFields.push(name);
        continue;
      }
      const { key, as, choices, takesNull, within } = field;
      const taken = value === null && takesNull ? null : readers[as](value);
      if (taken === undefined) read.faults.push(fieldFault.mustBe(key, as));
      else if (within)
        read.input[within.whole] = { ...(read.input[within.whole] as object), [within.part]: taken };
      else if (!choices || typeof taken !== 'string') read.input[key] = taken;
      else if (choices.includes(taken.trim())) read.input[key] = taken.trim();
      else read.faults.push(fieldFault.oneOf(key, choices));
    }
    // GraphQL would reject a call without these ids. Pass a missing id as an empty text, which the service reports as missing.
    for (const key of required) read.input[key] ??= '';
    Object.assign(read.input, given);
    return read;
  };
}

/**
 * Merges `key[]`, and PHP’s `key[0]`, `key[1]` and so on, into one list `key`. If the list has only one such key, and its value
 * is blank, the list is empty (Contract 4.2.11.1).
 */
function mergeLists(body: BodyFields): BodyFields {
  if (!Object.keys(body).some((name) => name.endsWith(']'))) return body;
  const merged = new Map(Object.entries(body));
  for (const [name, value] of Object.entries(body)) {
    const key = /^([^[\]]*)\[\d*\]$/.exec(name)?.[1];
    if (key === undefined) continue;
    const isAlone = !merged.has(key) && typeof value === 'string' && value.trim() === '';
    merged.set(key, isAlone ? [] : [merged.has(key) ? merged.get(key) : [], value].flat());
    merged.delete(name);
  }
  return Object.fromEntries(merged);
}
