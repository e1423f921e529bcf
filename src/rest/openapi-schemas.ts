import {
  getNamedType,
  getNullableType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
} from 'graphql';
import { type ScalarName } from '../fields/field-types.rules.js';
import { warningRows } from '../fields/warning.graphql.js';
import { warningMessages } from '../fields/warning.js';
import { referenceOrder } from '../reference/reference.rules.js';
import { catalogue, type ErrorCode, errorCodes } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/refusal.js';
import { fieldFault, typeNames } from '../errors/field-fault.js';
import { choicesOf, definedFields, documentedReplies, type Key, keysOf } from './envelope.js';
import { closedObject, deprecation, type Json, nullable, reference, response } from './openapi-parts.js';

/** The bodies of replies, described as in the GraphQL schema. */
export function envelopeSchemas(schema: GraphQLSchema): Json {
  return {
    Company: typeSchema(schema, 'Company', documentedReplies.updateCompany.keys),
    Job: typeSchema(schema, 'Job', documentedReplies.updateJob.keys),
    ReadJob: typeSchema(schema, 'Job', documentedReplies.job.keys),
    ListedJob: typeSchema(schema, 'Job', documentedReplies.jobs.keys),
    Warning: typeSchema(schema, 'Warning', keysOf('mutation', warningRows)),
    CompanyEnvelope: closedObject(companyKeys(201), { optional: warnings }),
    JobEnvelope: closedObject(jobKeys, { optional: warnings }),
    CompanyReadEnvelope: closedObject(companyKeys(200)),
    JobReadEnvelope: closedObject({ data: reference('schemas', 'ReadJob') }),
    JobsEnvelope: closedObject({
      data: listOf('ListedJob', 'The jobs of this page.'),
      after: cursor('Send it as `after` for the next page; null on the last page.'),
    }),
    JobCount: typeSchema(schema, 'JobCount', documentedReplies.jobCounts.keys),
    JobCountsEnvelope: closedObject({
      data: listOf('JobCount', 'The states that were asked for, or all.'),
    }),
    Change: typeSchema(schema, 'Change', documentedReplies.changes.keys),
    ChangesEnvelope: closedObject({
      data: listOf('Change', 'The changes of this page, oldest first.'),
      after: cursor('Send it as `after` for the next changes; null if there are none yet.'),
      more: { type: 'boolean', description: 'Whether more changes follow.' },
    }),
    Reference: typeSchema(schema, 'Reference', documentedReplies.references.keys),
    ReferencesEnvelope: closedObject({
      data: listOf('Reference', `All references of the kind. ${referenceOrder}`),
    }),
  };
}

const listOf = (name: string, description: string): Json => ({
  type: 'array',
  items: reference('schemas', name),
  description,
});

const cursor = (description: string): Json => ({ type: ['string', 'null'], description });

const statusSchema = (status: number): Json => ({
  type: 'integer',
  const: status,
  description: 'The HTTP status.',
});

const companyKeys = (status: number): Json => ({
  status: statusSchema(status),
  company: reference('schemas', 'Company'),
});

const jobKeys: Json = { data: reference('schemas', 'Job') };

const warnings: Json = {
  warnings: {
    type: 'array',
    minItems: 1,
    items: reference('schemas', 'Warning'),
    description: 'Values accepted but changed or not applied. Absent if there are none.',
  },
};

function typeSchema(schema: GraphQLSchema, name: string, keys: readonly Key[]): Json {
  return { description: schema.getType(name)?.description, ...objectSchema(schema, name, keys) };
}

function objectSchema(schema: GraphQLSchema, name: string, keys: readonly Key[]): Json {
  const fields = definedFields(schema, name, keys);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((each) => [each.as, keySchema(schema, each)])),
    required: fields.filter(({ ifNull }) => ifNull !== 'absent').map(({ as }) => as),
    additionalProperties: false,
  };
}

type DefinedField = ReturnType<typeof definedFields>[number];

function keySchema(schema: GraphQLSchema, { definition, isNullable, ifNull, keys }: DefinedField): Json {
  const { type, description } = definition;
  const one = keys ? objectSchema(schema, getNamedType(type).name, keys) : scalarSchema(type);
  const all = isListType(getNullableType(type)) ? { type: 'array', items: one } : one;
  return {
    ...(isNullable && !ifNull ? nullable(all) : all),
    ...deprecation(definition),
    // An unset text is null in GraphQL and empty in REST.
    description: ifNull === 'empty' ? description?.replace(/\bnull\b/g, '""') : description,
  };
}

