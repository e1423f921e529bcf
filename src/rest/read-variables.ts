import {
  getNamedType,
  getNullableType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isListType,
} from 'graphql';
import { Upload } from 'graphql-upload-minimal';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { inputName } from '../errors/input-name.js';
import { type BodyFields } from './read-form.js';

/** A body as the input of a GraphQL operation, and what was wrong with its single fields. */
export interface ReadVariables {
  input: Record<string, unknown>;
  faults: FieldFault[];
  /** Fields that are not documented; they are ignored with a warning (Contract 4.3.4). */
  unknownFields: string[];
}

/**
 * Reads documented request fields into a GraphQL input, by the types of the schema. What GraphQL would refuse becomes a
 * fault of the field, so that it is reported with all others, in its place (Contract 7.6).
 * @param given fields that come from elsewhere than the body: a body cannot set them
 */
export function readVariables(
  type: GraphQLInputObjectType,
  body: BodyFields,
  given: Record<string, unknown> = {},
): ReadVariables {
  const inputFields = type.getFields();
  const read: ReadVariables = { input: {}, faults: [], unknownFields: [] };
  for (const [name, value] of Object.entries(mergeLists(body))) {
    const key = inputName(name);
    const field = /^[a-z_]+$/.test(name) && !(key in given) ? inputFields[key] : undefined;
    if (!field) read.unknownFields.push(name);
    else readField(read, name, key, value, getNullableType(field.type));
  }
  // Identifiers that GraphQL requires but the body lacks: the service reports an empty one as missing.
  for (const { name, type: fieldType } of Object.values(inputFields)) {
    if (fieldType !== getNullableType(fieldType)) read.input[name] ??= '';
  }
  Object.assign(read.input, given);
  return read;
}

/** `key[]` is another spelling of a repeated `key` (Contract 4.2.11). */
function mergeLists(body: BodyFields): BodyFields {
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

function readField(
  read: ReadVariables,
  name: string,
  key: string,
  value: unknown,
  type: GraphQLInputType,
): void {
  if (value === null) read.input[key] = null;
  else if (isListType(type)) {
    const values = Array.isArray(value) ? (value as unknown[]) : [value];
    if (values.every((element) => typeof element === 'string')) read.input[key] = values;
    else read.faults.push(fieldFault.mustBe(name, 'array-of-strings'));
  } else if (getNamedType(type).name === 'Upload') {
    if (value instanceof Upload) read.input[key] = value;
    else read.faults.push(fieldFault.mustBe(name, 'file'));
  } else if (typeof value !== 'string') read.faults.push(fieldFault.mustBe(name, 'string'));
  else if (!isEnumType(type)) read.input[key] = value;
  else {
    const choices = type.getValues().map((choice) => choice.name);
    if (choices.includes(value.trim())) read.input[key] = value.trim();
    else {
      const list = choices.join(', ');
      read.faults.push(
        fieldFault.format(name, { en: `one of ${list}`, fr: `l’une de ces valeurs : ${list}` }),
      );
    }
  }
}
