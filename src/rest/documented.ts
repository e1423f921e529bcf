import {
  getNamedType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
} from 'graphql';

/** A field that updates query but reads do not: reading it needs more rights than the rest of the record. */
export const askedAlone = 'asked-alone';
/** A field that is neither queried nor shown in a reply: reading it needs more rights, or it would make a list long. */
export const leftOut = 'left-out';
/** Stands in place of a key: the fields of the object become keys of its parent, all null if the object is null. */
export const spread = '';
/** A field that is queried but not shown in the documented reply. */
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
 * How the documented reply shows each field of a GraphQL type, in the order of the reply. OpenAPI and the named operations are
 * generated from these tables. A table without one of the fields does not compile.
 */
export type Documented<Type> = {
  [Field in keyof Type]-?: DocumentedValue<Type[Field]> | typeof askedAlone | typeof leftOut;
};

/** How the documented reply shows a field. */
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

/** The fields that the reply shows, in the order of the reply. */
export const shownFields = (documented: AnyDocumented): AnyShown[] =>
  Object.entries(documented).flatMap(([field, shown]) =>
    typeof shown === 'string' || shown.as === null ? [] : [{ ...shown, field, as: shown.as }],
  );

/** `updateJob` becomes `UpdateJob`. */
export const capitalised = (field: string): string => `${field.charAt(0).toUpperCase()}${field.slice(1)}`;

/** The query or mutation that a path executes. @throws Error if the schema lacks it */
export function rootField(schema: GraphQLSchema, name: string): GraphQLField<unknown, unknown> {
  const field = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }[name];
  if (!field) throw new Error(`the schema has no operation ${name}`);
  return field;
}

/** The values of an enum, as requests and replies spell them. */
export const choicesOf = (type: GraphQLEnumType): string[] => type.getValues().map(({ name }) => name);

/** The input type of an operation; undefined if it takes no body. */
export const inputOf = (field: GraphQLField<unknown, unknown>): GraphQLInputObjectType | undefined =>
  field.args.map(({ type }) => getNamedType(type)).find(isInputObjectType);

/** The fields of a type that the reply shows, each with its definition. @throws Error if the schema lacks one */
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

/** Makes a function that turns a GraphQL result into the documented reply, with exactly the documented keys. */
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
