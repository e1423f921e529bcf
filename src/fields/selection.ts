import { collectSubFields } from '@graphql-tools/utils';
import {
  type FieldNode,
  getNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isObjectType,
  Kind,
  type TypeNode,
} from 'graphql';

interface SelectedField {
  below: Selection;
  /** How often the reply has the field, in all its aliases and in the aliases of the fields around it. */
  times: number;
  /** The length of its response names, with their punctuation. */
  nameBytes: number;
}

/** The requested fields of an object, by name, each with its requested subfields. */
export type Selection = ReadonlyMap<string, SelectedField>;

const nothing: Selection = new Map();

type OperationInfo = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

interface Kept {
  selection: Selection;
  conditions: readonly unknown[];
}

/** Documents are cached, and most select the same fields each time. */
const lastSelections = new WeakMap<GraphQLOutputType, WeakMap<FieldNode, Kept>>();

/**
 * The requested fields of a field's result, or of the object at a path within it. Resolves fragments, aliases, `@skip` and `@include`.
 * Returns the same map for the same field node and conditions.
 */
export function selectionOf(info: GraphQLResolveInfo, ...path: readonly string[]): Selection {
  let selection = selectionOn(info.returnType, info);
  for (const name of path) selection = selection.get(name)?.below ?? nothing;
  return selection;
}

/** The requested fields of a field's result if it is of this type: an interface has those of none. */
function selectionOn(type: GraphQLOutputType, info: GraphQLResolveInfo): Selection {
  const [node, ...others] = info.fieldNodes;
  if (!node || others.length > 0) return fieldsBelow(info, type, [[...info.fieldNodes]]);
  const conditions = conditionsOf(info);
  const kept = lastSelections.get(type) ?? new WeakMap<FieldNode, Kept>();
  const last = kept.get(node);
  if (last?.conditions.every((value, index) => value === conditions[index])) return last.selection;
  const selection = fieldsBelow(info, type, [[node]]);
  lastSelections.set(type, kept.set(node, { selection, conditions }));
  return selection;
}

/** The requested fields of a field's result if it is of the object type with this name. */
export function selectionOnType(name: string, info: GraphQLResolveInfo): Selection {
  const type = info.schema.getType(name);
  return isObjectType(type) ? selectionOn(type, info) : nothing;
}

/**
 * `@skip` and `@include` depend on these: the operation's Boolean variables, and the operation itself, because operations that share a
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

/** @param occurrences for each place of the object in the reply, the field nodes that GraphQL merges there */
function fieldsBelow(
  operation: OperationInfo,
  type: GraphQLOutputType,
  occurrences: FieldNode[][],
): Selection {
  const parent = getNamedType(type);
  const selection = new Map<string, SelectedField>();
  if (!isObjectType(parent)) return selection;
  const { schema, fragments, variableValues } = operation;
  const found = new Map<string, { occurrences: FieldNode[][]; nameBytes: number }>();
  for (const nodes of occurrences) {
    const { fields } = collectSubFields(schema, fragments, variableValues, parent, nodes);
    for (const [responseName, merged] of fields) {
      const name = merged[0]!.name.value;
      const field = found.get(name) ?? { occurrences: [], nameBytes: 0 };
      field.occurrences.push(merged);
      field.nameBytes += responseName.length + punctuation;
      found.set(name, field);
    }
  }
  const fields = parent.getFields();
  for (const [name, { occurrences, nameBytes }] of found) {
    const below = fields[name] ? fieldsBelow(operation, fields[name].type, occurrences) : nothing;
    selection.set(name, { below, times: occurrences.length, nameBytes });
  }
  return selection;
}

/** Two quotes, a colon and a comma. */
const punctuation = 4;
