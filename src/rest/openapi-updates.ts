import {
  astFromValue,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  print,
} from 'graphql';
import { type FieldTable, isClearable, partsOf } from '../fields/fields.rules.js';
import { text } from '../fields/kinds.rules.js';
import { type ErrorCode } from '../errors/catalogue.js';
import { documentedName } from '../errors/documented-name.js';
import { type Method, ofUpdates, operations, type UpdatedRecord, type UpdateField } from '../operations.js';
import { capitalised, inputOf, rootField } from './envelope.js';
import {
  callHeaders,
  demoPath,
  deprecation,
  describeOperation,
  exampleForm,
  exampleReply,
  file,
  inPath,
  type Json,
  jsonBody,
  nullable,
  parametersOf,
  reference,
  response,
  singleJobHeaders,
} from './openapi-parts.js';
import { callErrors, errorResponses } from './openapi-schemas.js';
import { bodyFields, type BodyKind, bodyKinds, contentTypes, isUpload } from './read-body.js';
import { restSchema, updateOf } from './rest-schema.js';

const updateErrors: readonly ErrorCode[] = [
  ...callErrors,
  'company-not-found',
  'version-conflict',
  'validation-failed',
  'payload-too-large',
  'idempotency-key-reuse',
];

/** What a reply can have besides, by the record that the update changes. */
const replies: Record<UpdatedRecord, { errors: readonly ErrorCode[]; headers: readonly string[] }> = {
  company: { errors: ['company-already-existed'], headers: [] },
  job: {
    errors: ['job-not-found', 'not-found', 'company-not-published', 'state-transition-not-allowed'],
    headers: singleJobHeaders,
  },
};

export function updateOperations(schema: GraphQLSchema) {
  const asRest = restSchema(schema);
  const update = (field: UpdateField, method: Method): Json => {
    const { table, inQuery, success } = updateOf(field);
    const { record } = operations[field];
    const { errors, headers: ownHeaders } = replies[record];
    const input = inputOf(rootField(asRest, field));
    const kinds = bodyKinds(input);
    const named = inPath(field);
    const example = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const fields = exampleForm(example);
    const [verb = '', ...object] = field.split(/(?=[A-Z])/);
    const summary = `${capitalised(verb)} a ${object.join(' ').toLowerCase()}`;
    const headers = ['If-Match', 'Idempotency-Key', 'Prefer', 'Accept-Language'];
    return {
      ...describeOperation(schema, field, method, { summary }),
      parameters: parametersOf(field, ...(inQuery ? [inQuery] : []), ...headers),
      ...(input && {
        requestBody: requestBody(input, { table, kinds, omit: named.map(([name]) => name), example: fields }),
      }),
      responses: {
        [success]: response(
          `The whole ${record} after the update.`,
          jsonBody(reference('schemas', `${capitalised(record)}Envelope`), exampleReply(example)),
          ['ETag', ...ownHeaders, ...callHeaders, 'Idempotency-Replayed', 'Preference-Applied'],
        ),
        ...errorResponses([...updateErrors, ...errors], [...callHeaders, 'Preference-Applied']),
      },
      'x-codeSamples': [
        curl(method, demoPath(field), fields, 'form'),
        ...(kinds.includes('multipart') ? [curl(method, demoPath(field), fields, 'multipart')] : []),
        mutation(schema, field, table, {
          ...fields,
          ...Object.fromEntries(named.map(([name, id]) => [documentedName(name), id])),
        }),
      ],
    };
  };

  return ofUpdates((field) => (method: Method) => update(field, method));
}

