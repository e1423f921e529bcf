import { collectSubFields } from '@graphql-tools/utils';
import {
  type FieldNode,
  getNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isObjectType,
} from 'graphql';

/** The fields that are asked of an object by their names, each with those asked below it. */
export type Asked = ReadonlyMap<string, { below: Asked }>;

type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/**
 * What a document asks of what a field answers, or of what stands at a path within that. The same collection of fields
 * runs in executors: fragments are spread, aliases of one field joined, and what `@skip` and `@include` leave out is not asked.
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
