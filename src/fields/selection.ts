import { collectSubFields, memoize1 } from '@graphql-tools/utils';
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
import { type Rows } from './row.rules.js';

interface SelectedField {
  below: Selection;
  /** How often the answer has the field, in all its aliases and those of the fields around it. */
  times: number;
  /** The length of its response names, with their punctuation. */
  nameBytes: number;
}

/** The requested fields of an object, by name, each with its requested subfields. */
export type Selection = ReadonlyMap<string, SelectedField>;

const nothing: Selection = new Map();

export const mergedSelection = (one: Selection, other: Selection): Selection =>
  new Map([
    ...one,
    ...[...other].map(([name, field]) => {
      const { below, ...first } = one.get(name) ?? { ...field, below: nothing };
      return [name, { ...first, below: mergedSelection(below, field.below) }] as const;
    }),
  ]);

/** Parses a selection such as `{ name company { name } }`. */
export function parsedSelection(selection: string): Selection {
  const [definition] = parse(selection).definitions;
  const below = (node: { selectionSet?: SelectionSetNode | undefined }): Selection =>
    new Map(
      (node.selectionSet?.selections ?? []).flatMap((each) =>
        each.kind === Kind.FIELD
          ? [[each.name.value, { below: below(each), times: 1, nameBytes: 0 }] as const]
          : [],
      ),
    );
  return definition?.kind === Kind.OPERATION_DEFINITION ? below(definition) : new Map();
}

type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

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

/** @param occurrences for each place of the object in the answer, the field nodes that GraphQL merges there */
function fieldsBelow(operation: Operation, type: GraphQLOutputType, occurrences: FieldNode[][]): Selection {
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

/** Returns a function that gives the view of a selection, or of all fields without one, and keeps each view. */
export function viewsOf<Sources, Context, Type>(rows: Rows) {
  const viewOf = (selection?: Selection) => {
    /** Stored paths to read, by record. A record is absent if none of its fields are needed. */
    const paths: { readonly [Source in keyof Sources]?: ReadonlySet<string> } = {};
    const show = showing(rows, selection, paths as Record<string, Set<string>>);
    return { paths, show: show as (from: Sources & Context) => Type };
  };
  const all = viewOf();
  const kept = memoize1((selection: Selection) => viewOf(selection));
  return (selection?: Selection) => (selection ? kept(selection) : all);
}

type Show = (from: never) => unknown;

function showing(rows: Rows, selection: Selection | undefined, paths: Record<string, Set<string>>): Show {
  const parts: { name: string; show: Show }[] = [];
  for (const [name, { needs, show, isShown, of }] of Object.entries(rows)) {
    if (selection && !selection.has(name)) continue;
    for (const [source, needed] of Object.entries({ ...needs, ...isShown?.needs }))
      for (const path of needed) (paths[source] ??= new Set()).add(path);
    if (show) parts.push({ name, show });
    if (show || !of) continue;
    const inside = showing(of.fields, selection?.get(name)?.below, paths);
    parts.push({ name, show: isShown ? (from) => (isShown.show(from) ? inside(from) : null) : inside });
  }
  return (from) => {
    const shown: Record<string, unknown> = {};
    for (const { name, show } of parts) shown[name] = show(from);
    return shown;
  };
}
