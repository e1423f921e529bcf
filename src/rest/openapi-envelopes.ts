import {
  getNamedType,
  getNullableType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type companyEnvelope, type jobEnvelope } from './envelope.js';
import { type Json, reference } from './openapi-parts.js';

/** Where the meaning of a documented key stands in the GraphQL schema, and how REST differs from it. */
type Source<Value> = {
  /** `Type.field`. */
  of: string;
} & (null extends Value ? { isNullable: true } : { isNullable?: never }) &
  (undefined extends Value ? { isOptional: true } : { isOptional?: never }) &
  Nested<NonNullable<Value>>;

type Nested<Value> = Value extends readonly (infer Element)[]
  ? Nested<Element>
  : Value extends object
    ? { keys: Sources<Value> }
    : { keys?: never };

/** A source for each key of an envelope, so that a key without one does not compile. */
type Sources<Envelope> = { [Key in keyof Envelope]-?: Source<Envelope[Key]> };

interface AnySource {
  of: string;
  isNullable?: boolean;
  isOptional?: boolean;
  keys?: Record<string, AnySource>;
}

const companySources = {
  id: { of: 'Company.id' },
  name: { of: 'Company.name' },
  public_id: { of: 'Company.publicId' },
  size: { of: 'Company.size', isNullable: true },
  sectors: { of: 'Company.sectors' },
  content: {
    of: 'Company.content',
    keys: {
      visual: {
        of: 'CompanyContent.visual',
        keys: { logo: { of: 'CompanyVisual.logo', isNullable: true } },
      },
      description: { of: 'CompanyContent.description' },
      language: { of: 'CompanyContent.language' },
    },
  },
  is_published: { of: 'Company.isPublished' },
  is_vme_page_published: { of: 'Company.isVmePagePublished' },
} satisfies Sources<ReturnType<typeof companyEnvelope>>;

const named = { public_id: { of: 'Reference.publicId' }, name: { of: 'Reference.name' } };
const localised = { en: { of: 'LocalisedText.en' }, fr: { of: 'LocalisedText.fr' } };

const jobSources = {
  name: { of: 'Job.name' },
  public_id: { of: 'Job.publicId' },
  company: {
    of: 'Job.company',
    keys: { public_id: { of: 'JobCompany.publicId' }, name: { of: 'JobCompany.name' } },
  },
  worktime: { of: 'Job.worktime', isNullable: true, keys: named },
  remote: { of: 'Job.remote', isNullable: true, keys: named },
  education: { of: 'Job.education', isNullable: true, keys: named },
  experience: { of: 'Job.experience', isNullable: true, keys: named },
  contract: { of: 'Job.contract', isNullable: true, keys: named },
  office: { of: 'Job.office', isNullable: true, keys: named },
  location: {
    of: 'Job.location',
    keys: {
      address_nbr: { of: 'JobLocation.addressNbr', isNullable: true },
      address: { of: 'JobLocation.address', isNullable: true },
      city: { of: 'JobLocation.city' },
      administrative_area_department: { of: 'JobLocation.administrativeAreaDepartment' },
      administrative_area_region: { of: 'JobLocation.administrativeAreaRegion' },
      zip_code: { of: 'JobLocation.zipCode' },
      country: { of: 'JobLocation.country' },
      country_code: { of: 'JobLocation.countryCode' },
    },
  },
  salary: { of: 'Job.salary' },
  description: {
    of: 'Job.description',
    keys: {
      company_desc: { of: 'JobDescription.companyDesc' },
      job_desc: { of: 'JobDescription.jobDesc' },
      profile_desc: { of: 'JobDescription.profileDesc' },
      benefit_desc: { of: 'JobDescription.benefitDesc' },
      process_desc: { of: 'JobDescription.processDesc' },
    },
  },
  questions: {
    of: 'Job.questions',
    keys: {
      _id: { of: 'Question.id' },
      name: { of: 'Question.name' },
      ref: { of: 'Question.ref' },
      ref_type: { of: 'Question.refType' },
      title: { of: 'Question.title', keys: localised },
      placeholder: { of: 'Question.placeholder', isOptional: true, keys: localised },
      is_required: { of: 'Question.isRequired' },
    },
  },
  job_url: { of: 'Job.jobUrl' },
  apply_url: { of: 'Job.applyUrl' },
  publishedAt: { of: 'Job.publishedAt', isNullable: true },
  is_redirect_apply: { of: 'Job.isRedirectApply' },
} satisfies Sources<ReturnType<typeof jobEnvelope>>;

/** The documented company and job, described as in the GraphQL schema (Contract 2.1.1, 2.2.1). */
export function envelopeSchemas(schema: GraphQLSchema): Json {
  return {
    Company: { description: schema.getType('Company')?.description, ...objectSchema(schema, companySources) },
    Job: { description: schema.getType('Job')?.description, ...objectSchema(schema, jobSources) },
    Warning: outputSchema(schema, 'Warning'),
    CompanyEnvelope: envelope({
      status: { const: 201, description: 'The HTTP status.' },
      company: reference('schemas', 'Company'),
    }),
    JobEnvelope: envelope({ data: reference('schemas', 'Job') }),
  };
}

/** A type whose fields are single words, which REST spells as GraphQL does. */
function outputSchema(schema: GraphQLSchema, name: string): Json {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`the schema has no object ${name}`);
  const sources = Object.keys(type.getFields()).map((field) => [field, { of: `${name}.${field}` }]);
  return {
    description: type.description,
    ...objectSchema(schema, Object.fromEntries(sources) as Record<string, AnySource>),
  };
}

const envelope = (properties: Json): Json => ({
  type: 'object',
  properties: {
    ...properties,
    warnings: {
      type: 'array',
      minItems: 1,
      items: reference('schemas', 'Warning'),
      description: 'What was accepted but not applied, or was changed; there only when there is one.',
    },
  },
  required: Object.keys(properties),
  additionalProperties: false,
});

function objectSchema(schema: GraphQLSchema, sources: Record<string, AnySource>): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(sources).map(([key, source]) => [key, keySchema(schema, source)]),
    ),
    required: Object.keys(sources).filter((key) => !sources[key]?.isOptional),
    additionalProperties: false,
  };
}

function keySchema(schema: GraphQLSchema, { of, keys, isNullable = false }: AnySource): Json {
  const [typeName = '', fieldName = ''] = of.split('.');
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (!field) throw new Error(`the schema has no field ${of}`);
  // A text that was never set is null in GraphQL only (Contract 2.5.2).
  const isTextInRest = !isNonNullType(field.type) && !isNullable;
  const description = isTextInRest ? field.description?.replace(/\bnull\b/g, '""') : field.description;
  const one = keys ? objectSchema(schema, keys) : scalarSchema(field.type);
  const all = isListType(getNullableType(field.type)) ? { type: 'array', items: one } : one;
  return { ...all, ...(isNullable && { type: [all.type, 'null'] }), description };
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
