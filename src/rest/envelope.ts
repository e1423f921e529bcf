import {
  getNamedType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isNullableType,
  isObjectType,
} from 'graphql';
import { changeRows } from '../change/change.graphql.js';
import { companyRows } from '../company/company-fields.rules.js';
import { type IfNull, type Rows, spread } from '../fields/row.rules.js';
import { jobCountRows } from '../job/job-list.graphql.js';
import { type JobState } from '../job/job-choices.rules.js';
import { jobRows } from '../job/job-fields.rules.js';
import { type DocumentedField, ofMutations, operations } from '../operations.js';
import { referenceRows } from '../reference/reference.rules.js';

/** A key of a documented reply, with the keys of its object. */
export interface Key {
  field: string;
  as: string;
  ifNull?: IfNull;
  keys?: readonly Key[];
}

/** The reply of a mutation cannot have more keys, and a list lacks the long parts. */
export type Reply = 'mutation' | 'read' | 'list';

/** The keys of an object in a reply, in order. */
export const keysOf = (reply: Reply, rows: Rows): Key[] =>
  Object.entries(rows).flatMap(([field, { rest, ifNull, of, isLong }]) => {
    const as = typeof rest !== 'object' ? rest : reply === 'mutation' ? null : rest?.inReads;
    if (as === undefined || as === null || (isLong && reply === 'list')) return [];
    return [{ field, as, ...(ifNull && { ifNull }), ...(of && { keys: keysOf(reply, of) }) }];
  });

export const capitalised = (field: string): string => `${field.charAt(0).toUpperCase()}${field.slice(1)}`;

/** @throws Error if the schema lacks the query or mutation */
export function rootField(schema: GraphQLSchema, name: string): GraphQLField<unknown, unknown> {
  const field = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }[name];
  if (!field) throw new Error(`the schema has no operation ${name}`);
  return field;
}

export const choicesOf = (type: GraphQLEnumType): string[] => type.getValues().map(({ name }) => name);

/** Undefined if the operation takes no body. */
export const inputOf = (field: GraphQLField<unknown, unknown>): GraphQLInputObjectType | undefined =>
  field.args.map(({ type }) => getNamedType(type)).find(isInputObjectType);

/** @throws Error if the schema lacks the object */
export function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`the schema has no object ${name}`);
  return type;
}

/** The shown fields of a type, each with its definition, and whether it can be null. @throws Error if the schema lacks one */
export function definedFields(
  schema: GraphQLSchema,
  name: string,
  keys: readonly Key[],
): (Key & { definition: GraphQLField<unknown, unknown>; isNullable: boolean })[] {
  const definitions = objectType(schema, name).getFields();
  return keys.flatMap((key) => {
    const definition = definitions[key.field];
    if (!definition) throw new Error(`the schema has no field ${name}.${key.field}`);
    if (key.as !== spread) return [{ ...key, definition, isNullable: isNullableType(definition.type) }];
    const parts = definedFields(schema, getNamedType(definition.type).name, key.keys ?? []);
    return parts.map((part) => ({ ...part, isNullable: true }));
  });
}

/** Returns a function that turns a GraphQL result into the documented reply. */
function envelopeOf(keys: readonly Key[]): (result: object) => Record<string, unknown> {
  const parts = keys.map(({ keys: below, ...key }) => ({ ...key, show: below && envelopeOf(below) }));
  return (result) => {
    const reply: Record<string, unknown> = {};
    for (const { field, as, ifNull, show } of parts) {
      const value = (result as Record<string, unknown>)[field];
      if (as === spread) Object.assign(reply, show?.(value ?? {}));
      else if (value === null || value === undefined) {
        if (ifNull !== 'absent') reply[as] = ifNull === 'empty' ? '' : null;
      } else if (!show) reply[as] = value;
      else reply[as] = Array.isArray(value) ? value.map(show) : show(value);
    }
    return reply;
  };
}

/** The replies of mutations, by the record that they show. */
const written = {
  company: { type: 'Company', keys: keysOf('mutation', companyRows) },
  job: { type: 'Job', keys: keysOf('mutation', jobRows) },
} as const;

export const documentedReplies = {
  ...ofMutations((field) => written[operations[field].record]),
  company: written.company,
  job: { type: 'Job', keys: keysOf('read', jobRows) },
  jobs: { type: 'Job', keys: keysOf('list', jobRows) },
  jobCounts: { type: 'JobCount', keys: keysOf('read', jobCountRows) },
  changes: { type: 'Change', keys: keysOf('read', changeRows) },
  // In a job, a reference has no `id`.
  references: { type: 'Reference', keys: [{ field: 'id', as: 'id' }, ...keysOf('read', referenceRows)] },
} as const satisfies Record<DocumentedField, { type: string; keys: readonly Key[] }>;

export const envelopes = Object.fromEntries(
  Object.entries(documentedReplies).map(([field, { keys }]) => [field, envelopeOf(keys)]),
) as Record<DocumentedField, ReturnType<typeof envelopeOf>>;

/** Headers, because the documented body of a mutation cannot have more keys. */
export const jobHeaders = ({ state, expiresAt }: { state: JobState; expiresAt: string | null }) => ({
  'job-state': state,
  ...(expiresAt && { 'job-expires': expiresAt }),
});
