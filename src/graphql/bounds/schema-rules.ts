import { type ASTVisitor, GraphQLError, type ValidationContext, type ValidationRule } from 'graphql';
import { type Settings } from '../../settings/settings.js';

type IntrospectionSettings = Pick<Settings, 'environment' | 'introspection' | 'trustedDocumentsOnly'>;

export const isIntrospectionOn = ({
  environment,
  introspection,
  trustedDocumentsOnly,
}: IntrospectionSettings): boolean =>
  trustedDocumentsOnly === 'off' && (introspection ? introspection === 'on' : environment !== 'production');

/** In production, no message suggests names of the schema. */
export const hidesNames = ({ environment }: Pick<Settings, 'environment'>): boolean =>
  environment === 'production';

/** Rejects an operation type that the schema lacks: execution would answer as if the operation had run. */
const servedOperationsRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition(node) {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`The schema has no ${node.operation}s.`, { nodes: node }));
  },
});

/** The rule of graphql-js reports an error for each field within, and Apollo's says how to set up the server. */
const noIntrospectionRule = (context: ValidationContext): ASTVisitor => ({
  Field(node) {
    if (!['__schema', '__type'].includes(node.name.value)) return;
    const message =
      'Introspection is off. The client package contains the schema, as does schema/schema.graphql of the release.';
    context.reportError(new GraphQLError(message, { nodes: node }));
  },
});

/** The rules for documents, besides the specified ones. */
export const schemaRules = (settings: IntrospectionSettings): ValidationRule[] => [
  servedOperationsRule,
  ...(isIntrospectionOn(settings) ? [] : [noIntrospectionRule]),
];
