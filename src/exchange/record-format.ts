import { companyFields } from '../company/company-fields.rules.js';
import { type FieldTable } from '../content/fields.rules.js';
import { documentedName } from '../errors/documented-name.js';
import { jobFields } from '../job/job-fields.rules.js';
import { type Location } from '../job/location/location.js';
import { referenceKinds } from '../reference/reference.model.js';
import {
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
  urlTemplate,
} from './shape.js';

/** What a line of the file can be about, in the order in which an import takes them and an export gives them. */
export const recordKinds = ['media', 'reference', 'company', 'job'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** How a location is written, after Contract 2.2.2; the country is named by its code alone. */
const location = object(
  {
    address_nbr: nullable(freeText(50)),
    address: nullable(freeText(255)),
    city: freeText(255),
    administrative_area_department: freeText(255),
    administrative_area_region: freeText(255),
    zip_code: freeText(20),
    country: freeText(255),
    country_code: freeText(3),
  },
  [
    'address_nbr',
    'address',
    'city',
    'administrative_area_department',
    'administrative_area_region',
    'zip_code',
    'country',
    'country_code',
  ],
);
export type WrittenLocation = ReturnType<typeof location.read>;

/** Its keys, and where they stand in the record. */
export const locationPaths = {
  address_nbr: 'addressNbr',
  address: 'address',
  city: 'city',
  administrative_area_department: 'department',
  administrative_area_region: 'region',
  zip_code: 'zipCode',
  country_code: 'countryCode',
} as const satisfies Record<string, keyof Location>;

const membership = object({ media_public_id: publicId, is_published: flag, is_vme_page_published: flag }, [
  'is_published',
  'is_vme_page_published',
]);

const office = object({ id: recordId, public_id: publicId, name: localised }, ['id']);

const question = object(
  {
    _id: recordId,
    name: text(255),
    ref: text(100),
    ref_type: text(100),
    title: localised,
    placeholder: localised,
    is_required: flag,
  },
  ['_id', 'placeholder'],
);

/** An embedded file: its bytes in base64, and their SHA-256, without which they are taken for an upload. */
const logo = object({ sha256: text(64), base64: freeText(14_000_000) }, ['sha256']);

const readableId = { public_id: publicId };

/** What only an operator sets, by kind and by key. */
export const operatorFields = {
  media: { ...readableId, name: text(150), job_url_template: urlTemplate },
  reference: {
    type: choice(referenceKinds),
    ...readableId,
    id: recordId,
    name: localised,
    parent_public_id: nullable(publicId),
  },
  company: {
    ...readableId,
    id: recordId,
    brand: nullable(publicId),
    language: choice(['fr', 'en']),
    memberships: listOf(membership, 1_000),
    media_public_id: publicIds,
    is_published: flag,
    is_vme_page_published: flag,
    offices: listOf(office, 1_000),
    logo: nullable(logo),
    created_by: text(255),
  },
  job: {
    ...readableId,
    media_public_id: publicId,
    company_public_id: publicId,
    published_at: nullable(instant),
    office_id: nullable(text(150)),
    location: nullable(location),
    questions: listOf(question, 100),
    created_by: text(255),
  },
} as const satisfies Record<RecordKind, Record<string, Shape<unknown>>>;

type ValueOf<S> = S extends Shape<infer T> ? T : never;
/** What a line says of the fields that only an operator sets; a key left out is absent. */
export type OperatorValues<Kind extends RecordKind> = {
  -readonly [Key in keyof (typeof operatorFields)[Kind]]?: ValueOf<(typeof operatorFields)[Kind][Key]>;
};

/** The fields that callers set too, whose rules are those of an update. */
export const callerFields: Readonly<Record<RecordKind, FieldTable>> = {
  media: {},
  reference: {},
  company: companyFields,
  job: jobFields,
};

/** What identifies a record, and so must stand in every line; a new one needs more. */
export const identifying: Readonly<Record<RecordKind, readonly string[]>> = {
  media: ['public_id'],
  reference: ['type', 'public_id'],
  company: ['public_id'],
  job: ['public_id'],
};

/** What a record that is not there yet needs besides. */
export const neededWhenNew: Readonly<Record<RecordKind, readonly string[]>> = {
  media: ['name', 'job_url_template'],
  reference: ['name'],
  company: ['name'],
  job: ['name', 'media_public_id', 'company_public_id'],
};

/** The format as a JSON Schema of draft 2020-12: what one line holds. */
export function recordsSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A line of the file that npm run import reads and npm run export writes',
    description:
      'A key left out keeps the stored value, or takes the default in a new record; a new record needs the keys that its description names. null clears where it is allowed. Other keys are ignored with a warning.',
    oneOf: recordKinds.map((kind) => ({ $ref: `#/$defs/${kind}` })),
    $defs: Object.fromEntries(recordKinds.map((kind) => [kind, schemaOf(kind)])),
  };
}

function schemaOf(kind: RecordKind): JsonSchema {
  const callers = Object.entries(callerFields[kind]).map(([name, field]) => [
    documentedName(name),
    { ...schemaOfField(field), description: field.description },
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
  const types = field.isClearable ? ['string', 'null'] : 'string';
  if (field.type === 'emails') return { type: ['array', 'string', 'null'], items: { type: 'string' } };
  if (field.type === 'choice') return { enum: field.of };
  // The length of HTML counts once it is cleaned, that of ids in ids.
  return field.type === 'text' || field.type === 'url'
    ? { type: types, maxLength: field.maximum }
    : { type: types };
}
