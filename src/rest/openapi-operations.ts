import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  isNonNullType,
} from 'graphql';
import { existsSync, readFileSync } from 'node:fs';
import { type ErrorCode } from '../errors/catalogue.js';
import { snakeCase } from '../errors/snake-case.js';
import { type FieldTable, isClearable } from '../fields/fields.rules.js';
import { text } from '../fields/field-types.rules.js';
import {
  type DocumentedField,
  isCreation,
  type Method,
  type MutationField,
  mutationFields,
  operations,
} from '../operations.js';
import { largestPage } from '../paging/page.js';
import { capitalised, documentedReplies, inputOf, rootField } from './envelope.js';
import {
  callHeaders,
  deprecation,
  file,
  type Json,
  jsonBody,
  nullable,
  parametersOf,
  pathParameters,
  reference,
  response,
  singleJobHeaders,
} from './openapi-parts.js';
import { callErrors, errorResponses } from './openapi-schemas.js';
import { type QueryParameter, queryParameters } from './query-parameter.js';
import { bodyFields, type BodyFormat, bodyFormats, contentTypes, isUpload } from './read-body.js';
import { mutations, restSchema } from './rest-schema.js';

const examples = new URL('../../schema/examples/operations/', import.meta.url);

/** The name of the example of an operation, among the files of `schema/examples/operations`. */
export const exampleOf = (field: DocumentedField): string => snakeCase(field).replaceAll('_', '-');

/** The body of a request or a reply; empty for a reply that is not yet written. */
function bodyIn(file: string): string {
  const url = new URL(file, examples);
  const text = existsSync(url) ? readFileSync(url, 'utf8') : '';
  return text.split('\n\n').slice(1).join('\n\n');
}

const exampleForm = (name: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(bodyIn(`${name}.http`).replaceAll('\n', '')));

function exampleReply(name: string): unknown {
  const reply = bodyIn(`${name}.answer.http`) || '{}';
  const instant = '2026-01-05T09:00:00.000Z';
  return JSON.parse(
    reply.replaceAll('<instant>', instant).replaceAll('<gateway>', 'https://gateway.example'),
  );
}

const jobPosting = {
  schema: {
    type: 'object',
    additionalProperties: true,
    description: 'The `JobPosting` of schema.org, as Google documents it.',
  },
  example: exampleReply('get-job-posting'),
};

interface More {
  /** Default: the first part of the path. */
  tag?: string;
  headers?: readonly string[];
  /** Replies besides JSON, by content type. */
  others?: Json;
}

/** What the schema does not say of an operation. `errors`: besides those of every call, or of every mutation. */
const row = (summary: string, envelope: string, errors: readonly ErrorCode[], more: More = {}) => ({
  summary,
  envelope,
  errors,
  ...more,
});

const faulty = ['validation-failed'] as const;
const rows: Record<DocumentedField, ReturnType<typeof row>> = {
  company: row('Read a company', 'CompanyReadEnvelope', ['company-not-found', ...faulty]),
  job: row('Read a job', 'JobReadEnvelope', ['job-not-found', 'not-found'], {
    headers: singleJobHeaders,
    others: { 'application/ld+json': jobPosting },
  }),
  jobs: row('List jobs', 'JobsEnvelope', faulty, { headers: ['Link'] }),
  jobCounts: row('Count jobs by state', 'JobCountsEnvelope', faulty, { tag: 'jobs' }),
  changes: row('Follow changes', 'ChangesEnvelope', faulty),
  references: row('List the references of a kind', 'ReferencesEnvelope', ['not-found']),
  updateCompany: row('Update a company', 'CompanyEnvelope', ['version-conflict', 'company-already-existed']),
  updateJob: row(
    'Update a job',
    'JobEnvelope',
    [
      'version-conflict',
      'job-not-found',
      'not-found',
      'company-not-published',
      'state-transition-not-allowed',
    ],
    { headers: singleJobHeaders },
  ),
  createJob: row('Create a job', 'JobEnvelope', ['company-not-published', 'job-already-existed'], {
    headers: ['Location', ...singleJobHeaders],
  }),
};

const isMutation = (field: DocumentedField): field is MutationField =>
  (mutationFields as readonly string[]).includes(field);

/** Describes the methods of an operation's path. */
export const describeOperation = (schema: GraphQLSchema, field: DocumentedField, method: Method): Json => ({
  ...describeCall(schema, field, method),
  ...(isMutation(field) ? describeMutation(schema, field) : describeRead(schema, field)),
});

function describeCall(schema: GraphQLSchema, field: DocumentedField, method: Method): Json {
  const { type, rest } = operations[field];
  const definition = rootField(schema, field);
  const byMethod = `${method.toLowerCase()}${method === 'GET' ? capitalised(field) : documentedReplies[field].type}`;
  return {
    operationId: method !== 'GET' && method === rest.methods[0] ? field : byMethod,
    tags: [rows[field].tag ?? rest.path.split('/')[1]],
    summary: rows[field].summary,
    description: `${definition.description} Runs the GraphQL ${type} \`${field}\`.`,
    ...deprecation(definition),
    security: [{ bearer: [] }],
  };
}

