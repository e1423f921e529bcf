import {
  type ASTVisitor,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { type Settings } from '../../settings/settings.js';

type IntrospectionSettings = Pick<Settings, 'environment' | 'introspection' | 'trustedDocumentsOnly'>;

export const isIntrospectionOn = ({
  environment,
  introspection,
  trustedDocumentsOnly,
}: IntrospectionSettings): boolean =>
  trustedDocumentsOnly === 'off' && (introspection ? introspection === 'on' : environment !== 'production');

/** Rejects an operation type that the schema lacks: execution would answer as if the operation had run (Contract 7.2.4). */
const servedOperationsRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition(node) {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`The schema has no ${node.operation}s.`, { nodes: node }));
  },
});

/** What documents may not ask of the schema, beside the specified rules. */
export const schemaRules = (settings: IntrospectionSettings): ValidationRule[] => [
  servedOperationsRule,
  ...(isIntrospectionOn(settings) ? [] : [NoSchemaIntrospectionCustomRule]),
];
