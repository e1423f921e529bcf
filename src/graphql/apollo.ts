import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import { type DocumentNode, type GraphQLSchema } from 'graphql';
import { type Logger } from 'pino';
import { type RequestContext } from '../permissions/request-context.js';
import { type Settings } from '../settings/settings.js';
import { boundsRule } from './bounds/bounds.rule.js';
import { hidesNames, schemaRules } from './bounds/schema-rules.js';
import { type FormatReply } from './format-reply.js';
import { operationRunner } from './run-operation.js';
import { type TrustedDocuments } from './trusted/trusted-documents.js';

/** Twice the tokens of a document that uses the whole schema. */
const mostTokens = 1_000;

/** After this many errors of a document, GraphQL stops. */
const mostDocumentFaults = 20;

interface Dependencies {
  log: Logger;
  formatReply: FormatReply;
  trusted: TrustedDocuments;
}

export async function startApollo(
  schema: GraphQLSchema,
  settings: Settings,
  { log, formatReply, trusted }: Dependencies,
): Promise<ApolloServer<RequestContext>> {
  const runOperation = operationRunner(schema, settings.graphqlMaxComplexity);
  const apollo = new ApolloServer<RequestContext>({
    // Apollo Server executes nothing itself: a "gateway" is its way to leave that to a function.
    gateway: {
      onSchemaLoadOrUpdate: (callback) => {
        callback({ apiSchema: schema, coreSupergraphSdl: '' });
        return () => undefined;
      },
      load: async () => ({
        executor: async ({ document, operation, request, context }) =>
          runOperation(
            { document, operation, operationName: request.operationName, variables: request.variables ?? {} },
            context as RequestContext,
          ),
      }),
      stop: async () => undefined,
    },
    nodeEnv: settings.environment,
    // `schemaRules` turns introspection off instead: Apollo's error would tell callers how to configure the server.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    documentStore: new DocumentStore(trusted),
    // Read-only, or anyone could fill this cache without a token.
    persistedQueries: {
      cache: {
        get: async (key) => trusted.get(hashIn(key))?.source,
        set: async () => undefined,
        delete: async () => undefined,
      },
    },
    parseOptions: { maxTokens: mostTokens },
    validationOptions: { maxErrors: mostDocumentFaults, hideSuggestions: hidesNames(settings) },
    validationRules: [boundsRule(settings), ...schemaRules(settings)],
    logger: log,
    plugins: [
      replyPlugin(formatReply),
      ApolloServerPluginCacheControlDisabled(),
      // `pages/` serves the landing page.
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
  await apollo.start();
  return apollo;
}

/** Caches parsed and validated documents: all trusted documents, and the most recent others. */
class DocumentStore extends InMemoryLRUCache<DocumentNode> {
  constructor(private readonly trusted: TrustedDocuments) {
    super();
  }

  override async get(key: string): Promise<DocumentNode | undefined> {
    return this.trusted.get(hashIn(key))?.document ?? super.get(key);
  }
}

/** Apollo's cache keys have a prefix before the hash. */
const hashIn = (key: string): string => key.slice(key.lastIndexOf(':') + 1);

const replyPlugin = (formatReply: FormatReply): ApolloServerPlugin<RequestContext> => ({
  requestDidStart: async ({ request }) => {
    // In GraphQL over HTTP, an empty operation name means no name.
    if (request.operationName === '') delete request.operationName;
    return {
      didResolveOperation: async ({ operation, contextValue: { work } }) => {
        work.operation = operation?.name?.value;
      },
      willSendResponse: async ({ response, errors = [], contextValue: context, document, operation }) => {
        if (response.body.kind !== 'single') return;
        const { singleResult: result } = response.body;
        const { status, headers } = await formatReply({
          result,
          errors,
          document,
          operation,
          operationName: request.operationName,
          variables: request.variables ?? {},
          context,
        });
        if (status !== undefined) response.http.status = status;
        for (const [name, value] of Object.entries(headers)) response.http.headers.set(name, value);
      },
    };
  },
});
