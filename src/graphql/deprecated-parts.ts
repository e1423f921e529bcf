import { memoize1 } from '@graphql-tools/utils';
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isJsonObject } from '../text/read-json.js';
import { keepingLast } from './bounds/given-values.js';

/** The schema coordinates of deprecated fields, arguments, input fields and enum values, by their definitions. */
export const deprecatedParts = memoize1((schema: GraphQLSchema): ReadonlyMap<unknown, string> => {
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

/** The coordinates of the deprecated parts that an operation uses, even if `@skip` leaves a field out (Contract 11.6.1). */
export const deprecatedUses = keepingLast(
  ({ document, operation }, given, schema: GraphQLSchema): readonly string[] => {
    const parts = deprecatedParts(schema);
    if (parts.size === 0 || !operation) return [];
    const uses = new Set<string>();
    const types = new TypeInfo(schema);
    visit(
      separateOperations(document)[operation.name?.value ?? ''] ?? document,
      visitWithTypeInfo(types, {
        Field() {
          const use = parts.get(types.getFieldDef());
          if (use !== undefined) uses.add(use);
        },
        Argument(node) {
          const argument = types.getArgument();
          const usesOf = (value: unknown) =>
            argument ? [...partsIn(argument, value)].flatMap((part) => parts.get(part) ?? []).join(' ') : '';
          const found = given.argument({ arguments: [node] }, node.name.value, usesOf);
          for (const use of found.split(' ').filter(Boolean)) uses.add(use);
        },
      }),
    );
    return [...uses];
  },
);

/**
 * The definitions of an argument or input field and of the input fields and enum values in its value, which may not fit its type. None
 * without a value: a call without a variable does not use the argument that takes it.
 */
function* partsIn(definition: GraphQLArgument | GraphQLInputField, value: unknown): Generator {
  if (value === undefined) return;
  yield definition;
  const type = getNamedType(definition.type);
  for (const each of [value].flat(Infinity))
    if (isEnumType(type) && typeof each === 'string') yield type.getValue(each);
    else if (isInputObjectType(type) && isJsonObject(each))
      for (const [name, within] of Object.entries(each)) {
        const field = type.getFields()[name];
        if (field) yield* partsIn(field, within);
      }
}
