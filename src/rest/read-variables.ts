import { getNamedType, type GraphQLInputObjectType, type GraphQLInputType, isNonNullType } from 'graphql';
import { Upload } from 'graphql-upload-minimal';
import { readGiven, type FieldTable, givenTypeOf } from '../content/fields.rules.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { documentedName } from '../errors/documented-name.js';
import { type BodyFields, type BodyKind } from './read-form.js';

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
  return takesFile ? ['form', 'multipart', 'json'] : ['form', 'json'];
};

/** Makes a reader of bodies. What GraphQL would refuse becomes a fault of its field, told with all others (Contract 7.6.3). */
export function variablesReader(
  type: GraphQLInputObjectType | undefined,
  table: FieldTable,
): VariablesReader {
  const fields = Object.values(type?.getFields() ?? {});
  const byName = new Map(
    fields.map(({ name: key, type: given }) => {
      const field = table[key];
      const as = isUpload(given) ? 'file' : givenTypeOf[field?.type ?? 'text'];
      const choices = field?.type === 'choice' && field.of;
      return [documentedName(key), { key, as, choices }] as const;
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
      const { key, as, choices } = field;
      const taken = value === null ? null : readers[as](value);
      if (taken === undefined) read.faults.push(fieldFault.mustBe(key, as));
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
