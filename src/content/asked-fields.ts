import { collectSubFields } from '@graphql-tools/utils';
import {
  type FieldNode,
  getNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isObjectType,
} from 'graphql';

/** The fields that a document asks of an object, by name, each with the fields asked below it. */
export type Asked = ReadonlyMap<string, { below: Asked }>;

type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/**
 * The fields that a document asks of a field's answer, or of the object at a path within that answer. They are collected as
 * an executor does it: fragments are spread, aliases of one field joined, and `@skip` and `@include` obeyed.
 */
export function askedFields(info: GraphQLResolveInfo, ...path: readonly string[]): Asked {
  let asked = fieldsBelow(info, info.returnType, [...info.fieldNodes]);
  for (const name of path) asked = asked.get(name)?.below ?? new Map();
  return asked;
}

function fieldsBelow(operation: Operation, type: GraphQLOutputType, nodes: FieldNode[]): Asked {
  const parent = getNamedType(type);
  const asked = new Map<string, { below: Asked }>();
  if (!isObjectType(parent)) return asked;
  const { schema, fragments, variableValues } = operation;
  const nodesOf = new Map<string, FieldNode[]>();
  for (const aliased of collectSubFields(schema, fragments, variableValues, parent, nodes).fields.values())
    for (const node of aliased) nodesOf.set(node.name.value, [...(nodesOf.get(node.name.value) ?? []), node]);
  const fields = parent.getFields();
  for (const [name, ofName] of nodesOf) {
    const field = fields[name];
    if (field) asked.set(name, { below: fieldsBelow(operation, field.type, ofName) });
  }
  return asked;
}
