import { type FastifyInstance } from 'fastify';
import { type GraphQLSchema } from 'graphql';
import { type DocumentedField, documentedFields, type Method, operations, roles } from '../operations.js';
import { type ErrorCode } from '../errors/catalogue.js';
import { documentedPath } from '../errors/documented-name.js';
import { buildSchema } from '../graphql/schema.js';
import { registerDocument } from '../http/document-route.js';
import { version } from '../settings/version.js';
import { envelopeSchemas, errorResponses, errorSchemas, fieldFaultSchema } from './openapi-schemas.js';
import {
  closedObject,
  file,
  headers,
  type Json,
  jsonBody,
  parameters,
  reference,
  response,
} from './openapi-parts.js';
import { readOperations } from './openapi-reads.js';
import { updateOperations } from './openapi-updates.js';

/**
 * The REST API as an OpenAPI 3.1 document, from the GraphQL schema, the envelopes and the error catalogue (Contract 11.2).
 * @param serverUrl where callers reach the gateway; default: the server that the document comes from
 */
export function printOpenApi(schema: GraphQLSchema = buildSchema(), serverUrl = '/'): string {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Recruitment gateway',
      version,
      summary: 'Reads and updates companies and job postings of recruitment sites.',
      description:
        'The REST paths. The contract at `/contract` has every rule. Each path runs a GraphQL operation, so both APIs share rules, errors and quotas; `/graphql` has more lists. Neither API creates or removes records: operators import them. Every error has the same three keys; `validation-failed` also has `errors`. A path that is not listed here is `not-found`.',
      contact: { name: 'The operators of this gateway' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'The gateway that serves this document.' }],
    tags: [
      { name: 'companies', description: 'Companies of a media.' },
      { name: 'jobs', description: 'Jobs of a company inside a media.' },
      { name: 'changes', description: 'What changed since a caller last asked.' },
      {
        name: 'references',
        description: 'Values that classify companies and jobs, such as kinds of contract.',
      },
      { name: 'operation', description: 'For operators and public pages, without a token.' },
    ],
    paths: { ...documentedPaths(schema), ...operationPaths },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `A token with the scope named at the operation and one of the roles ${roles.map((role) => `\`${role}\``).join(', ')}.`,
        },
      },
      parameters,
      headers,
      schemas: { ...envelopeSchemas(schema), FieldFault: fieldFaultSchema, ...errorSchemas() },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The documented operations by path and method, from `operations`. */
function documentedPaths(schema: GraphQLSchema): Record<string, Json> {
  const describe: Record<DocumentedField, (method: Method) => Json> = {
    ...readOperations(schema),
    ...updateOperations(schema),
  };
  const paths: Record<string, Json> = {};
  for (const field of documentedFields) {
    const { methods, path } = operations[field].rest;
    const described = (paths[documentedPath(path)] ??= {});
    for (const method of methods) described[method.toLowerCase()] = describe[field](method);
  }
  return paths;
}

const logoHeaders = ['Logo-ETag', 'Logo-Cache-Control'];
const documentHeaders = ['Document-ETag', 'Document-Cache-Control'];
const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

const readiness = (status: string): Json =>
  jsonBody(
    closedObject({
      status: { type: 'string', const: status, description: 'Whether all checks pass.' },
      checks: {
        type: 'object',
        description: 'Each check by name, and whether it passes.',
        additionalProperties: { type: 'boolean' },
      },
    }),
  );

/** A path that answers GET without a token. */
const open = ({ operationId, ...about }: Json, responses: Json, errors: readonly ErrorCode[] = []): Json => ({
  get: {
    operationId,
    tags: ['operation'],
    ...about,
    security: [],
    responses: { ...responses, ...errorResponses(errors) },
  },
});

const operationPaths: Json = {
  '/health': open(
    {
      operationId: 'getHealth',
      summary: 'Whether the process is up',
      description:
        'Answers as soon as the process listens. It does not check the database or other dependencies.',
    },
    {
      200: response(
        'The process is up.',
        jsonBody(closedObject({ status: { type: 'string', const: 'ok', description: 'Always `ok`.' } })),
      ),
    },
  ),
  '/ready': open(
    {
      operationId: 'getReadiness',
      summary: 'Whether the process can take requests',
      description: 'Checks the database and the other dependencies of the process.',
    },
    {
      200: response('Send requests.', readiness('ready')),
      503: response('Send no requests: a check fails, or the process is stopping.', readiness('not-ready')),
    },
  ),
  '/metrics': open(
    {
      operationId: 'getMetrics',
      summary: 'Metrics',
      description: 'Metrics of the process in the text format of Prometheus.',
    },
    {
      200: response('The metrics.', {
        'text/plain': { schema: { type: 'string', description: 'Text format of Prometheus.' } },
      }),
    },
    ['internal-error'],
  ),
  '/logos/{hash}': open(
    {
      operationId: 'getLogo',
      summary: 'A logo',
      description: 'A logo by the hash of its content. It never changes: cache it as long as you like.',
      parameters: [
        {
          name: 'hash',
          in: 'path',
          required: true,
          description: 'SHA-256 of the content, 64 hexadecimal digits.',
          schema: { type: 'string', pattern: '^[\\da-f]{64}$' },
        },
        reference('parameters', 'If-None-Match'),
      ],
    },
    {
      200: response(
        'The image.',
        Object.fromEntries(imageTypes.map((type) => [type, { schema: file }])),
        logoHeaders,
      ),
      304: response('The caller already has the logo.', undefined, logoHeaders),
    },
    ['not-found', 'internal-error', 'service-unavailable'],
  ),
  '/openapi.json': open(
    {
      operationId: 'getOpenApi',
      summary: 'This document',
      description: 'The REST API in OpenAPI 3.1.',
      parameters: [reference('parameters', 'If-None-Match')],
    },
    {
      200: response(
        'The document.',
        jsonBody({ type: 'object', additionalProperties: true, description: 'An OpenAPI 3.1 document.' }),
        documentHeaders,
      ),
      304: response('The caller already has the document.', undefined, documentHeaders),
    },
  ),
};

/** Serves the description of the REST API, without a token. */
export function registerOpenApiRoutes(app: FastifyInstance, schema: GraphQLSchema, url?: string): void {
  registerDocument(app, '/openapi.json', { text: printOpenApi(schema, url), type: 'application/json' });
}
