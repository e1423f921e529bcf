import {
  type DefinitionNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type InlineFragmentNode,
  isIntrospectionType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { type RootFieldCosts } from '../../quotas/quotas.js';
import { largestPage } from '../../paging/page.js';
import { isJsonObject } from '../../text/read-json.js';
import { type ArgumentValues, keepingLast } from './argument-values.js';
import { type CountReferences, fieldWeights, listLengths, weights } from './weights.js';

export interface Cost {
  /** Counts the fields of a list once per element. */
  complexity: number;
  /** The part of the complexity that pages have. */
  pages: number;
  /** Besides the complexity: what the list around these fields costs once, and not for each of its records. */
  once: number;
  /** How many lists of records the fields can read within records. Each is a command of the database. */
  nestedLists: number;
  /** Undefined within a root field. */
  roots?: RootFieldCosts | undefined;
}

type AnyField = GraphQLField<unknown, unknown>;
type Parent = GraphQLObjectType | GraphQLInterfaceType;

const nothing: Cost = { complexity: 0, pages: 0, once: 0, nestedLists: 0 };

/** Measures an operation of a valid document (Contract 8.4.11), in linear time. */
export const measureOperation = keepingLast(
  ({ document, operation }, values, schema: GraphQLSchema, countReferences: CountReferences): Cost => {
    if (!operation) return nothing;
    const count: CountReferences = (kind) => values.reading(() => countReferences(kind));
    return new Measure(schema, document.definitions, values, count).operation(operation);
  },
);

class Measure {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly measured = new Map<string, Cost>();

  constructor(
    private readonly schema: GraphQLSchema,
    definitions: readonly DefinitionNode[],
    private readonly values: ArgumentValues,
    private readonly countReferences: CountReferences,
  ) {
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
  }

  operation({ operation, selectionSet }: OperationDefinitionNode): Cost {
    return this.selections(selectionSet, this.schema.getRootType(operation)!);
  }

  /** @param parent undefined within introspection */
  selections({ selections }: SelectionSetNode, parent: Parent | undefined): Cost {
    return selections
      .filter((selection) => !this.values.isLeftOut(selection))
      .map((selection) => this.selection(selection, parent))
      .reduce(
        (one, other) => ({
          complexity: one.complexity + other.complexity,
          pages: one.pages + other.pages,
          once: one.once + other.once,
          nestedLists: one.nestedLists + other.nestedLists,
          roots: one.roots && other.roots ? merged(one.roots, other.roots) : (one.roots ?? other.roots),
        }),
        nothing,
      );
  }

  private selection(selection: SelectionNode, parent: Parent | undefined): Cost {
    switch (selection.kind) {
      case Kind.FIELD:
        return this.field(selection, parent);
      case Kind.INLINE_FRAGMENT:
        return this.inFragment(selection, parent);
      case Kind.FRAGMENT_SPREAD:
        return this.fragment(selection.name.value);
    }
  }

  private inFragment(fragment: InlineFragmentNode | FragmentDefinitionNode, parent?: Parent): Cost {
    const { typeCondition, selectionSet } = fragment;
    const type = typeCondition ? (this.schema.getType(typeCondition.name.value) as Parent) : parent;
    return this.selections(selectionSet, type);
  }

  private fragment(name: string): Cost {
    const known = this.measured.get(name);
    if (known) return known;
    const cost = this.inFragment(this.fragments.get(name)!);
    this.measured.set(name, cost);
    return cost;
  }

  private field(node: FieldNode, parent: Parent | undefined): Cost {
    const { selectionSet } = node;
    const name = node.name.value;
    if (!parent || isIntrospectionType(parent) || name.startsWith('__'))
      return {
        ...nothing,
        complexity: 1 + (selectionSet ? this.selections(selectionSet, undefined).complexity : 0),
      };
    const field = parent.getFields()[name]!;
    const within = selectionSet ? this.selections(selectionSet, getNamedType(field.type) as Parent) : nothing;
    const extra = fieldWeights[`${parent.name}.${name}`] ?? 0;
    if (name === 'totalCount' && isConnection(parent))
      return { ...nothing, complexity: 1, once: weights.totalCount + extra };
    const first = pageSizeOf(field);
    const isRoot = parent === this.schema.getQueryType() || parent === this.schema.getMutationType();
    const isNestedList = !isRoot && field.args.some((each) => each.name === 'filter');
    const page = isNestedList ? weights.nestedList : first ? weights.page : 0;
    const reading = isRoot ? weights.rootField : page;
    const isScalar = !selectionSet && isList(field.type);
    const ofEach = isScalar ? weights.element : within.complexity + (first ? weights.record : 0);
    const isFiltered = first && this.isSearch(node);
    const own = 1 + reading + extra + within.once + (isFiltered ? weights.filteredList : 0);
    const length = this.lengthOf(field, node, parent);
    const complexity = own + Math.ceil(ofEach * length);
    const nestedLists = (isNestedList ? 1 : 0) + length * within.nestedLists;
    const pages = first ? complexity : within.pages;
    const cost = { ...nothing, complexity, pages, nestedLists };
    if (!isRoot) return cost;
    const isDryRun = this.values.argument(node, 'dryRun') === true;
    const root = { name, complexity, pages, isDryRun };
    return { ...cost, roots: new Map([[node.alias?.value ?? name, root]]) };
  }

  /** How many times the reply repeats a field's selection. */
  private lengthOf(field: AnyField, node: FieldNode, parent: Parent): number {
    const first = pageSizeOf(field);
    if (first) return this.pageSize(first, node);
    // The page size multiplies the lists inside a connection.
    if (!isList(field.type) || isConnection(parent)) return 1;
    const place = `${parent.name}.${field.name}`;
    const length =
      place === 'Query.references'
        ? this.countReferences(this.values.argument(node, 'kind'))
        : listLengths[place];
    if (length === undefined)
      throw new Error(`${place} is a list, and graphql/bounds/weights.ts lacks its length`);
    return Math.max(1, length);
  }

  /** Records by their ids cost what any page costs, and so do those in some states, which indexes serve. */
  private isSearch(node: FieldNode): boolean {
    return this.values.argument(node, 'filter', (filter) => {
      if (!isJsonObject(filter) || filter.publicIds != null) return false;
      return Object.entries(filter).some(([key, value]) => key !== 'states' && value != null);
    });
  }

  private pageSize(first: GraphQLArgument, node: FieldNode): number {
    return this.values.argument(node, first.name, (value) => {
      const pageSize = value ?? first.defaultValue ?? largestPage;
      const size: unknown = Array.isArray(pageSize) ? pageSize.length : pageSize;
      // A larger page is refused with a fault of `first`, and a value of another type by GraphQL.
      return typeof size === 'number' ? Math.min(largestPage, Math.max(1, size)) : largestPage;
    });
  }
}

/** `nodes` reads as many records as it is given ids. */
const pageSizeOf = ({ args }: AnyField): GraphQLArgument | undefined =>
  args.find(({ name }) => name === 'first' || name === 'ids');

const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type));

const isConnection = ({ name }: Parent): boolean => name.endsWith('Connection');

/** Fields with the same response key are one field of the answer. */
function merged(one: RootFieldCosts, other: RootFieldCosts): RootFieldCosts {
  const roots = new Map(one);
  for (const [key, root] of other) {
    const same = roots.get(key) ?? nothing;
    roots.set(key, {
      ...root,
      complexity: root.complexity + same.complexity,
      pages: root.pages + same.pages,
    });
  }
  return roots;
}
