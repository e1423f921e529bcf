import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import { type DocumentNode, type GraphQLSchema } from 'graphql';
import { type Logger } from 'pino';
import { type RequestContext } from '../access/request-context.js';
import { type Settings } from '../settings.js';
import { assertComplexity, boundsRule } from './bounds/bounds.rule.js';
import { servedOperationsRule } from './bounds/served-operations.rule.js';
import { introspectionRules } from './bounds/introspection.js';
import { type SettleReply } from './settle-reply.js';
import { type TrustedDocuments } from './trusted/trusted-documents.js';

/** The most tokens of a document: twice what one that uses the whole schema has. */
const mostTokens = 1_000;

/** How many errors of one stage are looked for and told; GraphQL adds one that says that there are more. */
const mostFaults = { inDocument: 20, inVariables: 5 };

/** Apollo Server over the guarded schema; started, so that it can take requests. */
export async function startApollo(
  schema: GraphQLSchema,
  settings: Settings,
  { log, settle, trusted }: { log: Logger; settle: SettleReply; trusted: TrustedDocuments },
): Promise<ApolloServer<RequestContext>> {
  const { environment } = settings;
  const apollo = new ApolloServer<RequestContext>({
    schema,
    nodeEnv: environment,
    // Its own refusal tells callers how to configure Apollo Server; a rule below takes its place.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    documentStore: new DocumentStore(trusted),
    // It only reads: anybody could fill that store without a token, and it would only help those who send documents by their hash.
    persistedQueries: {
      cache: {
        get: async (key) => trusted.get(hashIn(key))?.source,
        set: async () => undefined,
        delete: async () => undefined,
      },
    },
    parseOptions: { maxTokens: mostTokens },
    // Each error prints the whole value that it refuses before the message can be cut.
    validationOptions: { maxErrors: mostFaults.inDocument },
    executionOptions: { maxCoercionErrors: mostFaults.inVariables },
    validationRules: [boundsRule(settings), servedOperationsRule, ...introspectionRules(settings)],
    logger: log,
    plugins: [
      replyPlugin(settle, (operation) => assertComplexity(schema, operation, settings)),
      ApolloServerPluginCacheControlDisabled(),
      // The room `pages` decides what browsers get.
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
  await apollo.start();
  return apollo;
}

/** The documents that Apollo has parsed and validated: the trusted ones for good, and of the others those that came last. */
class DocumentStore extends InMemoryLRUCache<DocumentNode> {
  constructor(private readonly trusted: TrustedDocuments) {
    super();
  }

  override async get(key: string): Promise<DocumentNode | undefined> {
    return this.trusted.get(hashIn(key))?.document ?? super.get(key);
  }
}

/** The hash in a key of Apollo's, which has a prefix. */
const hashIn = (key: string): string => key.slice(key.lastIndexOf(':') + 1);

/** Bounds what runs, and gives every reply of Apollo's its described errors, its HTTP status and headers, and the state of the quota. */
const replyPlugin = (
  settle: SettleReply,
  assertBounded: (operation: Parameters<typeof assertComplexity>[1]) => void,
): ApolloServerPlugin<RequestContext> => ({
  requestDidStart: async ({ request }) => {
    // GraphQL over HTTP takes an empty name for none.
    if (request.operationName === '') delete request.operationName;
    return {
      didResolveOperation: async ({ document, operation }) =>
        assertBounded({ document, operation, variables: request.variables ?? {} }),
      willSendResponse: async ({ response, errors = [], contextValue: context, document }) => {
        if (response.body.kind !== 'single') return;
        const { singleResult: result } = response.body;
        const { status, headers } = await settle({
          result,
          errors,
          document,
          operationName: request.operationName,
          context,
        });
        if (status !== undefined) response.http.status = status;
        for (const [name, value] of Object.entries(headers)) response.http.headers.set(name, value);
      },
    };
  },
});
