import {
  getNamedType,
  getNullableType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isListType,
  isNonNullType,
} from 'graphql';
import { Upload } from 'graphql-upload-minimal';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { documentedName } from '../errors/documented-name.js';
import { type BodyFields } from './read-form.js';

/** A body as the input of a GraphQL operation, and what was wrong with its single fields. */
export interface ReadVariables {
  input: Record<string, unknown>;
  faults: FieldFault[];
  /** Fields that are not documented; they are ignored with a warning (Contract 4.3.4). */
  unknownFields: string[];
}

/** Reads the body of a request. Values that are `given` come from elsewhere, and a body cannot set them. */
type VariablesReader = (body: BodyFields, given?: Record<string, unknown>) => ReadVariables;

/**
 * Makes a reader that turns documented request fields into a GraphQL input, by the types of the schema. What GraphQL
 * would refuse becomes a fault of its field, so that it is reported with all others and in its place (Contract 7.6).
 */
export function variablesReader(type: GraphQLInputObjectType): VariablesReader {
  const fields = Object.values(type.getFields());
  const byName = new Map(
    fields.map((field) => [
      documentedName(field.name),
      { key: field.name, type: getNullableType(field.type) },
    ]),
  );
  const required = fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name);

  return (body, given = {}) => {
    const read: ReadVariables = { input: {}, faults: [], unknownFields: [] };
    for (const [name, value] of Object.entries(mergeLists(body))) {
      const field = byName.get(name);
      if (!field || field.key in given) read.unknownFields.push(name);
      else readField(read, field.key, value, field.type);
    }
    // GraphQL requires these identifiers. If the body lacks one, it is sent empty, and the service reports it as
    // missing.
    for (const key of required) read.input[key] ??= '';
    Object.assign(read.input, given);
    return read;
  };
}

/** `key[]` is another spelling of a repeated `key` (Contract 4.2.11). */
function mergeLists(body: BodyFields): BodyFields {
  if (!Object.keys(body).some((name) => name.endsWith('[]'))) return body;
  const merged = new Map(Object.entries(body));
  for (const [name, value] of Object.entries(body)) {
    if (!name.endsWith('[]')) continue;
    const key = name.slice(0, -2);
    const before = merged.get(key);
    merged.set(key, [...(before === undefined ? [] : [before].flat()), ...[value].flat()]);
    merged.delete(name);
  }
  return Object.fromEntries(merged);
}

function readField(read: ReadVariables, key: string, value: unknown, type: GraphQLInputType): void {
  if (value === null) read.input[key] = null;
  else if (isListType(type)) {
    const values = Array.isArray(value) ? (value as unknown[]) : [value];
    if (values.every((element) => typeof element === 'string')) read.input[key] = values;
    else read.faults.push(fieldFault.mustBe(key, 'array-of-strings'));
  } else if (getNamedType(type).name === 'Upload') {
    if (value instanceof Upload) read.input[key] = value;
    else read.faults.push(fieldFault.mustBe(key, 'file'));
  } else if (typeof value !== 'string') read.faults.push(fieldFault.mustBe(key, 'string'));
  else if (!isEnumType(type)) read.input[key] = value;
  else {
    const choices = type.getValues().map((choice) => choice.name);
    if (choices.includes(value.trim())) read.input[key] = value.trim();
    else read.faults.push(fieldFault.oneOf(key, choices));
  }
}
