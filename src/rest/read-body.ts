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

/** A body as the input of a GraphQL operation, and what was wrong with its single fields. */
export interface ReadVariables {
  input: Record<string, unknown>;
  faults: FieldFault[];
  /** Fields that are not documented; they are ignored with a warning (Contract 4.3.4). */
  unknownFields: string[];
}

/** Reads the body of a request. Values that are `given` come from elsewhere, and a body cannot set them. */
type VariablesReader = (body: BodyFields, given?: Record<string, unknown>) => ReadVariables;

/** Takes a value of each kind that a body can give. */
const readers = { ...readGiven, file: (value: unknown) => (value instanceof Upload ? value : undefined) };

export const isUpload = (type: GraphQLInputType): boolean => getNamedType(type).name === 'Upload';

/** How an input may come: a file only in multipart (Contract 4.3.1). */
export const bodyKinds = (input: GraphQLInputObjectType | undefined): BodyKind[] => {
  if (!input) return [];
  const takesFile = Object.values(input.getFields()).some(({ type }) => isUpload(type));
  return takesFile ? ['multipart', 'form', 'json'] : ['form', 'json'];
};

/** A field of a body, which may be a part of an object of the input. */
type BodyField = GraphQLInputField & { within?: { whole: string; part: string } };

/** The fields of an input as REST spells them: flat, the parts of an object in its place. */
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

/** Makes a reader of bodies. What GraphQL would refuse becomes a fault of its field, told with all others (Contract 7.6.3). */
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
      // Null clears a field, and leaves a required identifier missing. GraphQL would take an optional one for left out (Contract 4.2.4).
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
    // GraphQL requires these identifiers. If the body lacks one, it is sent empty, and the service reports it as missing.
    for (const key of required) read.input[key] ??= '';
    Object.assign(read.input, given);
    return read;
  };
}

/**
 * `key[]`, or `key[0]`, `key[1]` and so on as PHP writes lists, is another spelling of a repeated `key`. Alone and empty, it is the
 * empty list (Contract 4.2.11.1).
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
