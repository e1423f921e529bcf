import { type ApolloServer, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import { type FastifyInstance, type FastifyRequest, type onRequestAsyncHookHandler } from 'fastify';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { GraphQLUpload, processRequest, Upload } from 'graphql-upload-minimal';
import { contextOf, type RequestContext } from '../permissions/request-context.js';
import { spareFileBytes, uploadError } from '../company/logo/logo-errors.js';
import { decodeUtf8, parseJson } from '../text/read-json.js';
import { assertMultipart, boundLength, leaveMultipart, parseBodies } from '../http/read-request.js';
import { type ErrorHandlerOptions, type ErrorResponder } from '../http/error-responder.js';
import { type Settings } from '../settings/settings.js';
import { boundParser } from './bound-parser.js';
import { refusedByApollo } from './refusal-of.js';
import { replyType } from '../http/negotiation.js';
import {
  asPersistedQuery,
  operationParameters,
  namedDocument,
  namesDocument,
  notSupported,
} from './trusted/named-document.js';
import { type TrustedDocuments } from './trusted/trusted-documents.js';

// GraphQL's messages print invalid values: print a file as `a file`, not as the library's object.
Object.assign(Upload.prototype, { toJSON: () => 'a file' });
// The library's error says only that the value is invalid.
const asFile = GraphQLUpload.parseValue;
GraphQLUpload.parseValue = (value) => (value instanceof Upload ? asFile(value) : refuseFile());
GraphQLUpload.parseLiteral = refuseFile;

function refuseFile(): never {
  throw new GraphQLError(
    'send the file as multipart/form-data (GraphQL multipart request specification), since JSON cannot hold a file',
  );
}

interface GraphQLDependencies {
  apollo: ApolloServer<RequestContext>;
  authenticate: onRequestAsyncHookHandler;
  /** Runs before authentication. */
  landingPage?: onRequestAsyncHookHandler | undefined;
  trusted: TrustedDocuments;
  errorResponder: ErrorResponder;
  settings: Pick<Settings, 'bodyMaxBytes' | 'logoMaxBytes' | 'trustedDocumentsOnly'>;
}

const options: ErrorHandlerOptions = {
  api: 'graphql',
  bucket: 'read',
  types: ['application/json', 'multipart/form-data'],
  replyType,
};

/** Serves POST with JSON or multipart, and GET. */
export async function registerGraphQLRoutes(
  app: FastifyInstance,
  { apollo, authenticate, landingPage, trusted, errorResponder, settings }: GraphQLDependencies,
): Promise<void> {
  const isOnly = settings.trustedDocumentsOnly === 'on';
  await app.register(async (scope) => {
    scope.removeContentTypeParser('text/plain');
    parseBodies(scope, 'application/json', (body) => parseJson(decodeUtf8(body)));
    leaveMultipart(scope);

    scope.setErrorHandler(errorResponder.errorHandler(options));
    scope.addHook('onRequest', async ({ method }, reply) => {
      void reply.header('vary', 'Accept, Accept-Language');
      if (method === 'GET') void reply.header('cache-control', 'private, no-store');
    });
    scope.route({
      method: ['GET', 'POST'],
      url: '/graphql',
      exposeHeadRoute: false,
      onRequest: [
        ...(landingPage ? [landingPage] : []),
        authenticate,
        boundLength(settings.bodyMaxBytes, settings.logoMaxBytes),
      ],
      preValidation: async (request) => {
        if (!request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data')) return;
        request.body = await readOperation(request, settings);
      },
      handler: async (request, reply) => {
        const operation = operationParameters(request);
        if (trusted.size === 0 && !isOnly && namesDocument(operation))
          return errorResponder.send([notSupported()], request, reply, options);
        const named = namedDocument(operation, trusted, { isOnly });
        const sent = forApollo(request);
        const context = contextOf(request, 'graphql');
        const {
          status = 200,
          headers,
          body,
        } = await apollo.executeHTTPGraphQLRequest({
          httpGraphQLRequest: named === undefined ? sent : asPersistedQuery(sent, operation, named),
          context: async () => context,
        });
        void reply.code(status).headers(Object.fromEntries(headers));
        const { string: result } = body as Extract<typeof body, { kind: 'complete' }>;
        if (context.reply.isFormatted) return result;
        const { errors } = JSON.parse(result) as { errors: GraphQLFormattedError[] };
        const refusals = errors.map(({ message }) =>
          refusedByApollo(reply.statusCode, message, context.language),
        );
        return errorResponder.send(refusals, request, reply, options);
      },
    });
  });
}

function forApollo(request: FastifyRequest): HTTPGraphQLRequest {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers))
    if (value) headers.set(name, [value].flat().join(', '));
  // If `Accept` allowed neither of Apollo's two types, Apollo would reject the request, but only after running the operation.
  headers.set('accept', replyType(request));
  const { method, url, body } = request;
  return { method, headers, search: new URL(url, 'http://localhost').search, body };
}

/** The file is read later, when the operation needs it. */
async function readOperation(
  { raw, headers }: FastifyRequest,
  { bodyMaxBytes, logoMaxBytes }: GraphQLDependencies['settings'],
): Promise<unknown> {
  const limits = { maxFieldSize: bodyMaxBytes, maxFileSize: logoMaxBytes + spareFileBytes, maxFiles: 1 };
  assertMultipart(headers['content-type']);
  // The library accepts the type only in lower case, and without a space before its parameters.
  headers['content-type'] = headers['content-type']?.replace(/^[^;]*/, 'multipart/form-data');
  boundParser(raw, bodyMaxBytes);
  try {
    // Pass no response: the library only listens for its close, and notices a broken request without it.
    return await processRequest(raw, undefined as never, limits);
  } catch (error) {
    throw uploadError(error);
  }
}
