import {
  getNamedType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { change } from '../change/change.graphql.js';
import { company } from '../company/company-fields.rules.js';
import { type IfNull, type ObjectType, spread } from '../fields/row.rules.js';
import { jobCount } from '../job/job-list.graphql.js';
import { type JobState } from '../job/job-choices.rules.js';
import { job } from '../job/job-fields.rules.js';
import { type DocumentedField, ofMutations, operations } from '../operations.js';
import { reference } from '../reference/reference.rules.js';

/** A key of a documented reply, with the keys of its object. */
export interface Key {
  field: string;
  as: string;
  ifNull?: IfNull | 'null';
  keys?: readonly Key[];
}

/** The reply of an update cannot have more keys, and a list lacks the long parts. */
export type Reply = 'update' | 'read' | 'list';

/** The keys of an object in a reply, in order. It shows no field that needs more rights than the record. */
export const keysOf = (reply: Reply, { fields }: ObjectType): Key[] =>
  Object.entries(fields).flatMap(([field, { type, rest, ifNull, of, for: operation, isLong }]) => {
    const as = typeof rest !== 'object' ? rest : reply === 'update' ? null : rest?.inReads;
    if (as === undefined || as === null || operation || (isLong && reply === 'list')) return [];
    return [
      {
        field,
        as,
        ...(!type?.endsWith('!') && { ifNull: ifNull ?? 'null' }),
        ...(of && { keys: keysOf(reply, of) }),
      },
    ];
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

/** The shown fields of a type, each with its definition. @throws Error if the schema lacks one */
export function definedFields(
  schema: GraphQLSchema,
  name: string,
  keys: readonly Key[],
): (Key & { definition: GraphQLField<unknown, unknown> })[] {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`the schema has no object ${name}`);
  const definitions = type.getFields();
  return keys.flatMap((key) => {
    const definition = definitions[key.field];
    if (!definition) throw new Error(`the schema has no field ${name}.${key.field}`);
    if (key.as !== spread) return [{ ...key, definition }];
    const parts = definedFields(schema, getNamedType(definition.type).name, key.keys ?? []);
    return parts.map((part) => ({ ...part, ifNull: 'null' as const }));
  });
}

/** Returns a function that turns a GraphQL result into the documented reply. */
function envelopeOf(keys: readonly Key[]): (answer: object) => Record<string, unknown> {
  const parts = keys.map(({ keys: below, ...key }) => ({ ...key, show: below && envelopeOf(below) }));
  return (answer) => {
    const reply: Record<string, unknown> = {};
    for (const { field, as, ifNull, show } of parts) {
      const value = (answer as Record<string, unknown>)[field];
      if (as === spread) Object.assign(reply, show?.(value ?? {}));
      else if (value === null || value === undefined) {
        if (ifNull !== 'absent') reply[as] = ifNull === 'empty' ? '' : null;
      } else if (!show) reply[as] = value;
      else reply[as] = Array.isArray(value) ? value.map(show) : show(value);
    }
    return reply;
  };
}

/** The replies of updates, by the record that they show. */
const updated = {
  company: { type: 'Company', keys: keysOf('update', company) },
  job: { type: 'Job', keys: keysOf('update', job) },
} as const;

export const documentedReplies = {
  ...ofMutations((field) => updated[operations[field].record]),
  company: updated.company,
  job: { type: 'Job', keys: keysOf('read', job) },
  jobs: { type: 'Job', keys: keysOf('list', job) },
  jobCounts: { type: 'JobCount', keys: keysOf('read', jobCount) },
  changes: { type: 'Change', keys: keysOf('read', change) },
  // In a job, a reference has no `id`.
  references: { type: 'Reference', keys: [{ field: 'id', as: 'id' }, ...keysOf('read', reference)] },
} as const satisfies Record<DocumentedField, { type: string; keys: readonly Key[] }>;

export const envelopes = Object.fromEntries(
  Object.entries(documentedReplies).map(([field, { keys }]) => [field, envelopeOf(keys)]),
) as Record<DocumentedField, ReturnType<typeof envelopeOf>>;

/** Headers, because the documented body of an update cannot have more keys. */
export const jobHeaders = ({ state, expiresAt }: { state: JobState; expiresAt: string | null }) => ({
  'job-state': state,
  ...(expiresAt && { 'job-expires': expiresAt }),
});
