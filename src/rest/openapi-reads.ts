import { type GraphQLSchema, isEnumType } from 'graphql';
import { type Scope } from '../operations.js';
import { type ErrorCode } from '../errors/catalogue.js';
import { rootField } from './documented.js';
import { errorResponses } from './openapi-schemas.js';
import {
  callHeaders,
  deprecation,
  idParameter,
  type Json,
  jsonBody,
  reference,
  response,
} from './openapi-parts.js';

const readErrors: readonly ErrorCode[] = [
  'unauthorized-limitation',
  'method-not-allowed',
  'internal-error',
  'service-unavailable',
];

const readHeaders = ['Read-ETag', ...callHeaders];

interface Read {
  operationId: string;
  tags: string[];
  summary: string;
  /** With the ids of the demo. */
  path: string;
  document: string;
  scopes: Scope[];
  parameters: Json[];
  envelope: string;
  errors: readonly ErrorCode[];
}

/** The reads, each the GraphQL query that it is, with its curl (Contract 4.5). */
export function readPaths(schema: GraphQLSchema): Record<string, Json> {
  const read = (
    query: 'company' | 'job' | 'references',
    { path, document, scopes, parameters, envelope, errors, ...about }: Read,
  ): Json => {
    const field = rootField(schema, query);
    return {
      ...about,
      description: `${field.description} It is the GraphQL query \`${query}\`. HEAD answers the same without the body.`,
      ...deprecation(field),
      security: scopes.map((scope) => ({ bearer: [scope] })),
      parameters: [
        ...parameters,
        ...['If-None-Match', 'Accept-Language'].map((name) => reference('parameters', name)),
      ],
      responses: {
        200: response('As it stands now.', jsonBody(reference('schemas', envelope)), readHeaders),
        304: response('It is what the caller has already.', undefined, readHeaders),
        ...errorResponses([...readErrors, ...errors], callHeaders),
      },
      'x-codeSamples': [
        {
          lang: 'Shell',
          label: 'curl',
          source: `curl "$BASE_URL${path}" \\\n  -H "Authorization: Bearer $TOKEN"`,
        },
        { lang: 'GraphQL', label: `GraphQL, the query ${query}`, source: document },
      ],
    };
  };

  const kinds = schema.getType('ReferenceKind');
  if (!isEnumType(kinds)) throw new Error('the schema has no ReferenceKind');
  return {
    '/companies': {
      get: read('company', {
        operationId: 'getCompany',
        tags: ['companies'],
        summary: 'Read a company',
        path: '/companies?media-public-id=demo-media&company-public-id=acme',
        document: '{\n  company(mediaPublicId: "demo-media", publicId: "acme") { publicId name version }\n}',
        scopes: ['r_companies', 'r_w_companies'],
        parameters: [
          idParameter('query', 'media-public-id', 'Public id of the media.', 'demo-media'),
          idParameter('query', 'company-public-id', 'Public id of the company.', 'acme'),
        ],
        envelope: 'CompanyReadEnvelope',
        errors: ['company-not-found', 'validation-failed'],
      }),
    },
    '/jobs/{job_public_id}': {
      get: read('job', {
        operationId: 'getJob',
        tags: ['jobs'],
        summary: 'Read a job',
        path: '/jobs/acme-backend-engineer',
        document: '{\n  job(publicId: "acme-backend-engineer") { publicId name version }\n}',
        scopes: ['r_jobs', 'r_w_jobs'],
        parameters: [],
        envelope: 'JobReadEnvelope',
        errors: ['not-found'],
      }),
    },
    '/references/{kind}': {
      get: read('references', {
        operationId: 'getReferences',
        tags: ['references'],
        summary: 'Read the references of a kind',
        path: '/references/contract',
        document: '{\n  references(kind: contract) { id publicId name }\n}',
        scopes: ['r_jobs', 'r_w_jobs', 'r_companies', 'r_w_companies'],
        parameters: [
          idParameter('path', 'kind', 'What they classify.', 'contract', {
            enum: kinds.getValues().map(({ name }) => name),
          }),
        ],
        envelope: 'ReferencesEnvelope',
        errors: ['not-found'],
      }),
    },
  };
}
