import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import { type Logger } from 'pino';
import { type RequestContext } from '../access/request-context.js';
import { type DomainError } from '../errors/domain-error.js';
import { type Settings } from '../settings.js';
import { replyPlugin } from './reply.plugin.js';

type ApolloSettings = Pick<Settings, 'environment' | 'introspection' | 'graphqlMaxTokens'>;

/** Apollo Server over the guarded schema; started, so that it can take requests. */
export async function startApollo(
  schema: GraphQLSchema,
  { environment, introspection, graphqlMaxTokens }: ApolloSettings,
  dependencies: { log: Logger; report: (error: DomainError, requestId: string) => void },
): Promise<ApolloServer<RequestContext>> {
  const isProduction = environment === 'production';
  const apollo = new ApolloServer<RequestContext>({
    schema,
    nodeEnv: environment,
    introspection: introspection ? introspection === 'on' : !isProduction,
    hideSchemaDetailsFromClientErrors: isProduction,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: graphqlMaxTokens },
    formatError: nameRefusal,
    logger: dependencies.log,
    plugins: [replyPlugin(dependencies.report), ApolloServerPluginCacheControlDisabled()],
  });
  await apollo.start();
  return apollo;
}

/** What Apollo refuses before there is an operation has the catalogue's code, too. */
function nameRefusal(formatted: GraphQLFormattedError): GraphQLFormattedError {
  return {
    ...formatted,
    extensions: { code: 'BAD_USER_INPUT', error: 'body-format-error', status: 400, ...formatted.extensions },
  };
}
