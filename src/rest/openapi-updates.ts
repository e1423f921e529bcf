import { astFromValue, type GraphQLSchema, Kind, print } from 'graphql';
import { type ErrorCode } from '../errors/catalogue.js';
import { companyFields } from '../company/company-fields.rules.js';
import { documentedName } from '../errors/documented-name.js';
import { jobFields } from '../job/job-fields.rules.js';
import { rootField } from './documented.js';
import { errorResponses } from './openapi-errors.js';
import { callHeaders, deprecation, type Json, jsonBody, reference, response } from './openapi-parts.js';
import { requestBody } from './openapi-requests.js';
import { contentTypes } from './read-form.js';

const updateErrors: readonly ErrorCode[] = [
  'unauthorized-limitation',
  'company-not-found',
  'version-conflict',
  'validation-failed',
  'idempotency-key-reuse',
  'method-not-allowed',
  'payload-too-large',
  'internal-error',
  'service-unavailable',
];

const successHeaders = ['ETag', ...callHeaders, 'Idempotency-Replayed', 'Preference-Applied'];
/** Headers that the refusal of an update may have. */
const refusalHeaders = [...callHeaders, 'Preference-Applied'];

const updateParameters = ['If-Match', 'Idempotency-Key', 'Prefer', 'Accept-Language'];

// As GraphQL spells them; REST translates.
const companyExample = {
  mediaPublicId: 'demo-media',
  companyPublicId: 'acme',
  description: '<p>We make everything.</p>',
};
const jobExample = {
  mediaPublicId: 'demo-media',
  companyPublicId: 'acme',
  state: 'published',
  salary: '45 000 €',
  localisation: 'Lyon, Rhône, France',
};

/** The two updates, each the GraphQL mutation that it is, with its curl (Contract 4.1.1, 4.2.1). */
export function updatePaths(schema: GraphQLSchema): Record<string, Json> {
  const job = (method: 'POST' | 'PATCH', operationId: string, about: string): Json => ({
    operationId,
    tags: ['jobs'],
    summary: 'Update a job',
    description: `${mutationDescription(schema, 'updateJob')}\n\n${about}`,
    ...deprecation(rootField(schema, 'updateJob')),
    security: [{ bearer: ['r_w_jobs'] }],
    parameters: updateParameters.map((name) => reference('parameters', name)),
    requestBody: requestBody(schema, 'UpdateJobInput', {
      table: jobFields,
      kinds: ['form', 'json'],
      omit: ['jobPublicId'],
      example: documented(jobExample),
    }),
    responses: {
      200: response(
        'The whole job after the update.',
        jsonBody(reference('schemas', 'JobEnvelope')),
        successHeaders,
      ),
      ...errorResponses(
        [
          ...updateErrors,
          'job-not-found',
          'not-found',
          'company-not-published',
          'state-transition-not-allowed',
        ],
        refusalHeaders,
      ),
    },
    'x-codeSamples': [
      curl(method, '/jobs/acme-backend-engineer', documented(jobExample)),
      mutation(schema, 'updateJob', { ...jobExample, jobPublicId: 'acme-backend-engineer' }),
    ],
  });

  return {
    '/companies': {
      patch: {
        operationId: 'updateCompany',
        tags: ['companies'],
        summary: 'Update a company',
        description: mutationDescription(schema, 'updateCompany'),
        ...deprecation(rootField(schema, 'updateCompany')),
        security: [{ bearer: ['r_w_companies'] }],
        parameters: ['company-public-id', ...updateParameters].map((name) => reference('parameters', name)),
        requestBody: requestBody(schema, 'UpdateCompanyInput', {
          table: companyFields,
          kinds: ['form', 'multipart', 'json'],
          omit: [],
          example: documented(companyExample),
        }),
        responses: {
          201: response(
            'The whole company after the update.',
            jsonBody(reference('schemas', 'CompanyEnvelope')),
            successHeaders,
          ),
          ...errorResponses([...updateErrors, 'company-already-existed'], refusalHeaders),
        },
        'x-codeSamples': [
          curl('PATCH', '/companies', documented(companyExample)),
          curl('PATCH', '/companies', documented(companyExample), ['-F', 'logo=@logo.png']),
          mutation(schema, 'updateCompany', companyExample),
        ],
      },
    },
    '/jobs/{job_public_id}': {
      parameters: [reference('parameters', 'job_public_id')],
      post: job('POST', 'updateJob', 'POST is the documented method; PATCH does the same.'),
      patch: job('PATCH', 'patchJob', 'The same as POST.'),
    },
  };
}

const mutationDescription = (schema: GraphQLSchema, name: string): string =>
  `${rootField(schema, name).description} It is the GraphQL mutation \`${name}\`.`;

const documented = (input: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [documentedName(name), value]));

/** The mutation that does what the command does, in a document that needs no variables. */
function mutation(
  schema: GraphQLSchema,
  name: 'updateCompany' | 'updateJob',
  input: Record<string, string>,
): Json {
  const type = rootField(schema, name).args.find((argument) => argument.name === 'input')?.type;
  const node = type && astFromValue(input, type);
  if (node?.kind !== Kind.OBJECT) throw new Error(`${name} takes no input`);
  const record = name === 'updateJob' ? 'job' : 'company';
  const lines = [
    'mutation {',
    `  ${name}(`,
    '    input: {',
    ...node.fields.map((field) => `      ${print(field)}`),
    '    }',
    '  ) {',
    `    ${record} { publicId name version }`,
    '    warnings { code field message }',
    '  }',
    '}',
  ];
  return { lang: 'GraphQL', label: `GraphQL, the mutation ${name}`, source: lines.join('\n') };
}

/** A command that updates the demo data; with a file its fields become parts of a multipart body. */
function curl(method: string, path: string, fields: Record<string, string>, file: string[] = []): Json {
  const isMultipart = file.length > 0;
  const given = Object.entries(fields).flatMap(([name, value]) => [
    isMultipart ? '-F' : '--data-urlencode',
    `${name}=${value}`,
  ]);
  const options = ['-H', 'Authorization: Bearer $TOKEN', ...given, ...file];
  const lines = options.flatMap((option, index) => {
    const value = options[index + 1] ?? '';
    const quote = value.includes('$TOKEN') ? '"' : "'";
    return index % 2 === 0 ? [`  ${option} ${quote}${value}${quote}`] : [];
  });
  return {
    lang: 'Shell',
    label: `curl, ${contentTypes[isMultipart ? 'multipart' : 'form']}`,
    source: [`curl -X ${method} "$BASE_URL${path}"`, ...lines].join(' \\\n'),
  };
}
