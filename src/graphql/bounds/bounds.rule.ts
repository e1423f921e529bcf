import { type ASTVisitor, type DocumentNode, GraphQLError, Kind, type ValidationRule, visit } from 'graphql';
import { type DocumentBounds } from './document-bounds.js';
import { measureDocument } from './measure-document.js';

const meanings: Record<keyof DocumentBounds, (most: number) => string> = {
  depth: (most) => `its fields nest deeper than ${most}`,
  aliases: (most) => `it has more than ${most} aliases`,
  directives: (most) => `it has more than ${most} directives`,
  complexity: (most) => `its complexity is more than ${most}`,
  nameLength: (most) => `it has a name of more than ${most} characters`,
};

/**
 * Refuses a document that asks for too much, naming the bound (Contract 8.4), before any other rule walks it: some of
 * GraphQL's own take time that grows faster than the document.
 */
export function boundsRule(bounds: DocumentBounds): ValidationRule {
  return (context): ASTVisitor => ({
    Document: {
      enter(document) {
        const counted = { ...measureDocument(context.getSchema(), document), ...count(document) };
        const exceeded = (Object.keys(meanings) as (keyof DocumentBounds)[]).find(
          (name) => counted[name] > bounds[name],
        );
        if (!exceeded) return undefined;
        context.reportError(
          new GraphQLError(`The document asks for too much: ${meanings[exceeded](bounds[exceeded])}.`),
        );
        // Taking the document out of the walk ends it for every rule.
        return null;
      },
    },
  });
}

/** Aliases, directives and the longest name as they are written, wherever they stand. */
function count(document: DocumentNode): Pick<DocumentBounds, 'aliases' | 'directives' | 'nameLength'> {
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
