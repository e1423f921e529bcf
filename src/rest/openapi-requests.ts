import { getNamedType, type GraphQLInputField, type GraphQLSchema, isNonNullType } from 'graphql';
import { type FieldTable, givenAs } from '../content/fields.rules.js';
import { documentedName } from '../errors/documented-name.js';
import { deprecation, type Json } from './openapi-parts.js';
import { type BodyKind, contentTypes } from './read-form.js';
import { inputType } from './read-variables.js';

/** The body of an update from its GraphQL input (Contract 4.1.2, 4.2.2, 4.3.1). @param options.omit fields that are not in it */
export function requestBody(
  schema: GraphQLSchema,
  inputName: string,
  options: { table: FieldTable; kinds: readonly BodyKind[]; omit: readonly string[]; example: Json },
): Json {
  const type = inputType(schema, inputName);
  const fields = Object.values(type.getFields());
  const inBody = fields.filter(({ name }) => !options.omit.includes(name));
  const spell = speller(fields);
  const required = inBody.filter(({ type: fieldType }) => isNonNullType(fieldType));
  const lists = inBody
    .filter(({ name }) => options.table[name]?.type === 'emails')
    .map(({ name }) => [documentedName(name), { style: 'form', explode: true }]);
  const content = options.kinds.map((kind) => [
    contentTypes[kind],
    {
      schema: {
        type: 'object',
        description: spell(type.description ?? ''),
        properties: Object.fromEntries(
          inBody
            .filter((field) => kind === 'multipart' || !isUpload(field))
            .map((field) => [
              documentedName(field.name),
              {
                ...fieldSchema(field, kind, options.table),
                ...deprecation(field),
                description: spell(field.description ?? ''),
              },
            ]),
        ),
        required: required.map(({ name }) => documentedName(name)),
      },
      // It is the default, but some clients have another one, and would join a list by commas (Contract 4.2.11.1).
      ...(kind === 'form' && lists.length > 0 && { encoding: Object.fromEntries(lists) as Json }),
      example: options.example,
    },
  ]);
  return { required: true, content: Object.fromEntries(content) as Json };
}

/** Descriptions speak of fields as GraphQL spells them. */
function speller(fields: readonly GraphQLInputField[]): (description: string) => string {
  const names = fields.map(({ name }) => name).filter((name) => name !== documentedName(name));
  const pattern = new RegExp(`\\b(${names.join('|')})\\b`, 'g');
  return (description) => description.replace(pattern, documentedName);
}

const isUpload = ({ type }: GraphQLInputField): boolean => getNamedType(type).name === 'Upload';

function fieldSchema(field: GraphQLInputField, kind: BodyKind, table: FieldTable): Json {
  if (isUpload(field)) return { type: 'string', contentMediaType: 'application/octet-stream' };
  const described = table[field.name];
  if (described?.type === 'choice') return { type: 'string', enum: described.of };
  const orNull = (type: string) => (kind === 'json' && described?.isClearable ? [type, 'null'] : type);
  const list = { type: orNull('array'), items: { type: 'string' } };
  // What identifies a record stands in no table, and is a text.
  return {
    string: { type: orNull('string') },
    'array-of-strings': { anyOf: [list, { type: 'string', description: 'Several, separated by `;`.' }] },
  }[givenAs[described?.type ?? 'text']];
}