/** The GraphQL sample: a mutation that makes the same update as the curl sample, with inline values. */
function mutation(
  schema: GraphQLSchema,
  name: UpdateField,
  table: FieldTable,
  fields: Record<string, string>,
): Json {
  const definition = rootField(schema, name);
  const type = inputOf(definition);
  const names = Object.keys(type?.getFields() ?? {});
  const lists = Object.entries(table).flatMap(([each, field]) =>
    field.kind.list ? [[field.kind.list.name, fields[documentedName(each)]?.split(';')]] : [],
  );
  const input = Object.fromEntries([
    ...names.map((each) => [each, fields[documentedName(each)]]),
    ...lists,
  ]) as object;
  const node = type && astFromValue(input, type);
  if (node?.kind !== Kind.OBJECT) throw new Error(`${name} takes no input`);
  const lines = [
    'mutation {',
    `  ${name}(`,
    '    input: {',
    ...node.fields.map((field) => `      ${print(field)}`),
    '    }',
    '  ) {',
    `    ${operations[name].record} { publicId name version }`,
    '    warnings { code field message }',
    '  }',
    '}',
  ];
  return { lang: 'GraphQL', label: `GraphQL, the mutation ${name}`, source: lines.join('\n') };
}

function curl(method: Method, path: string, fields: Record<string, string>, kind: 'form' | 'multipart') {
  const option = kind === 'form' ? '--data-urlencode' : '-F';
  const lines = [
    `curl -X ${method} "$BASE_URL${path}"`,
    '  -H "Authorization: Bearer $TOKEN"',
    ...Object.entries(fields).map(([name, value]) => `  ${option} '${name}=${value}'`),
    ...(kind === 'multipart' ? ["  -F 'logo=@logo.png'"] : []),
  ];
  return { lang: 'Shell', label: `curl, ${contentTypes[kind]}`, source: lines.join(' \\\n') };
}

/** Describes the body of an update. @param options.omit the fields in the URL path */
function requestBody(
  type: GraphQLInputObjectType,
  options: { table: FieldTable; kinds: readonly BodyKind[]; omit: readonly string[]; example: Json },
): Json {
  const fields = bodyFields(type, options.table);
  const inBody = fields.filter(({ name }) => !options.omit.includes(name));
  const spell = speller(fields, options.table);
  const required = inBody.filter(({ type: fieldType }) => isNonNullType(fieldType));
  const lists = inBody
    .filter(({ name }) => options.table[name]?.kind.isRepeated)
    .map(({ name }) => [documentedName(name), { style: 'form', explode: true }]);
  const content = options.kinds.map((kind) => [
    contentTypes[kind],
    {
      schema: {
        type: 'object',
        description: spell(type.description ?? ''),
        properties: Object.fromEntries(
          inBody
            .filter((field) => kind === 'multipart' || !isUpload(field.type))
            .map((field) => [
              documentedName(field.name),
              {
                ...fieldSchema(field, kind, options.table),
                ...deprecation(field),
                description: spell(field.description ?? ''),
              },
            ]),
        ),
        ...(required.length > 0 && { required: required.map(({ name }) => documentedName(name)) }),
      },
      // State OpenAPI's default, repeated keys: without it, some client generators join lists with commas.
      ...(kind === 'form' && lists.length > 0 && { encoding: Object.fromEntries(lists) as Json }),
      example: options.example,
    },
  ]);
  return { required: inBody.length > 0, content: Object.fromEntries(content) as Json };
}

/** Replaces GraphQL field names in a description with documented names. */
function speller(fields: ReturnType<typeof bodyFields>, table: FieldTable): (description: string) => string {
  const names = fields.flatMap(({ name, within }) => [name, ...(within ? [within.object] : [])]);
  const spelled = new Set(names.filter((name) => name !== documentedName(name)));
  const pattern = new RegExp(`\\b(${[...spelled].join('|')})\\b`, 'g');
  const spell = (name: string) => {
    const parts = partsOf(table, name).map((part) => documentedName(part.name));
    return parts.join(', ') || documentedName(name);
  };
  return (description) => description.replace(pattern, spell);
}

function fieldSchema(field: GraphQLInputField, kind: BodyKind, table: FieldTable): Json {
  if (isUpload(field.type)) return file;
  const described = table[field.name];
  // The table lacks the ids of the record, which are texts.
  const { json, form = json } = described?.kind ?? text;
  if (kind !== 'json') return form;
  return described && isClearable(described) ? nullable(json) : json;
}
