import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { type GraphQLSchema } from 'graphql';
import { type Logger } from 'pino';
import { type CountRefusal } from '../access/quotas.js';
import { type RequestContext } from '../access/request-context.js';
import { type DomainError } from '../errors/domain-error.js';
import { type Settings } from '../settings.js';
import { boundsRule } from './bounds/bounds.rule.js';
import { longestName, mostAliases, mostDirectives, mostTokens } from './bounds/document-bounds.js';
import { replyPlugin } from './reply.plugin.js';

type ApolloSettings = Pick<
  Settings,
  'environment' | 'introspection' | 'graphqlMaxDepth' | 'graphqlMaxComplexity'
>;

/** How many errors of one stage are looked for and told; GraphQL adds one that says that there are more. */
const mostErrors = { inDocument: 20, inVariables: 5 };

/** Whether the schema may be asked for: as INTROSPECTION says, else everywhere but in production. */
export const isIntrospectionOn = ({
  environment,
  introspection,
}: Pick<Settings, 'environment' | 'introspection'>): boolean =>
  introspection ? introspection === 'on' : environment !== 'production';

/** Apollo Server over the guarded schema; started, so that it can take requests. */
export async function startApollo(
  schema: GraphQLSchema,
  settings: ApolloSettings,
  dependencies: {
    log: Logger;
    report: (error: DomainError, requestId: string) => void;
    countRefusal: CountRefusal;
  },
): Promise<ApolloServer<RequestContext>> {
  const { environment } = settings;
  const apollo = new ApolloServer<RequestContext>({
    schema,
    nodeEnv: environment,
    introspection: isIntrospectionOn(settings),
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    // A store that anybody may fill without a token would only help who sends the same document by its hash.
    persistedQueries: false,
    parseOptions: { maxTokens: mostTokens },
    // Each error prints what it refuses, whole, before it can be cut.
    validationOptions: { maxErrors: mostErrors.inDocument },
    executionOptions: { maxCoercionErrors: mostErrors.inVariables },
    validationRules: [
      boundsRule({
        depth: settings.graphqlMaxDepth,
        aliases: mostAliases,
        directives: mostDirectives,
        complexity: settings.graphqlMaxComplexity,
        nameLength: longestName,
      }),
    ],
    logger: dependencies.log,
    plugins: [
      replyPlugin(dependencies.report, {
        hasHints: environment !== 'production',
        countRefusal: dependencies.countRefusal,
      }),
      ApolloServerPluginCacheControlDisabled(),
      // What browsers get is decided where the other pages are.
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
  await apollo.start();
  return apollo;
}
