import { type FastifyInstance } from 'fastify';
import { type GraphQLSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { documentedFields, operations, roles } from '../operations.js';
import { type ErrorCode } from '../errors/catalogue.js';
import { documentedPath } from '../errors/snake-case.js';
import { buildSchema } from '../graphql/schema.js';
import { registerDocument } from '../http/document-route.js';
import { version } from '../settings/version.js';
import { envelopeSchemas, errorResponses, errorSchemas, fieldFaultSchema } from './openapi-schemas.js';
import { headers, type Json, parameters } from './openapi-parts.js';
import { describeOperation } from './openapi-operations.js';

/**
 * The REST API as an OpenAPI 3.1 document, from the GraphQL schema, the envelopes and the error catalogue.
 * @param serverUrl where callers reach the gateway; default: the server that the document comes from
 */
export function printOpenApi(schema: GraphQLSchema = buildSchema(), serverUrl = '/'): string {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Recruitment gateway',
      version,
      summary: 'Job postings of recruitment sites, and their companies.',
      description:
        'The REST paths. The contract at `/contract` has every rule. Each path runs a GraphQL operation, so both APIs share rules, errors and quotas; `/graphql` has more lists. Operators import companies, and remove records. Every error has the same three keys; `validation-failed` also has `errors`. A path that is not listed here is `not-found`.',
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
    paths: { ...documentedPaths(schema), ...openPaths() },
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
  const paths: Record<string, Json> = {};
  for (const field of documentedFields) {
    const { methods, path } = operations[field].rest;
    const described = (paths[documentedPath(path)] ??= {});
    for (const method of methods) described[method.toLowerCase()] = describeOperation(schema, field, method);
  }
  return paths;
}

/** The operations of paths that answer GET without a token, as `schema/open-paths.json` describes them, with their errors. */
function openPaths(): Record<string, Json> {
  const text = readFileSync(new URL('../../schema/open-paths.json', import.meta.url), 'utf8');
  const operations = JSON.parse(text) as Record<string, { responses: Json }>;
  return Object.fromEntries(
    Object.entries(operations).map(([path, { responses, ...about }]) => [
      path,
      { get: { ...about, responses: { ...responses, ...errorResponses(openErrors[path] ?? []) } } },
    ]),
  );
}

const openErrors: Record<string, readonly ErrorCode[]> = {
  '/metrics': ['internal-error'],
  '/logos/{hash}': ['not-found', 'internal-error', 'service-unavailable'],
};

/** Serves the description of the REST API, without a token. */
export function registerOpenApiRoutes(app: FastifyInstance, schema: GraphQLSchema, url?: string): void {
  registerDocument(app, '/openapi.json', { text: printOpenApi(schema, url), type: 'application/json' });
}