function describeRead(schema: GraphQLSchema, field: DocumentedField): Json {
  const { envelope, headers = [], errors, others } = rows[field];
  const example = `get-${exampleOf(field)}`;
  const all = [...headers, 'Read-ETag', ...callHeaders];
  const body = jsonBody(reference('schemas', envelope), exampleReply(example));
  return {
    parameters: [
      ...queryParameters(schema, field).map(describeParameter),
      ...parametersOf(field, 'If-None-Match', 'Accept-Language'),
    ],
    responses: {
      200: response('The current state.', { ...body, ...others }, all),
      304: response('The caller has the current reply.', undefined, all),
      ...errorResponses([...callErrors, ...errors], callHeaders),
    },
  };
}

const demoQuery: Readonly<Record<string, string>> = {
  'media-public-id': 'demo-media',
  'company-public-id': 'acme',
  state: 'published',
  'contract-id': 'permanent',
  place: 'Île-de-France',
};

function describeParameter({ parameter: name, argument, format, isRepeatable }: QueryParameter): Json {
  const { schema } = format;
  const example = demoQuery[name];
  return {
    name,
    in: 'query',
    required: isNonNullType(argument.type),
    description: `${argument.description}${isRepeatable ? ' Can be repeated.' : ''}`,
    // OpenAPI's default, said for those that read it: without it, some clients join lists with commas.
    ...(isRepeatable && { style: 'form', explode: true }),
    schema: isRepeatable
      ? { type: 'array', items: schema, ...(!schema.enum && { maxItems: largestPage }) }
      : { ...schema, default: argument.defaultValue },
    ...(example && { example: isRepeatable ? [example] : example }),
  };
}

const mutationErrors: readonly ErrorCode[] = [
  ...callErrors,
  'company-not-found',
  'validation-failed',
  'payload-too-large',
  'idempotency-key-reuse',
];

function describeMutation(schema: GraphQLSchema, field: MutationField): Json {
  const { table, inQuery, success } = mutations[field];
  const row = rows[field];
  const input = inputOf(rootField(restSchema(schema), field));
  const kinds = bodyFormats(input);
  const example = exampleOf(field);
  const precondition = isCreation(field) ? [] : ['If-Match'];
  const names = [...precondition, 'Idempotency-Key', 'Prefer', 'Accept-Language'];
  return {
    parameters: parametersOf(field, ...(inQuery ? [inQuery] : []), ...names),
    ...(input && {
      requestBody: requestBody(input, {
        ...{ table, kinds, omit: pathParameters(field), example: exampleForm(example) },
      }),
    }),
    responses: {
      [success]: response(
        'The whole record after the call.',
        jsonBody(reference('schemas', row.envelope), exampleReply(example)),
        [
          ...['ETag', ...(row.headers ?? []), ...callHeaders],
          ...['Idempotency-Replayed', 'Preference-Applied'],
        ],
      ),
      ...errorResponses([...mutationErrors, ...row.errors], [...callHeaders, 'Preference-Applied']),
    },
  };
}

/** Describes the body of a mutation. @param options.omit the fields in the URL path */
function requestBody(
  type: GraphQLInputObjectType,
  options: { table: FieldTable; kinds: readonly BodyFormat[]; omit: readonly string[]; example: Json },
): Json {
  const fields = bodyFields(type, options.table);
  const inBody = fields.filter(({ name }) => !options.omit.includes(name));
  const required = inBody.filter(({ type: fieldType }) => isNonNullType(fieldType));
  const lists = inBody
    .filter(({ name }) => options.table[name]?.type.isRepeated)
    .map(({ name }) => [snakeCase(name), { style: 'form', explode: true }]);
  const content = options.kinds.map((kind) => [
    contentTypes[kind],
    {
      schema: {
        type: 'object',
        description: type.description,
        properties: Object.fromEntries(
          inBody
            .filter((field) => kind === 'multipart' || !isUpload(field.type))
            .map((field) => [
              snakeCase(field.name),
              {
                ...fieldSchema(field, kind, options.table),
                ...deprecation(field),
                description: field.description,
              },
            ]),
        ),
        ...(required.length > 0 && { required: required.map(({ name }) => snakeCase(name)) }),
      },
      // State OpenAPI's default, repeated keys: without it, some client generators join lists with commas.
      ...(kind === 'form' && lists.length > 0 && { encoding: Object.fromEntries(lists) as Json }),
      example: options.example,
    },
  ]);
  return { required: inBody.length > 0, content: Object.fromEntries(content) as Json };
}

function fieldSchema(field: GraphQLInputField, kind: BodyFormat, table: FieldTable): Json {
  if (isUpload(field.type)) return file;
  const described = table[field.name];
  // The table lacks the ids of the record, which are texts.
  const { json, form = json } = described?.type ?? text;
  if (kind !== 'json') return form;
  return described && isClearable(described) ? nullable(json) : json;
}
