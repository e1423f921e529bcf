import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';

/**
 * A validation rule: refuses operations of a type that the schema does not have. In this version of GraphQL only the
 * execution finds them, and then their refusal would look like the answer of an operation that ran (Contract 7.2.4).
 */
export const servedOperationsRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition(node) {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError('The schema has no such operations.', { nodes: node }));
  },
});
