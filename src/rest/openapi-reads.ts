import { type GraphQLSchema, isNonNullType } from 'graphql';
import { largestPage } from '../paging/page.js';
import { type ErrorCode } from '../errors/catalogue.js';
import { type DocumentedField } from '../operations.js';
import { callErrors, errorResponses } from './openapi-schemas.js';
import { type QueryParameter, queryParameters } from './query-parameter.js';
import {
  callHeaders,
  demoPath,
  describeOperation,
  exampleReply,
  type Json,
  jsonBody,
  parametersOf,
  reference,
  response,
  singleJobHeaders,
} from './openapi-parts.js';

const remark = ' HEAD returns the same headers without the body.';

const readHeaders = ['Read-ETag', ...callHeaders];

const demoQuery: Readonly<Record<string, string>> = {
  'media-public-id': 'demo-media',
  'company-public-id': 'acme',
  state: 'published',
};

function parameterSchema({ argument, format: { schema }, isRepeatable }: QueryParameter): Json {
  if (!isRepeatable) return { ...schema, default: argument.defaultValue };
  return { type: 'array', items: schema, ...(!schema.enum && { maxItems: largestPage }) };
}

/** Parameters of one value where GraphQL takes a list. */
const singular: Readonly<Record<string, string>> = {
  'company-public-id': 'Only jobs of the company with this public id.',
};

function describeParameter(parameter: QueryParameter): Json {
  const { parameter: name, argument, isInFilter, isRepeatable } = parameter;
  const described = (isInFilter && singular[name]) || argument.description;
  const example = demoQuery[name];
  const other = name.replaceAll('-', '_');
  const also = other === name ? '' : ` Also accepted as \`${other}\`.`;
  return {
    name,
    in: 'query',
    required: isNonNullType(argument.type),
    description: `${described}${isRepeatable ? ' Can be repeated.' : ''}${also}`,
    // OpenAPI's default, said for those that read it: without it, some clients join lists with commas.
    ...(isRepeatable && { style: 'form', explode: true }),
    schema: parameterSchema(parameter),
    ...(example && { example: isRepeatable ? [example] : example }),
  };
}

interface ReadPath {
  summary: string;
  /** For the curl sample. */
  query?: string;
  document: string;
  headers?: readonly string[];
  envelope: string;
  /** Bodies besides JSON, by content type. */
  others?: Json;
  errors: readonly ErrorCode[];
}

const describeRead = (
  schema: GraphQLSchema,
  field: DocumentedField,
  { summary, query = '', document, headers = [], envelope, others, errors }: ReadPath,
): Json => ({
  ...describeOperation(schema, field, 'GET', { summary, remark }),
  parameters: [
    ...queryParameters(schema, field).map(describeParameter),
    ...parametersOf(field, 'If-None-Match', 'Accept-Language'),
  ],
  responses: {
    200: response(
      'The current state.',
      { ...jsonBody(reference('schemas', envelope), exampleReply(`get-${field}`)), ...others },
      [...headers, ...readHeaders],
    ),
    304: response('The caller has the current reply.', undefined, [...headers, ...readHeaders]),
    ...errorResponses([...callErrors, ...errors], callHeaders),
  },
  'x-codeSamples': [
    {
      lang: 'Shell',
      label: 'curl',
      source: `curl "$BASE_URL${demoPath(field)}${query}" \\\n  -H "Authorization: Bearer $TOKEN"`,
    },
    { lang: 'GraphQL', label: `GraphQL, the query ${field}`, source: document },
  ],
});

export function readOperations(schema: GraphQLSchema) {
  const read = (field: DocumentedField, path: ReadPath) => describeRead(schema, field, path);
  return {
    company: () =>
      read('company', {
        summary: 'Read a company',
        query: '?media-public-id=demo-media&company-public-id=acme',
        document: '{\n  company(mediaPublicId: "demo-media", publicId: "acme") { publicId name version }\n}',
        envelope: 'CompanyReadEnvelope',
        errors: ['company-not-found', 'validation-failed'],
      }),
    job: () =>
      read('job', {
        summary: 'Read a job',
        document: '{\n  job(publicId: "acme-backend-engineer") { publicId name version }\n}',
        headers: singleJobHeaders,
        envelope: 'JobReadEnvelope',
        others: {
          'application/ld+json': {
            schema: {
              type: 'object',
              additionalProperties: true,
              description: 'The `JobPosting` of schema.org, as Google documents it.',
            },
            example: exampleReply('get-job-posting'),
          },
        },
        errors: ['job-not-found', 'not-found'],
      }),
    jobs: () =>
      read('jobs', {
        summary: 'List jobs',
        query: '?media-public-id=demo-media&state=published',
        document:
          '{\n  jobs(mediaPublicId: "demo-media", filter: { states: [published] }) {\n    edges { node { publicId name version } }\n  }\n}',
        headers: ['Link'],
        envelope: 'JobsEnvelope',
        errors: ['validation-failed'],
      }),
    changes: () =>
      read('changes', {
        summary: 'Follow changes',
        query: '?media-public-id=demo-media',
        document:
          '{\n  changes(mediaPublicId: "demo-media") {\n    edges { node { kind publicId version state } }\n    pageInfo { endCursor hasNextPage }\n  }\n}',
        envelope: 'ChangesEnvelope',
        errors: ['validation-failed'],
      }),
    references: () =>
      read('references', {
        summary: 'List the references of a kind',
        document: '{\n  references(kind: contract) { id publicId name }\n}',
        envelope: 'ReferencesEnvelope',
        errors: ['not-found'],
      }),
  };
}
