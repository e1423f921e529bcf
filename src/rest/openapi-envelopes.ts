import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  isListType,
} from 'graphql';
import { type WarningType } from '../content/warning.types.js';
import { type AnyDocumented, definedFields, type Documented } from './documented.js';
import { documentedCompany, documentedJob, listedReference } from './envelope.js';
import { closedObject, deprecation, type Json, reference } from './openapi-parts.js';

/** The documented company and job, described as in the GraphQL schema (Contract 2.1.1, 2.2.1). */
export function envelopeSchemas(schema: GraphQLSchema): Json {
  return {
    Company: typeSchema(schema, 'Company', documentedCompany),
    Job: typeSchema(schema, 'Job', documentedJob),
    Warning: typeSchema(schema, 'Warning', {
      code: { as: 'code' },
      field: { as: 'field' },
      message: { as: 'message' },
    } satisfies Documented<WarningType>),
    CompanyEnvelope: closedObject(companyKeys(201), { optional: warnings }),
    JobEnvelope: closedObject(jobKeys, { optional: warnings }),
    CompanyReadEnvelope: closedObject(companyKeys(200)),
    JobReadEnvelope: closedObject(jobKeys),
    Reference: typeSchema(schema, 'Reference', listedReference),
    ReferencesEnvelope: closedObject({
      data: {
        type: 'array',
        items: reference('schemas', 'Reference'),
        description: 'All of the kind, by public id.',
      },
    }),
  };
}

const companyKeys = (status: number): Json => ({
  status: { const: status, description: 'The HTTP status.' },
  company: reference('schemas', 'Company'),
});

const jobKeys: Json = { data: reference('schemas', 'Job') };

const warnings: Json = {
  warnings: {
    type: 'array',
    minItems: 1,
    items: reference('schemas', 'Warning'),
    description: 'What was accepted but not applied, or was changed; there only when there is one.',
  },
};

/** The documented keys of a GraphQL type, described as there. */
function typeSchema(schema: GraphQLSchema, name: string, documented: AnyDocumented): Json {
  return { description: schema.getType(name)?.description, ...objectSchema(schema, name, documented) };
}

function objectSchema(schema: GraphQLSchema, name: string, documented: AnyDocumented): Json {
  const shown = definedFields(schema, name, documented);
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((each) => [each.as, keySchema(schema, each.definition, each)])),
    required: shown.filter(({ ifNull }) => ifNull !== 'absent').map(({ as }) => as),
    additionalProperties: false,
  };
}

function keySchema(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
  { ifNull, fields }: { ifNull?: string; fields?: AnyDocumented },
): Json {
  const { type, description } = field;
  const one = fields ? objectSchema(schema, getNamedType(type).name, fields) : scalarSchema(type);
  const all = isListType(getNullableType(type)) ? { type: 'array', items: one } : one;
  return {
    ...all,
    ...(ifNull === 'null' && { type: [all.type, 'null'] }),
    ...deprecation(field),
    // A text that was never set is null in GraphQL only (Contract 2.5.2).
    description: ifNull === 'empty' ? description?.replace(/\bnull\b/g, '""') : description,
  };
}

function scalarSchema(type: GraphQLOutputType): Json {
  const { name } = getNamedType(type);
  switch (name) {
    case 'String':
    case 'ID':
      return { type: 'string' };
    case 'Boolean':
      return { type: 'boolean' };
    case 'DateTimeISO':
      return { type: 'string', format: 'date-time', pattern: '\\.\\d{3}Z$' };
    default:
      throw new Error(`REST has no spelling of ${name}`);
  }
}
