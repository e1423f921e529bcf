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
  type SelectionSetNode,
} from 'graphql';
import { largestPage } from '../../content/page.js';

/** Entries that a list without a page size counts for. */
const assumedListLength = 20;

/** How deep fields nest, introspection apart, and how many an answer would hold: those of a list count once for each element. */
interface Cost {
  depth: number;
  complexity: number;
}

const nothing: Cost = { depth: 0, complexity: 0 };

/** The costliest operation, valid or not (Contract 8.4). A fragment is measured once: the time is linear in the document. */
export function measureDocument(schema: GraphQLSchema, { definitions }: DocumentNode): Cost {
  const measure = new Measure(schema, definitions);
  return worst(
    definitions.map((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? measure.selections(definition.selectionSet, schema.getRootType(definition.operation) ?? undefined)
        : nothing,
    ),
  );
}

class Measure {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly measured = new Map<string, Cost>();

  constructor(
    private readonly schema: GraphQLSchema,
    definitions: readonly DefinitionNode[],
  ) {
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
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
    };
  }

  private fragment(name: string): Cost {
    const known = this.measured.get(name);
    if (known) return known;
    const fragment = this.fragments.get(name);
    if (!fragment) return nothing;
    // A fragment that spreads itself counts for nothing there: GraphQL's own rules refuse it.
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
    if (!node.selectionSet) return { depth: 1, complexity: 1 };
    const within = this.selections(node.selectionSet, field && getNamedType(field.type));
    // The usual introspection query is deeper than the bound, so only the number of its fields counts.
    if (isIntrospection) return { depth: 1, complexity: 1 + within.complexity };
    return {
      depth: 1 + within.depth,
      complexity: 1 + within.complexity * (field ? lengthOf(field, node, parent) : 1),
    };
  }
}

function fieldOf(
  parent: GraphQLNamedType | undefined,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

/** How many times the selection within a field would be answered. */
function lengthOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  parent: GraphQLNamedType | undefined,
): number {
  const first = field.args.find(({ name }) => name === 'first');
  if (first) return pageSize(first, node);
  // The list in a page was counted at the field that has the page size. GraphQL itself bounds the lists of introspection.
  if (!isList(field.type) || isConnection(parent) || (parent && isIntrospectionType(parent))) return 1;
  return assumedListLength;
}

function pageSize(first: GraphQLArgument, { arguments: given = [] }: FieldNode): number {
  const value = given.find(({ name }) => name.value === 'first')?.value;
  if (!value || value.kind === Kind.NULL)
    return typeof first.defaultValue === 'number' ? first.defaultValue : largestPage;
  // A page size that comes in a variable may be any.
  return value.kind === Kind.INT ? Math.max(1, Number(value.value)) : largestPage;
}

const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type));

const isConnection = (type: GraphQLNamedType | undefined): boolean =>
  type?.name.endsWith('Connection') ?? false;

const worst = (costs: readonly Cost[]): Cost => ({
  depth: costs.reduce((most, { depth }) => Math.max(most, depth), 0),
  complexity: costs.reduce((most, { complexity }) => Math.max(most, complexity), 0),
});
