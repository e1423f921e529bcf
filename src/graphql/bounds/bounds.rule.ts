import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type ValidationRule,
  visit,
} from 'graphql';
import { type Settings } from '../../settings.js';
import { measureDocument, measureOperation, type Requested } from './measure-document.js';

/** An alias lets a caller ask for one field many times; a page of a front-end needs a handful. */
const mostAliases = 15;
/** Directives cost time in validation and are of little use by the dozen. */
const mostDirectives = 50;
/** In UTF-16 units, and longer than the names that tools make. An alias is answered once for each node of a list. */
const longestName = 128;

/** What is bounded, and what a caller is told of a document that has more of it. Its tokens are bounded by the parser. */
const refusals = {
  depth: (most: number) => `its fields nest deeper than ${most}`,
  aliases: (most: number) => `it has more than ${most} aliases`,
  directives: (most: number) => `it has more than ${most} directives`,
  complexity: (most: number) => `its complexity is more than ${most}`,
  nameLength: (most: number) => `it has a name of more than ${most} characters`,
};
type Measure = keyof typeof refusals;

/**
 * Refuses a document past a bound (Contract 8.4) before other rules walk it: the time of some grows faster than the document.
 * Of page sizes in variables it assumes the least: `assertComplexity` knows them.
 */
export function boundsRule({
  graphqlMaxDepth: depth,
  graphqlMaxComplexity: complexity,
}: Pick<Settings, 'graphqlMaxDepth' | 'graphqlMaxComplexity'>): ValidationRule {
  const bounds: Record<Measure, number> = {
    depth,
    complexity,
    aliases: mostAliases,
    directives: mostDirectives,
    nameLength: longestName,
  };
  return (context): ASTVisitor => ({
    Document: {
      enter(document) {
        const counted = { ...measureDocument(context.getSchema(), document), ...count(document) };
        const exceeded = (Object.keys(refusals) as Measure[]).find((name) => counted[name] > bounds[name]);
        if (!exceeded) return undefined;
        context.reportError(refusal(exceeded, bounds[exceeded]));
        // Taking the document out of the walk ends it for every rule.
        return null;
      },
    },
  });
}

/** @throws GraphQLError for an operation, trusted or not, that with its variables is past the bound of complexity (Contract 8.4.4) */
export function assertComplexity(
  schema: GraphQLSchema,
  requested: Requested,
  { graphqlMaxComplexity: most }: Pick<Settings, 'graphqlMaxComplexity'>,
): void {
  if (measureOperation(schema, requested) > most) throw refusal('complexity', most);
}

const refusal = (measure: Measure, most: number): GraphQLError =>
  new GraphQLError(`The document asks for too much: ${refusals[measure](most)}.`, {
    extensions: { http: { status: 400 } },
  });

/** Aliases, directives and the longest name as they are written, wherever they stand. */
function count(document: DocumentNode): Record<'aliases' | 'directives' | 'nameLength', number> {
  let aliases = 0;
  let directives = 0;
  let nameLength = 0;
  visit(document, {
    enter(node) {
      if (node.kind === Kind.DIRECTIVE) directives += 1;
      else if (node.kind === Kind.FIELD && node.alias) aliases += 1;
      else if (node.kind === Kind.NAME) nameLength = Math.max(nameLength, node.value.length);
    },
  });
  return { aliases, directives, nameLength };
}
