import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';

/** Rejects an operation type that the schema lacks: execution would answer as if the operation had run (Contract 7.2.4). */
export const servedOperationsRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition(node) {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`The schema has no ${node.operation}s.`, { nodes: node }));
  },
});
