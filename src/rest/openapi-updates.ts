import {
  astFromValue,
  type GraphQLSchema,
  Kind,
  print,
  getNamedType,
  type GraphQLInputField,
  isNonNullType,
} from 'graphql';
import { companyFields } from '../company/company-fields.rules.js';
import { type FieldTable, givenAs } from '../content/fields.rules.js';
import { type ErrorCode } from '../errors/catalogue.js';
import { documentedName } from '../errors/documented-name.js';
import { jobFields } from '../job/job-fields.rules.js';
import { rootField } from './documented.js';
import { errorResponses } from './openapi-schemas.js';
import { callHeaders, deprecation, type Json, jsonBody, reference, response } from './openapi-parts.js';
import { contentTypes, type BodyKind } from './read-form.js';
import { inputType } from './read-variables.js';

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

/** The body of an update from its GraphQL input (Contract 4.1.2, 4.2.2, 4.3.1). @param options.omit fields that are not in it */
function requestBody(
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
