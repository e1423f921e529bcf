import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
  visit,
} from 'graphql';
import { type Settings } from '../../settings/settings.js';
import { type Cost, measureOperation } from './measure-document.js';
import { type RequestedOperation } from './argument-values.js';
import { type CountReferences } from './weights.js';

const mostAliases = 15;
/** In UTF-16 units. The reply repeats an alias for each element of a list. */
const longestName = 128;

const refusals = {
  depth: (most: number) => `its fields nest deeper than ${most}`,
  aliases: (most: number) => `it has more than ${most} aliases`,
  nameLength: (most: number) => `it has a name of more than ${most} characters`,
};
type DocumentBound = keyof typeof refusals;

/**
 * Rejects a document over a limit (Contract 8.4.1, 8.4.2, 8.4.7) before other rules visit it. `boundedCost` limits what its operations
 * cost.
 */
export function boundsRule({ graphqlMaxDepth }: Pick<Settings, 'graphqlMaxDepth'>): ValidationRule {
  const bounds: Record<DocumentBound, number> = {
    depth: graphqlMaxDepth,
    aliases: mostAliases,
    nameLength: longestName,
  };
  return (context): ASTVisitor => ({
    Document(document) {
      const counted = { depth: depthOf(document, context), ...count(document) };
      const exceeded = (Object.keys(refusals) as DocumentBound[]).find(
        (name) => counted[name] > bounds[name],
      );
      if (!exceeded) return undefined;
      context.reportError(refusal(refusals[exceeded](bounds[exceeded])));
      // Removing the document stops the visit for every rule.
      return null;
    },
  });
}

/**
 * Measures an operation, trusted or not, with its variables.
 * @throws GraphQLError if it exceeds the complexity limit (Contract 8.4.4)
 */
export function boundedCost(
  schema: GraphQLSchema,
  requested: RequestedOperation,
  { graphqlMaxComplexity: most }: Pick<Settings, 'graphqlMaxComplexity'>,
  countReferences: CountReferences,
): Cost {
  const cost = measureOperation(requested, schema, countReferences);
  if (cost.complexity <= most) return cost;
  const [costliest] = [...(cost.roots?.values() ?? [])].sort(
    (one, other) => other.complexity - one.complexity,
  );
  throw refusal(
    `its complexity is ${cost.complexity}, and ${most} is allowed` +
      (costliest ? `; its root field ${costliest.name} costs most, ${costliest.complexity}` : ''),
  );
}

const refusal = (reason: string): GraphQLError =>
  new GraphQLError(`The document asks for too much: ${reason}.`, { extensions: { http: { status: 400 } } });

/** How deep the fields of the operations nest, not counting introspection: the usual query of tools nests deeper. */
function depthOf(document: DocumentNode, context: ValidationContext): number {
  const known = new Map<string, number>();
  const within = (set: SelectionSetNode | undefined): number =>
    Math.max(0, ...(set?.selections.map(from) ?? []));
  const from = (selection: SelectionNode): number => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return within(selection.selectionSet);
    const name = selection.name.value;
    if (selection.kind === Kind.FIELD) return name.startsWith('__') ? 1 : 1 + within(selection.selectionSet);
    if (!known.has(name)) {
      // A fragment inside itself counts as nothing: GraphQL's own rules reject it.
      known.set(name, 0);
      known.set(name, within(context.getFragment(name)?.selectionSet));
    }
    return known.get(name)!;
  };
  return Math.max(
    ...document.definitions.map((each) =>
      each.kind === Kind.OPERATION_DEFINITION ? within(each.selectionSet) : 0,
    ),
  );
}

function count(document: DocumentNode): Record<'aliases' | 'nameLength', number> {
  let aliases = 0;
  let nameLength = 0;
  visit(document, {
    enter(node) {
      if (node.kind === Kind.FIELD && node.alias) aliases += 1;
      else if (node.kind === Kind.NAME) nameLength = Math.max(nameLength, node.value.length);
    },
  });
  return { aliases, nameLength };
}
