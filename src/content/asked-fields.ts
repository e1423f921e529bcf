import { collectSubFields } from '@graphql-tools/utils';
import {
  type FieldNode,
  getNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
  type TypeNode,
} from 'graphql';

/** The requested fields of an object, by name, each with its requested subfields. */
export type Asked = ReadonlyMap<string, { below: Asked }>;

export const askedOfBoth = (one: Asked, other: Asked): Asked =>
  new Map([
    ...one,
    ...[...other].map(
      ([name, { below }]) =>
        [name, { below: askedOfBoth(one.get(name)?.below ?? new Map(), below) }] as const,
    ),
  ]);

/** Parses a selection such as `{ name company { name } }`. */
export function fieldsIn(selection: string): Asked {
  const [definition] = parse(selection).definitions;
  const below = (node: { selectionSet?: SelectionSetNode | undefined }): Asked =>
    new Map(
      (node.selectionSet?.selections ?? []).flatMap((each) =>
        each.kind === Kind.FIELD ? [[each.name.value, { below: below(each) }] as const] : [],
      ),
    );
  return definition?.kind === Kind.OPERATION_DEFINITION ? below(definition) : new Map();
}

type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/** Documents are cached, and most select the same fields each time. */
const lastAsked = new WeakMap<FieldNode, { asked: Asked; conditions: readonly unknown[] }>();

/**
 * The requested fields of a field's result, or of the object at a path within it. Resolves fragments, aliases, `@skip` and `@include`.
 * Returns the same map for the same field node and conditions.
 */
export function askedFields(info: GraphQLResolveInfo, ...path: readonly string[]): Asked {
  let asked = askedBelow(info);
  for (const name of path) asked = asked.get(name)?.below ?? new Map();
  return asked;
}

function askedBelow(info: GraphQLResolveInfo): Asked {
  const [node, ...others] = info.fieldNodes;
  if (!node || others.length > 0) return fieldsBelow(info, info.returnType, [...info.fieldNodes]);
  const conditions = conditionsOf(info);
  const last = lastAsked.get(node);
  if (last?.conditions.every((value, index) => value === conditions[index])) return last.asked;
  const asked = fieldsBelow(info, info.returnType, [node]);
  lastAsked.set(node, { asked, conditions });
  return asked;
}

/**
 * What `@skip` and `@include` depend on: the operation's Boolean variables, and the operation itself, because operations that share a
 * fragment share its field nodes.
 */
const conditionsOf = ({ operation, variableValues }: GraphQLResolveInfo): readonly unknown[] => [
  operation,
  ...(operation.variableDefinitions ?? [])
    .filter(({ type }) => isBoolean(type))
    .map(({ variable }) => variableValues[variable.name.value]),
];

const isBoolean = (type: TypeNode): boolean =>
  type.kind === Kind.NON_NULL_TYPE
    ? isBoolean(type.type)
    : type.kind === Kind.NAMED_TYPE && type.name.value === 'Boolean';

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
