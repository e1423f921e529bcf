import { type GraphQLSchema } from 'graphql';
import { type ErrorCode } from '../errors/catalogue.js';
import { documentedName } from '../errors/documented-name.js';
import { type DocumentedField } from '../operations.js';
import { errorResponses } from './openapi-schemas.js';
import {
  callHeaders,
  demoPath,
  describeOperation,
  exampleReply,
  idParameter,
  inPath,
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
  summary: string;
  /** What its sample asks after the path. */
  query?: string;
  document: string;
  parameters?: Json[];
  envelope: string;
  errors: readonly ErrorCode[];
}

/** The reads, each the GraphQL query that it is, with its curl (Contract 4.5). */
export function readOperations(schema: GraphQLSchema) {
  const read = (
    field: DocumentedField,
    { summary, query = '', document, parameters = [], envelope, errors }: Read,
  ): Json => ({
    ...describeOperation(schema, field, 'GET', {
      summary,
      remark: ' HEAD answers the same without the body.',
    }),
    parameters: [
      ...parameters,
      ...[...inPath(field).map(([name]) => documentedName(name)), 'If-None-Match', 'Accept-Language'].map(
        (name) => reference('parameters', name),
      ),
    ],
    responses: {
      200: response(
        'As it stands now.',
        jsonBody(reference('schemas', envelope), exampleReply(`get-${field}`)),
        readHeaders,
      ),
      304: response('It is what the caller has already.', undefined, readHeaders),
      ...errorResponses([...readErrors, ...errors], callHeaders),
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

  return {
    company: () =>
      read('company', {
        summary: 'Read a company',
        query: '?media-public-id=demo-media&company-public-id=acme',
        document: '{\n  company(mediaPublicId: "demo-media", publicId: "acme") { publicId name version }\n}',
        parameters: [
          idParameter(
            'query',
            'media-public-id',
            'Public id of the media, also taken as `media_public_id`.',
            'demo-media',
          ),
          idParameter(
            'query',
            'company-public-id',
            'Public id of the company, also taken as `company_public_id`.',
            'acme',
          ),
        ],
        envelope: 'CompanyReadEnvelope',
        errors: ['company-not-found', 'validation-failed'],
      }),
    job: () =>
      read('job', {
        summary: 'Read a job',
        document: '{\n  job(publicId: "acme-backend-engineer") { publicId name version }\n}',
        envelope: 'JobReadEnvelope',
        errors: ['not-found'],
      }),
    references: () =>
      read('references', {
        summary: 'Read the references of a kind',
        document: '{\n  references(kind: contract) { id publicId name }\n}',
        envelope: 'ReferencesEnvelope',
        errors: ['not-found'],
      }),
  };
}
