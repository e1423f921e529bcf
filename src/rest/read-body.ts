import {
  getNamedType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { Upload } from 'graphql-upload-minimal';
import { type FieldTable, partsOf } from '../fields/fields.rules.js';
import { text } from '../fields/field-types.rules.js';
import { decodeUtf8, isJsonObject, mostFields, parseJson, tooManyFields } from '../text/read-json.js';
import { snakeCase } from '../errors/snake-case.js';
import { assertEscapes } from '../http/read-request.js';
import { unreadable } from '../errors/domain-error.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';

/** The formats of a request body. */
export type BodyFormat = 'form' | 'multipart' | 'json';

export const contentTypes: Record<BodyFormat, string> = {
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  json: 'application/json',
};

/** Fields as sent: a text, a list if a form repeats a key, or any JSON value. */
export type BodyFields = Record<string, unknown>;

/**
 * A repeated key gives a list.
 * @throws DomainError body-format-error if the form is not UTF-8, or has over `mostFields` fields
 */
export function readForm(body: Buffer): BodyFields {
  const text = decodeUtf8(body);
  if (text.split('&', mostFields + 1).length > mostFields) throw tooManyFields();
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) addField(fields, name, value);
  // URLSearchParams silently turns escapes that are not UTF-8 into U+FFFD.
  if ([...fields].flat(2).some((part) => part.includes('\uFFFD'))) assertEscapes(text);
  return fieldsOf(fields);
}

export function addField<T>(fields: Map<string, T[]>, name: string, value: T): void {
  const values = fields.get(name);
  if (values) values.push(value);
  else fields.set(name, [value]);
}

export const fieldsOf = (fields: ReadonlyMap<string, unknown[]>): BodyFields =>
  Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));

/** @throws DomainError body-format-error if the body is not a JSON object, or has over a thousand values */
export function readJson(body: Buffer): BodyFields {
  const value = parseJson(decodeUtf8(body));
  if (!isJsonObject(value)) throw unreadable('it is not a JSON object', 'ce n’est pas un objet JSON');
  return value;
}

/** A body as GraphQL input. */
export interface ReadVariables {
  input: Record<string, unknown>;
  /** The faults of values that `input` lacks. It has an empty text instead where GraphQL requires one. */
  parseFaults: FieldFault[];
  /** Ignored with a warning. */
  unknownFields: string[];
}

const file = {
  inputType: 'file',
  parse: (value: unknown) => (value instanceof Upload ? value : undefined),
} as const;

export const isUpload = (type: GraphQLInputType): boolean => getNamedType(type).name === 'Upload';

/** Multipart is accepted only if the input takes a file. The form is last: generators that use the first misname JSON as a form. */
export const bodyFormats = (input: GraphQLInputObjectType | undefined): BodyFormat[] => {
  if (!input) return [];
  const takesFile = Object.values(input.getFields()).some(({ type }) => isUpload(type));
  return takesFile ? ['multipart', 'json', 'form'] : ['json', 'form'];
};

/** `within` is set if the field is part of an object in GraphQL. */
type BodyField = GraphQLInputField & { within?: { object: string; part: string } };

/** The fields of an input, with each object replaced by its parts. */
export const bodyFields = (input: GraphQLInputObjectType | undefined, table: FieldTable): BodyField[] =>
  Object.values(input?.getFields() ?? {}).flatMap((field): BodyField[] => {
    const nested = getNamedType(field.type);
    if (!isInputObjectType(nested)) return [field];
    return partsOf(table, field.name).map(({ name, part }) => ({
      ...nested.getFields()[part]!,
      name,
      within: { object: field.name, part },
    }));
  });

/** The reader reports a value that GraphQL would reject as a fault of its field. */
export function variablesReader(input: GraphQLInputObjectType | undefined, table: FieldTable) {
  const fields = bodyFields(input, table);
  const byName = new Map(
    fields.map(({ name: key, type: inputType, within }) => {
      const type = table[key]?.type;
      const format = isUpload(inputType) ? file : (type ?? text);
      // The service decides what null means for a file or a field of the table. A required id that is null counts as missing; for an
      // optional id, null is a fault.
      const takesNull = type !== undefined || format === file || isNonNullType(inputType);
      return [snakeCase(key), { key, format, choices: type?.choices, takesNull, within }] as const;
    }),
  );
  const required = fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name);

  /** @param given the fields of the URL path, which the body cannot set */
  return (body: BodyFields, fromPath: Record<string, unknown> = {}): ReadVariables => {
    const read: ReadVariables = { input: {}, parseFaults: [], unknownFields: [] };
    for (const [name, value] of Object.entries(mergeLists(body))) {
      const field = byName.get(name);
      if (!field || field.key in fromPath) {
        read.unknownFields.push(name);
        continue;
      }
      const { key, format, choices, takesNull, within } = field;
      const taken = value === null && takesNull ? null : format.parse(value);
      if (taken === undefined) read.parseFaults.push(fieldFault.mustBe(key, format.inputType));
      else if (within)
        read.input[within.object] = { ...(read.input[within.object] as object), [within.part]: taken };
      else if (!choices || typeof taken !== 'string') read.input[key] = taken;
      else if (choices.includes(taken.trim())) read.input[key] = taken.trim();
      else read.parseFaults.push(fieldFault.oneOf(key, choices));
    }
    // GraphQL would reject a call without these ids; the service reports an empty id as missing.
    for (const key of required) read.input[key] ??= '';
    Object.assign(read.input, fromPath);
    return read;
  };
}

/**
 * Merges `key[]`, and PHP’s `key[0]`, `key[1]` and so on, into a list `key`. `key[]=` alone gives an empty list.
 */
export function mergeLists(body: BodyFields): BodyFields {
  if (!Object.keys(body).some((name) => name.endsWith(']'))) return body;
  const merged = new Map(Object.entries(body));
  for (const [name, value] of Object.entries(body)) {
    const key = /^([^[\]]*)\[\d*\]$/.exec(name)?.[1];
    if (key === undefined) continue;
    const isAlone = !merged.has(key) && value === '' && name.endsWith('[]');
    merged.set(key, isAlone ? [] : [merged.has(key) ? merged.get(key) : [], value].flat());
    merged.delete(name);
  }
  return Object.fromEntries(merged);
}
