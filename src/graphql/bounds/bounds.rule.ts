import {
  type ASTVisitor,
  type DocumentNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
  visit,
} from 'graphql';
import { type Settings } from '../../settings/settings.js';
import { refusal } from './price-operation.js';

const mostAliases = 15;

/**
 * Rejects a document over a limit before other rules visit it. `assertComplexity` limits what its operations cost.
 */
export const boundsRule =
  ({ graphqlMaxDepth }: Pick<Settings, 'graphqlMaxDepth'>): ValidationRule =>
  (context): ASTVisitor => ({
    Document(document) {
      if (depthOf(document, context) > graphqlMaxDepth)
        context.reportError(refusal(`its fields nest deeper than ${graphqlMaxDepth}`));
      else if (aliasesOf(document) > mostAliases)
        context.reportError(refusal(`it has more than ${mostAliases} aliases`));
      else return undefined;
      // Removing the document stops the visit for every rule.
      return null;
    },
  });

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

function aliasesOf(document: DocumentNode): number {
  let aliases = 0;
  visit(document, { Field: ({ alias }) => void (aliases += alias ? 1 : 0) });
  return aliases;
}
