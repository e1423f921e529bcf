import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { largestPage } from '../../content/page.js';
import { type CountReferences, fieldWeights, listLengths, weights } from './weights.js';

/** `depth` excludes introspection. `complexity` counts the fields of a list once per element. */
export interface Cost {
  depth: number;
  complexity: number;
  /** The costliest root field of an operation. */
  root?: { name: string; complexity: number } | undefined;
}

const nothing: Cost = { depth: 0, complexity: 0 };

export interface Requested {
  document: DocumentNode;
  /** Undefined if the document has no operation with the requested name. */
  operation: OperationDefinitionNode | undefined;
  variables: Readonly<Record<string, unknown>>;
}

/** The greatest depth and complexity of the operations, valid or not (Contract 8.4), in linear time. */
export function measureDocument(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  countReferences: CountReferences,
): Cost {
  const measure = new Measure(schema, definitions, { given: () => 1, countReferences });
  return worst(
    definitions.map((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? measure.operation(definition) : nothing,
    ),
  );
}

/** A variable may have the wrong type. */
export function measureOperation(
  schema: GraphQLSchema,
  { document, operation, variables }: Requested,
  countReferences: CountReferences,
): Cost {
  if (!operation) return nothing;
  const { variableDefinitions = [] } = operation;
  const given = (name: string): unknown =>
    (Object.hasOwn(variables, name) ? variables[name] : undefined) ??
    literalOf(variableDefinitions.find(({ variable }) => variable.name.value === name)?.defaultValue);
  return new Measure(schema, document.definitions, { given, countReferences }).operation(operation);
}

class Measure {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly measured = new Map<string, Cost>();

  constructor(
    private readonly schema: GraphQLSchema,
    definitions: readonly DefinitionNode[],
    private readonly known: { given: (name: string) => unknown; countReferences: CountReferences },
  ) {
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
  }

  operation({ operation, selectionSet }: OperationDefinitionNode): Cost {
    return this.selections(selectionSet, this.schema.getRootType(operation) ?? undefined);
  }

  selections({ selections }: SelectionSetNode, parent: GraphQLNamedType | undefined): Cost {
    const costs = selections.map((selection) => {
      switch (selection.kind) {
        case Kind.FIELD:
          return this.field(selection, parent);
        case Kind.INLINE_FRAGMENT: {
          const { typeCondition, selectionSet } = selection;
          return this.selections(
            selectionSet,
            typeCondition ? this.schema.getType(typeCondition.name.value) : parent,
          );
        }
        case Kind.FRAGMENT_SPREAD:
          return this.fragment(selection.name.value);
      }
    });
    return {
      depth: worst(costs).depth,
      complexity: costs.reduce((sum, { complexity }) => sum + complexity, 0),
      root: costliest(costs.map(({ root }) => root)),
    };
  }

  private fragment(name: string): Cost {
    const known = this.measured.get(name);
    if (known) return known;
    const fragment = this.fragments.get(name);
    if (!fragment) return nothing;
    // A fragment inside itself counts as nothing: GraphQL's own rules reject it.
    this.measured.set(name, nothing);
    const cost = this.selections(
      fragment.selectionSet,
      this.schema.getType(fragment.typeCondition.name.value),
    );
    this.measured.set(name, cost);
    return cost;
  }

  private field(node: FieldNode, parent: GraphQLNamedType | undefined): Cost {
    const field = fieldOf(parent, node.name.value);
    const isIntrospection = node.name.value.startsWith('__');
    const within = node.selectionSet
      ? this.selections(node.selectionSet, field && getNamedType(field.type))
      : nothing;
    // Ignore the depth: the usual introspection query exceeds the limit.
    if (isIntrospection) return { depth: 1, complexity: 1 + within.complexity };
    const first = field && pageSizeOf(field);
    const isRoot = parent === this.schema.getQueryType() || parent === this.schema.getMutationType();
    const isCount = node.name.value === 'totalCount' && isConnection(parent);
    const reading = isRoot ? weights.rootField : isCount ? weights.totalCount : first ? weights.page : 0;
    const isScalar = !node.selectionSet && field !== undefined && isList(field.type);
    const ofEach = isScalar ? weights.element : within.complexity + (first ? weights.record : 0);
    const own = 1 + reading + (fieldWeights[`${parent?.name}.${node.name.value}`] ?? 0);
    const complexity = own + Math.ceil(ofEach * (field ? this.lengthOf(field, node, parent) : 1));
    return {
      depth: 1 + within.depth,
      complexity,
      root: isRoot ? { name: node.name.value, complexity } : undefined,
    };
  }

  /** How many times the reply repeats a field's selection. */
  private lengthOf(
    field: GraphQLField<unknown, unknown>,
    node: FieldNode,
    parent: GraphQLNamedType | undefined,
  ): number {
    const first = pageSizeOf(field);
    if (first) return this.pageSize(first, node);
    // The page size multiplies the lists inside a connection. GraphQL limits the lists of introspection.
    if (!isList(field.type) || isConnection(parent) || (parent && isIntrospectionType(parent))) return 1;
    const place = `${parent?.name}.${field.name}`;
    const length = place === 'Query.references' ? this.countReferences(node) : listLengths[place];
    if (length === undefined)
      throw new Error(`${place} is a list, and graphql/bounds/weights.ts lacks its length`);
    return Math.max(1, length);
  }

  private countReferences(node: FieldNode): number {
    const { given, countReferences } = this.known;
    const value = argumentOf(node, 'kind');
    return countReferences(value?.kind === Kind.VARIABLE ? given(value.name.value) : literalOf(value));
  }

  private pageSize(first: GraphQLArgument, node: FieldNode): number {
    const value = argumentOf(node, 'first');
    const size = value?.kind === Kind.VARIABLE ? this.known.given(value.name.value) : literalOf(value);
    // A larger page is refused with a fault of `first`.
    return Math.min(largestPage, Math.max(1, Number(size ?? first.defaultValue ?? largestPage)));
  }
}

const pageSizeOf = ({ args }: GraphQLField<unknown, unknown>): GraphQLArgument | undefined =>
  args.find(({ name }) => name === 'first');

function fieldOf(
  parent: GraphQLNamedType | undefined,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

const argumentOf = ({ arguments: given = [] }: FieldNode, argument: string): ValueNode | undefined =>
  given.find(({ name }) => name.value === argument)?.value;

const literalOf = (value: ValueNode | undefined): number | string | undefined =>
  value?.kind === Kind.INT ? Number(value.value) : value?.kind === Kind.ENUM ? value.value : undefined;

const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type));

const isConnection = (type: GraphQLNamedType | undefined): boolean =>
  type?.name.endsWith('Connection') ?? false;

const worst = (costs: readonly Cost[]): Cost => ({
  depth: costs.reduce((most, { depth }) => Math.max(most, depth), 0),
  complexity: costs.reduce((most, { complexity }) => Math.max(most, complexity), 0),
  root: costliest(costs.map(({ root }) => root)),
});

const costliest = (roots: readonly Cost['root'][]): Cost['root'] =>
  roots.reduce((most, root) => (root && root.complexity > (most?.complexity ?? 0) ? root : most), undefined);