function scalarSchema(type: GraphQLOutputType): Json {
  const named = getNamedType(type);
  // Later releases may add codes, so the list is not closed.
  if (named.name === 'WarningCode') return { type: 'string', examples: Object.keys(warningMessages) };
  if (isEnumType(named)) return { type: 'string', enum: choicesOf(named) };
  if (!(named.name in scalars)) throw new Error(`OpenAPI has no schema for ${named.name}: add it to scalars`);
  return scalars[named.name as ScalarName];
}

const scalars: Record<ScalarName, Json> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Decimal: { type: 'string' },
  Int: { type: 'integer' },
  Boolean: { type: 'boolean' },
  DateTimeISO: { type: 'string', format: 'date-time' },
};

const documentedErrorHeaders: Record<number, readonly string[]> = {
  401: ['Required-WWW-Authenticate'],
  405: ['Required-Allow'],
  412: ['Required-ETag'],
  415: ['Accept-Post', 'Accept-Patch'],
  429: ['Required-Retry-After'],
  503: ['Retry-After'],
};

/** The body of each error, by schema name. */
export const errorSchemas = (): Json =>
  Object.fromEntries(errorCodes.map((code) => [schemaName(code), errorSchema(code)]));

const ofFault = (description: string, more: Json = {}): Json => ({ type: 'string', ...more, description });

export const fieldFaultSchema = closedObject(
  {
    field: ofFault(
      'The field or header at fault. A header has its name in snake case: `idempotency_key` for `Idempotency-Key`. `cost`: the call costs more units than its quota ever has.',
    ),
    code: ofFault('Machine code: the field and what is wrong with it.', {
      pattern: `^(unknown-field|missing-[\\w-]+|[\\w-]+-(must-be-(${Object.keys(typeNames).join('|')})|format-error|too-long|not-found))$`,
    }),
    message: ofFault('Text for people, in the requested language.'),
  },
  {
    description: 'A fault of one field.',
    optional: {
      parameters: {
        ...{ type: 'object', additionalProperties: true },
        description:
          'The numbers, instants and choices that the message speaks of, such as `maximumLength`; absent if there are none.',
      },
    },
  },
);

/** Errors that any call with a token can get. */
export const callErrors: readonly ErrorCode[] = [
  'unauthorized-limitation',
  'method-not-allowed',
  'internal-error',
  'service-unavailable',
];

/** Errors that any request can get. */
const ofAnyRequest: readonly ErrorCode[] = [
  'body-format-error',
  'content-type-not-supported',
  'rate-limit-exceeded',
];

/** The error replies of an operation by status. @param besides headers of every error, whatever its status */
export function errorResponses(codes: readonly ErrorCode[], besides: readonly string[] = []): Json {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of [...codes, ...ofAnyRequest]) {
    const { status } = catalogue[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...statuses].map(([status, sharing]) => [String(status), errorResponse(status, sharing, besides)]),
  );
}

function errorResponse(status: number, codes: readonly ErrorCode[], besides: readonly string[]): Json {
  const schemas = codes.map((code) => reference('schemas', schemaName(code)));
  return response(
    codes.map((code) => `\`${code}\`: ${catalogue[code].message.en}`).join('\n\n'),
    {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
    [...(documentedErrorHeaders[status] ?? []), ...besides],
  );
}

const schemaName = (code: ErrorCode): string =>
  `${code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Body`;

function errorSchema(code: ErrorCode): Json {
  const { status, message } = catalogue[code];
  return closedObject(
    {
      status: statusSchema(status),
      error: { type: 'string', const: code, description: 'Machine code. It never changes.' },
      errorMessage: {
        type: 'string',
        description: 'Text for people, in the requested language.',
        examples: [...new Set(Object.values(message))],
      },
      ...(code === 'validation-failed' && {
        errors: {
          type: 'array',
          minItems: 1,
          items: reference('schemas', 'FieldFault'),
          description: 'Every fault of the request.',
        },
      }),
    },
    { description: message.en },
  );
}

function exampleOf(code: ErrorCode): object {
  const details =
    code === 'validation-failed' ? { faults: [fieldFault.mustBe('companyPublicId', 'string')] } : {};
  return toErrorBody(new DomainError(code, details), 'en');
}
