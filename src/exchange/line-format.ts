import { longestSubject } from '../tokens/token-claims.js';
import { companyFields } from '../company/company-fields.rules.js';
import { describe, type WritableField, type FieldTable, isClearable } from '../fields/fields.rules.js';
import { languages } from '../errors/catalogue.js';
import { snakeCase } from '../errors/snake-case.js';
import { type JsonSchema } from '../fields/field-types.rules.js';
import { jobFields } from '../job/job-fields.rules.js';
import { mostMonths } from '../job/schema-org.rules.js';
import { referenceKinds } from '../fields/reference-snapshot.js';
import {
  base64,
  choice,
  count,
  flag,
  freeText,
  instant,
  listOf,
  localised,
  longestPublicId,
  nullable,
  object,
  publicId,
  publicIds,
  recordId,
  type Codec,
  text,
  textOrCount,
  urlTemplate,
  type ValueOf,
} from './codec.js';

/** In the order that imports read and exports write them. */
export const recordKinds = ['media', 'reference', 'company', 'job'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** As in replies, but Kosovo has a code. The code identifies the country; the name is ignored. */
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

/** Without a hash, the file is treated as an upload. */
const logo = object({ sha256: text(64), base64 }, ['sha256']);
export type EmbeddedLogo = ValueOf<typeof logo>;

/** {@link schemaOrgValues} lists the values that each kind of reference accepts. */
const schemaOrg = textOrCount(100, mostMonths);

/** The place of a reference in the list of its kind. */
const rank = count(999_999);

/** The most elements that an import accepts. */
const longestLists = { memberships: 1_000, offices: 1_000, questions: 100 };

/** Keys that only an operator may set. */
export const operatorFields = {
  media: { public_id: publicId, name: text(150), job_url_template: urlTemplate },
  reference: {
    type: choice(referenceKinds),
    public_id: publicId,
    id: recordId,
    name: localised,
    parent_public_id: nullable(publicId),
    schema_org: nullable(schemaOrg),
    rank: nullable(rank),
  },
  company: {
    public_id: publicId,
    id: recordId,
    brand: nullable(publicId),
    language: choice(languages),
    memberships: listOf(membership, longestLists.memberships, ['media_public_id']),
    media_public_id: publicIds,
    is_published: flag,
    is_vme_page_published: flag,
    offices: listOf(office, longestLists.offices, ['public_id', 'id']),
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
    questions: listOf(question, longestLists.questions, ['ref', '_id']),
    created_by: text(longestSubject),
  },
} as const satisfies Record<RecordKind, Record<string, Codec<unknown>>>;

export type OperatorValues<Kind extends RecordKind> = {
  -readonly [Key in keyof (typeof operatorFields)[Kind]]?: ValueOf<(typeof operatorFields)[Kind][Key]>;
};

/** Fields that callers may write too, under the rules of an update. */
export const callerFields: Readonly<Record<RecordKind, FieldTable>> = {
  media: {},
  reference: {},
  company: companyFields,
  job: jobFields,
};

/** The keys that each line needs, and those that a new record needs too. */
export const neededKeys: Readonly<
  Record<RecordKind, { always: readonly string[]; whenNew: readonly string[] }>
> = {
  media: { always: ['public_id'], whenNew: ['name', 'job_url_template'] },
  reference: { always: ['type', 'public_id'], whenNew: ['name'] },
  company: { always: ['public_id'], whenNew: ['name'] },
  job: { always: ['public_id'], whenNew: ['name', 'media_public_id', 'company_public_id'] },
};

export function recordsSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A line of the file that npm run import reads and npm run export writes',
    description:
      'If a line omits a key, the stored value stays, and a new record gets the default. Null clears a value where null is allowed. Unknown keys are ignored with a warning. Rules for calls in some descriptions do not apply to imports: an import applies a new name, and any state may follow any other.',
    oneOf: recordKinds.map((kind) => ({ $ref: `#/$defs/${kind}` })),
    $defs: Object.fromEntries(recordKinds.map((kind) => [kind, schemaOf(kind)])),
  };
}

function schemaOf(kind: RecordKind): JsonSchema {
  const callers = Object.entries(callerFields[kind]).map(([name, field]) => [
    snakeCase(name),
    { ...schemaOfField(field), description: describe(field) },
  ]);
  const codecs: Record<string, Codec<unknown>> = operatorFields[kind];
  const operators = Object.entries(codecs).map(([key, { schema }]) => [key, schema]);
  return {
    type: 'object',
    description: `A new record needs ${[...neededKeys[kind].always, ...neededKeys[kind].whenNew].join(', ')}.`,
    properties: { kind: { const: kind }, ...Object.fromEntries(operators), ...Object.fromEntries(callers) },
    required: ['kind', ...neededKeys[kind].always],
  };
}

function schemaOfField(field: WritableField): JsonSchema {
  const { json, file = json } = field.type;
  return isClearable(field) ? { ...file, type: [file.type, 'null'].flat() } : file;
}
