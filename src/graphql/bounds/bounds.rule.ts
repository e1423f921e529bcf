import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type ValidationRule,
  visit,
} from 'graphql';
import { type Settings } from '../../settings/settings.js';
import { type Cost, measureDocument, measureOperation } from './measure-document.js';
import { type Requested } from './given-values.js';
import { type CountReferences } from './weights.js';

const mostAliases = 15;
const mostDirectives = 50;
/** In UTF-16 units. The reply repeats an alias for each node of a list. */
const longestName = 128;

const refusals = {
  depth: (most: number) => `its fields nest deeper than ${most}`,
  aliases: (most: number) => `it has more than ${most} aliases`,
  directives: (most: number) => `it has more than ${most} directives`,
  complexity: (most: number, { complexity, roots }: Cost) =>
    `its complexity is ${complexity}, and ${most} is allowed` +
    [...(roots?.values() ?? [])]
      .sort((one, other) => other.complexity - one.complexity)
      .slice(0, 1)
      .map((root) => `; its root field ${root.name} costs most, ${root.complexity}`)
      .join(''),
  nameLength: (most: number) => `it has a name of more than ${most} characters`,
};
type Measure = keyof typeof refusals;

/**
 * Rejects a document over a limit (Contract 8.4) before other rules visit it: the time of some rules grows faster than the document. A
 * page size in a variable counts as 1; `boundedCost` checks the real value later.
 */
export function boundsRule(
  settings: Pick<Settings, 'graphqlMaxDepth' | 'graphqlMaxComplexity'>,
  countReferences: CountReferences,
): ValidationRule {
  const bounds: Record<Measure, number> = {
    depth: settings.graphqlMaxDepth,
    complexity: settings.graphqlMaxComplexity,
    aliases: mostAliases,
    directives: mostDirectives,
    nameLength: longestName,
  };
  return (context): ASTVisitor => ({
    Document(document) {
      const counted = {
        ...measureDocument(context.getSchema(), document, countReferences),
        ...count(document),
      };
      const exceeded = (Object.keys(refusals) as Measure[]).find((name) => counted[name] > bounds[name]);
      if (!exceeded) return undefined;
      context.reportError(refusal(exceeded, bounds[exceeded], counted));
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
  requested: Requested,
  { graphqlMaxComplexity: most }: Pick<Settings, 'graphqlMaxComplexity'>,
  countReferences: CountReferences,
): Cost {
  const cost = measureOperation(requested, schema, countReferences);
  if (cost.complexity > most) throw refusal('complexity', most, cost);
  return cost;
}

const refusal = (measure: Measure, most: number, cost: Cost): GraphQLError =>
  new GraphQLError(`The document asks for too much: ${refusals[measure](most, cost)}.`, {
    extensions: { http: { status: 400 } },
  });

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
