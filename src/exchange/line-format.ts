import { longestSubject } from '../access/token-claims.js';
import { companyFields } from '../company/company-fields.rules.js';
import { describe, type FieldTable, givenTypeOf } from '../content/fields.rules.js';
import { longestPublicId } from '../content/public-id.rules.js';
import { languages } from '../errors/catalogue.js';
import { documentedName } from '../errors/documented-name.js';
import { jobFields } from '../job/job-fields.rules.js';
import { mostMonths } from '../job/schema-org.rules.js';
import { referenceKinds } from '../content/reference-book.js';
import {
  base64,
  choice,
  flag,
  freeText,
  instant,
  type JsonSchema,
  listOf,
  localised,
  nullable,
  object,
  publicId,
  publicIds,
  recordId,
  type Shape,
  text,
  textOrCount,
  urlTemplate,
  type ValueOf,
} from './shape.js';

/** The kinds of record that a line can hold, in the order in which an import reads and an export writes them. */
export const recordKinds = ['media', 'reference', 'company', 'job'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** A location as Contract 2.2.2 shows it, but with a code for Kosovo: the code says which country it is, the name is ignored. */
const location = object(
  {
    addressNbr: nullable(freeText(50)),
    address: nullable(freeText(255)),
    city: freeText(255),
    department: freeText(255),
    region: freeText(255),
    zipCode: freeText(20),
    countryCode: freeText(3),
    country: freeText(255),
  },
  ['addressNbr', 'address', 'city', 'department', 'region', 'zipCode', 'countryCode', 'country'],
  { department: 'administrative_area_department', region: 'administrative_area_region' },
);

const membership = object(
  { media: publicId, isPublished: flag, isVmePagePublished: flag },
  ['isPublished', 'isVmePagePublished'],
  { media: 'media_public_id' },
);

const office = object({ _id: recordId, publicId, name: localised }, ['_id'], { _id: 'id' });

const question = object(
  {
    _id: recordId,
    name: text(255),
    ref: text(100),
    refType: text(100),
    title: localised,
    placeholder: localised,
    isRequired: flag,
  },
  ['_id', 'placeholder'],
);

/** An embedded file: its bytes in base64, and their SHA-256. A file without a hash is treated as an upload. */
const logo = object({ sha256: text(64), base64 }, ['sha256']);
export type EmbeddedLogo = ValueOf<typeof logo>;

/** Which values a reference of each kind takes says {@link schemaOrgValues}. */
const schemaOrg = textOrCount(100, mostMonths);

/** The keys that only an operator sets, by kind. */
export const operatorFields = {
  media: { public_id: publicId, name: text(150), job_url_template: urlTemplate },
  reference: {
    type: choice(referenceKinds),
    public_id: publicId,
    id: recordId,
    name: localised,
    parent_public_id: nullable(publicId),
    schema_org: nullable(schemaOrg),
  },
  company: {
    public_id: publicId,
    id: recordId,
    brand: nullable(publicId),
    language: choice(languages),
    memberships: listOf(membership, 1_000, ['media_public_id']),
    media_public_id: publicIds,
    is_published: flag,
    is_vme_page_published: flag,
    offices: listOf(office, 1_000, ['public_id', 'id']),
    logo: nullable(logo),
    created_by: text(longestSubject),
  },
  job: {
    public_id: publicId,
    media_public_id: publicId,
    company_public_id: publicId,
    published_at: nullable(instant),
    office_id: nullable(text(longestPublicId)),
    location: nullable(location),
    questions: listOf(question, 100, ['ref', '_id']),
    created_by: text(longestSubject),
  },
} as const satisfies Record<RecordKind, Record<string, Shape<unknown>>>;

/** The values that a line gives for the keys that only an operator sets. */
export type OperatorValues<Kind extends RecordKind> = {
  -readonly [Key in keyof (typeof operatorFields)[Kind]]?: ValueOf<(typeof operatorFields)[Kind][Key]>;
};

/** The fields that callers may write too. The rules of an update hold for them. */
export const callerFields: Readonly<Record<RecordKind, FieldTable>> = {
  media: {},
  reference: {},
  company: companyFields,
  job: jobFields,
};

/** The keys that identify a record. Every line must have them; a new record needs more. */
export const identifying: Readonly<Record<RecordKind, readonly string[]>> = {
  media: ['public_id'],
  reference: ['type', 'public_id'],
  company: ['public_id'],
  job: ['public_id'],
};

/** The keys that a new record needs besides. */
export const neededWhenNew: Readonly<Record<RecordKind, readonly string[]>> = {
  media: ['name', 'job_url_template'],
  reference: ['name'],
  company: ['name'],
  job: ['name', 'media_public_id', 'company_public_id'],
};

/** The format of one line as a JSON Schema of draft 2020-12. */
export function recordsSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A line of the file that npm run import reads and npm run export writes',
    description:
      'A key left out keeps the stored value, or takes the default in a new record; a new record needs the keys that its description names. null clears where it is allowed. Other keys are ignored with a warning. What a description says of calls does not hold here: a name is applied, and a state may follow any other.',
    oneOf: recordKinds.map((kind) => ({ $ref: `#/$defs/${kind}` })),
    $defs: Object.fromEntries(recordKinds.map((kind) => [kind, schemaOf(kind)])),
  };
}

function schemaOf(kind: RecordKind): JsonSchema {
  const callers = Object.entries(callerFields[kind]).map(([name, field]) => [
    documentedName(name),
    { ...schemaOfField(field), description: describe(field) },
  ]);
  const operators = Object.entries<Shape<unknown>>(operatorFields[kind]).map(([key, { schema }]) => [
    key,
    schema,
  ]);
  return {
    type: 'object',
    description: `New: ${[...identifying[kind], ...neededWhenNew[kind]].join(', ')}.`,
    properties: { kind: { const: kind }, ...Object.fromEntries(operators), ...Object.fromEntries(callers) },
    required: ['kind', ...identifying[kind]],
  };
}

function schemaOfField(field: FieldTable[string]): JsonSchema {
  if (field.type === 'choice') return { enum: field.of };
  const types = field.isClearable ? ['string', 'null'] : 'string';
  // The bounds of other types do not count the characters of the text: HTML is counted once it is cleaned, ids by number.
  const isCounted = field.type === 'text' || field.type === 'url';
  return {
    string: { type: types, ...(isCounted && { maxLength: field.maximum }) },
    'array-of-strings': { type: ['array', types].flat(), items: { type: 'string' } },
    decimal: { type: ['number', types].flat() },
  }[givenTypeOf[field.type]];
}
