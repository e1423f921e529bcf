import {
  getNamedType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
} from 'graphql';

/** Queried by updates but not by reads: reading the field needs more rights than the rest of the record. */
export const askedAlone = 'asked-alone';
/** Neither queried nor shown: reading the field needs more rights, or it would make a list long. */
export const leftOut = 'left-out';
/** In place of a key: the fields of the object become keys of its parent, all null if the object is null. */
export const spread = '';
/** Queried, but not shown in the documented reply. */
export const graphqlOnly = { as: null };

/** How the documented reply shows a GraphQL null: null, the empty text, or no key (Contract 2.5). */
type IfNull = 'null' | 'empty' | 'absent';

type DocumentedValue<Value> = (
  | { as: null; ifNull?: never }
  | ({ as: string } & (null extends Value ? { ifNull: IfNull } : { ifNull?: never }))
) &
  Nested<NonNullable<Value>>;

type Nested<Value> = Value extends readonly (infer Element)[]
  ? Nested<Element>
  : Value extends Date
    ? { fields?: never }
    : Value extends object
      ? { fields: Documented<Value> }
      : { fields?: never };

/**
 * How the documented reply shows each field of a GraphQL type, in the order of the reply. OpenAPI and the named operations come from
 * these tables.
 */
export type Documented<Type> = {
  [Field in keyof Type]-?: DocumentedValue<Type[Field]> | typeof askedAlone | typeof leftOut;
};

interface AnyShown {
  field: string;
  as: string;
  ifNull?: IfNull;
  fields?: AnyDocumented;
}
export type AnyDocumented = Readonly<
  Record<
    string,
    (Omit<AnyShown, 'field' | 'as'> & { as: string | null }) | typeof askedAlone | typeof leftOut
  >
>;

export const shownFields = (documented: AnyDocumented): AnyShown[] =>
  Object.entries(documented).flatMap(([field, shown]) =>
    typeof shown === 'string' || shown.as === null ? [] : [{ ...shown, field, as: shown.as }],
  );

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
  documented: AnyDocumented,
): (AnyShown & { definition: GraphQLField<unknown, unknown> })[] {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`the schema has no object ${name}`);
  const definitions = type.getFields();
  return shownFields(documented).flatMap((shown) => {
    const definition = definitions[shown.field];
    if (!definition) throw new Error(`the schema has no field ${name}.${shown.field}`);
    if (shown.as !== spread) return [{ ...shown, definition }];
    const parts = definedFields(schema, getNamedType(definition.type).name, shown.fields ?? {});
    return parts.map((part) => ({ ...part, ifNull: 'null' as const }));
  });
}

/** Returns a function that turns a GraphQL result into the documented reply. */
export function envelopeOf(documented: AnyDocumented): (answer: object) => Record<string, unknown> {
  const parts = shownFields(documented).map(({ field, as, ifNull, fields }) => ({
    field,
    as,
    ifNull,
    show: fields && envelopeOf(fields),
  }));
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
