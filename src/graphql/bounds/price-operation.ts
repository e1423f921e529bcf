import {
  type DefinitionNode,
  type DocumentNode,
  getNullableType,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  isIntrospectionType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { type ComplexityEstimator, fieldExtensionsEstimator, getComplexity } from 'graphql-query-complexity';
import { elements, fieldComplexity, Noted } from '../../fields/complexity.rules.js';
import { memoize } from '../../memoize.js';
import { type Price } from '../../permissions/request-context.js';

export interface RequestedOperation {
  document: DocumentNode;
  /** Needed if the document has several operations. */
  operationName?: string | undefined;
  /** Undefined if the document has no operation with the requested name. */
  operation: OperationDefinitionNode | undefined;
  /** By name. A value may have the wrong type. */
  variables: Readonly<Record<string, unknown>>;
}

/** Complexities depend only on arguments with these names. A test reads the schema for others. */
export const countedArguments: ReadonlySet<string> = new Set([
  'dryRun',
  'filter',
  'first',
  'ids',
  'if',
  'kind',
  'sort',
]);

/** So many selections take 5 ms to add up. Selections of a fragment count wherever it is spread. */
const mostSelections = 5_000;

/** Per operation: callers repeat one with few page sizes, and with the same conditions. */
const mostPrices = 20;
/** Longer values, such as lists of ids, are not remembered: each could have a megabyte. */
const longestKey = 200;

/** Introspection is free. */
const unlessDeclared: ComplexityEstimator = ({ field, type, childComplexity }) => {
  if (field.name.startsWith('__') || isIntrospectionType(type)) return 0;
  return isListType(getNullableType(field.type)) && childComplexity > 0
    ? elements(10)({ args: {}, childComplexity })
    : fieldComplexity + childComplexity;
};
const estimators = [fieldExtensionsEstimator(), unlessDeclared];

/**
 * Returns the function that computes the price of the valid operations of a schema, for documents by text, by hash and over REST. The
 * price depends on the document and its variables alone. Prices are kept as long as the document, one for each set of values that the
 * variables of counted arguments have.
 *
 * The function returns null if the variables have the wrong types: GraphQL refuses the operation before it runs.
 * It throws a GraphQLError if fragments multiply the document.
 */
export function pricing(schema: GraphQLSchema): (requested: RequestedOperation) => Price | null {
  const pricesOf = memoize<OperationDefinitionNode, Map<string, Price>>(() => new Map());
  return (requested) => {
    const { document, operation, variables } = requested;
    if (!operation) return null;
    const key = keyOf(countedVariables(document), variables);
    const prices = pricesOf(operation);
    const known = prices.get(key);
    if (known) return known;
    const price = priceOf(schema, requested);
    if (!price) return null;
    if (key.length > longestKey) return price;
    if (prices.size >= mostPrices) prices.clear();
    prices.set(key, price);
    return price;
  };
}

/** The variables that reach a counted argument of any operation in the document, by name. */
const countedVariables = memoize((document: DocumentNode): readonly string[] => {
  const found = new Set<string>();
  const inArgument = { Variable: ({ name }: { name: { value: string } }) => void found.add(name.value) };
  visit(document, {
    Argument: (node) => {
      if (countedArguments.has(node.name.value)) visit(node.value, inArgument);
      return false;
    },
  });
  return [...found];
});

const keyOf = (names: readonly string[], variables: RequestedOperation['variables']): string =>
  names.map((name) => (Object.hasOwn(variables, name) ? JSON.stringify(variables[name]) : 'default')).join();

function priceOf(
  schema: GraphQLSchema,
  { document, operation, variables }: RequestedOperation,
): Price | null {
  // The library would collect all errors, and each error prints a whole value.
  const { errors } = getVariableValues(schema, operation?.variableDefinitions ?? [], variables, {
    maxErrors: 1,
  });
  if (errors) return null;
  const noted = new Noted();
  const isLookedAt = (definition: DefinitionNode) =>
    definition === operation || definition.kind === Kind.FRAGMENT_DEFINITION;
  try {
    const sum = getComplexity({
      schema,
      query: { ...document, definitions: document.definitions.filter(isLookedAt) },
      variables,
      estimators,
      context: { noted },
      maxQueryNodes: mostSelections,
    });
    return { complexity: Math.ceil(sum - noted.discount), mutations: noted.mutations };
  } catch (error) {
    const { message, nodes } = error as GraphQLError;
    if (!nodes) throw refusal(`with its fragments, it has more than ${mostSelections} fields`);
    throw new GraphQLError(message, { nodes, extensions: badRequest });
  }
}

/** @throws GraphQLError if the complexity exceeds the bound */
export function assertComplexity({ complexity }: Price, most: number): void {
  if (complexity > most) throw refusal(`its complexity is ${complexity}, and ${most} is allowed`);
}

/** The error for a document over a bound. */
export const refusal = (reason: string): GraphQLError =>
  new GraphQLError(`The document asks for too much: ${reason}.`, { extensions: badRequest });

const badRequest = { http: { status: 400 } };
