import {
  type ASTVisitor,
  getNamedType,
  GraphQLError,
  isIntrospectionType,
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

/** In production, no message suggests names of the schema (Contract 8.4.6). */
export const hidesNames = ({ environment }: Pick<Settings, 'environment'>): boolean =>
  environment === 'production';

/** Rejects an operation type that the schema lacks: execution would answer as if the operation had run (Contract 7.2.4). */
const servedOperationsRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition(node) {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`The schema has no ${node.operation}s.`, { nodes: node }));
  },
});

/** Reports one error for a document. The rule of graphql-js reports one for each field, and Apollo's says how to set up the server. */
function noIntrospectionRule(context: ValidationContext): ASTVisitor {
  let isReported = false;
  return {
    Field(node) {
      const type = getNamedType(context.getType());
      if (isReported || !type || !isIntrospectionType(type)) return;
      isReported = true;
      const message =
        'Introspection is off. The client package contains the schema, as does schema/schema.graphql of the release.';
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** What documents may not ask of the schema, beside the specified rules. */
export const schemaRules = (settings: IntrospectionSettings): ValidationRule[] => [
  servedOperationsRule,
  ...(isIntrospectionOn(settings) ? [] : [noIntrospectionRule]),
];
