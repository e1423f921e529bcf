import { type ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import { type FastifyInstance, type FastifyRequest, type onRequestAsyncHookHandler } from 'fastify';
import { GraphQLError } from 'graphql';
import { processRequest } from 'graphql-upload-minimal';
import { type RequestContext } from '../access/request-context.js';
import { uploadError } from '../company/logo/upload-error.js';
import { DomainError } from '../errors/domain-error.js';
import { errorHeaders } from '../errors/error-headers.js';
import { catalogue } from '../errors/catalogue.js';
import { preferredLanguage } from '../http/language.js';
import { requestError } from '../http/server.js';
import { type Settings } from '../settings.js';
import { describeError } from './describe-error.js';

interface Dependencies {
  apollo: ApolloServer<RequestContext>;
  authenticate: onRequestAsyncHookHandler;
  report: (error: DomainError, requestId: string) => void;
  settings: Pick<Settings, 'bodyMaxBytes' | 'logoMaxBytes'>;
}

/** GraphQL at `/graphql`: JSON, GET, and multipart as the multipart request specification has it (Contract 4.4.1). */
export async function registerGraphQLRoutes(app: FastifyInstance, dependencies: Dependencies): Promise<void> {
  const { apollo, authenticate, report, settings } = dependencies;
  const { bodyMaxBytes, logoMaxBytes } = settings;

  await app.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', async (request: FastifyRequest) => {
      if (Number(request.headers['content-length'] ?? 0) > bodyMaxBytes + logoMaxBytes) {
        throw new DomainError('payload-too-large');
      }
      // One byte more than is taken: a file that is cut at the bound itself would be told only at its end.
      const limits = { maxFieldSize: bodyMaxBytes, maxFileSize: logoMaxBytes + 1, maxFiles: 1 };
      // The reader only asks when the reply is over, which the request tells as well.
      return processRequest(request.raw, undefined as never, limits).catch((cause: unknown) => {
        throw uploadError(cause);
      });
    });

    // What fails before there is an operation is told in GraphQL's own form, too.
    scope.setErrorHandler((error, request, reply) => {
      const domainError = requestError(error);
      report(domainError, request.id);
      const { formatted } = describeError(new GraphQLError('', { originalError: domainError }), {
        requestId: request.id,
        language: preferredLanguage(request.headers['accept-language']),
      });
      return reply
        .code(catalogue[domainError.code].status)
        .headers(errorHeaders(domainError))
        .send({ errors: [formatted] });
    });

    scope.route({
      method: ['GET', 'POST'],
      url: '/graphql',
      onRequest: authenticate,
      handler: fastifyApolloHandler(apollo, {
        context: async (request): Promise<RequestContext> => ({
          requestId: request.id,
          transport: 'graphql',
          caller: request.caller,
          countFailure: request.countFailure,
          language: preferredLanguage(request.headers['accept-language']),
          readFaults: [],
        }),
      }),
    });
  });
}
