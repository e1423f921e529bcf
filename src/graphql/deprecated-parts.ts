import { memoize1 } from '@graphql-tools/utils';
import {
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  separateOperations,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isJsonObject } from '../text/read-json.js';
import { keepingLast, type Requested, variablesIn } from './bounds/given-values.js';

/** The schema coordinates of deprecated fields, arguments, input fields and enum values, by their definitions. */
type DeprecatedParts = ReadonlyMap<unknown, string>;

export const deprecatedParts = memoize1((schema: GraphQLSchema): DeprecatedParts => {
  const parts = new Map<unknown, string>();
  const note = (coordinate: string, part: { deprecationReason?: string | null | undefined }): void => {
    if (part.deprecationReason) parts.set(part, coordinate);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) || isInterfaceType(type))
      for (const field of Object.values(type.getFields())) {
        note(`${type.name}.${field.name}`, field);
        for (const argument of field.args) note(`${type.name}.${field.name}(${argument.name}:)`, argument);
      }
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) note(`${type.name}.${field.name}`, field);
    if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
  }
  return parts;
});

/** A deprecated part that a document names. If a variable gives its value, a call without this variable does not use the part. */
interface Mention {
  coordinate: string;
  variable: string | undefined;
}

const mentionsIn = keepingLast(({ document, operation }, _given, schema: GraphQLSchema): Mention[] => {
  const parts = deprecatedParts(schema);
  const mentions: Mention[] = [];
  const note = (part: unknown, value?: ValueNode): void => {
    const coordinate = parts.get(part);
    const variable = value?.kind === Kind.VARIABLE ? value.name.value : undefined;
    if (coordinate !== undefined) mentions.push({ coordinate, variable });
  };
  const types = new TypeInfo(schema);
  visit(
    separateOperations(document)[operation?.name?.value ?? ''] ?? document,
    visitWithTypeInfo(types, {
      Field: () => note(types.getFieldDef()),
      Argument: ({ value }) => note(types.getArgument(), value),
      ObjectField: ({ name, value }) => {
        const type = getNamedType(types.getParentInputType());
        if (isInputObjectType(type)) note(type.getFields()[name.value], value);
      },
      EnumValue: () => note(types.getEnumValue()),
    }),
  );
  return mentions;
});

/** The coordinates of the deprecated parts that an operation uses, even if `@skip` leaves a field out (Contract 11.6.1). */
export function deprecatedUses(schema: GraphQLSchema, requested: Requested): readonly string[] {
  const { operation, variables } = requested;
  const parts = deprecatedParts(schema);
  if (parts.size === 0 || !operation) return [];
  const given = variablesIn(requested);
  const used = mentionsIn(requested, schema).filter(
    ({ variable }) => variable === undefined || given[variable] !== undefined,
  );
  const uses = new Set(used.map(({ coordinate }) => coordinate));
  for (const { variable, type } of operation.variableDefinitions ?? [])
    for (const part of partsIn(
      typeFromAST(schema, type) as GraphQLInputType,
      variables[variable.name.value],
    )) {
      const coordinate = parts.get(part);
      if (coordinate !== undefined) uses.add(coordinate);
    }
  return [...uses];
}

/** The definitions of the input fields and enum values in a variable's value, which may not fit its type. */
function* partsIn(type: GraphQLInputType, value: unknown): Generator {
  const named = getNullableType(type);
  if (isListType(named)) for (const each of [value].flat()) yield* partsIn(named.ofType, each);
  else if (isEnumType(named)) yield named.getValue(String(value));
  else if (isInputObjectType(named) && isJsonObject(value))
    for (const [name, within] of Object.entries(value)) {
      const field = named.getFields()[name];
      if (!field) continue;
      yield field;
      yield* partsIn(field.type, within);
    }
}
