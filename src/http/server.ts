import {
  fastify,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { type Socket } from 'node:net';
import { type Logger } from 'pino';
import { type Caller } from '../access/caller.js';
import { createFailureLimiter } from '../access/failure-limiter.js';
import { catalogue, type ErrorCode } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { errorHeaders } from '../errors/error-headers.js';
import { toDomainError } from '../errors/mask-error.js';
import { tooLarge } from '../errors/too-large.js';
import { type Settings } from '../settings.js';
import { type Tracing } from '../tracing/start-tracing.js';
import { answerInTurn } from './answer-in-turn.js';
import { countFailures } from './authentication.js';
import { refuseBroken } from './broken-requests.js';
import { applyBrowserRules } from './browser-rules.js';
import { applyCacheRules } from './cache-rules.js';
import { preferredLanguage } from './language.js';
import { nearestPaths } from './nearest-path.js';
import { callerLeft, tellEnds } from './on-end.js';
import { type Report } from './log.js';
import { onceAMinute } from './once-a-minute.js';
import { refuseOtherMethods } from './other-methods.js';
import { assertNotEncoded, assertQuery } from './read-json.js';
import { boundRequestBytes } from './request-bytes.js';
import { longestPart, routable } from './routable.js';
import { requestIdOf } from './request-id.js';
import { boundReplyTime, serverOptions } from './time-outs.js';
import { connectionError, refuseOnSocket, refuseUnreadable } from './unreadable.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null without a token, and on paths that ask for none. */
    caller: Caller | null;
    /** As `RequestContext` has it. */
    countFailure: () => DomainError | null;
  }
}

/** A refused body is read and dropped up to this many times what a body may have; then its connection is cut. */
const runOffFactor = 4;

/** A client has this many times as long to read a reply as to send a request. */
const replyTimeFactor = 4;

/** The codes for what Fastify and its plugins refuse, by the status that they give it. Any other refusal is body-format-error. */
const frameworkCodes: Record<number, ErrorCode> = {
  412: 'version-conflict',
  415: 'content-type-not-supported',
};

const noSchemas = () => {
  throw new Error('routes have no schemas here');
};

/** Makes an error of the catalogue of any error of a request. */
export function requestError(error: unknown, request: Pick<FastifyRequest, 'routeOptions'>): DomainError {
  const { statusCode = 500, code, message } = (error ?? {}) as Partial<FastifyError>;
  if (statusCode === 413) return tooLarge(request.routeOptions.bodyLimit, undefined, error);
  // The caller hung up before its body was whole. By its code it would be taken for a connection to the database.
  const hasLeft = code === 'ECONNRESET' && message === 'aborted';
  const isRefusal = statusCode >= 400 && statusCode < 500;
  if (!hasLeft && !isRefusal) return toDomainError(error);
  return new DomainError(frameworkCodes[statusCode] ?? 'body-format-error', { cause: error });
}

const notFound = (nearest: string | null): DomainError =>
  new DomainError(
    'not-found',
    nearest ? { hint: { en: `the nearest is ${nearest}`, fr: `le plus proche est ${nearest}` } } : {},
  );

/** What a route says of a file that it sends. */
const fileHeaders = ['etag', 'last-modified', 'accept-ranges'];

/** Answers with the documented body of an error and its headers. */
function answerError(
  error: DomainError,
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
): FastifyReply {
  const body = toErrorBody(error, preferredLanguage(headers['accept-language']));
  // A file that could not be read has left its headers: the error would be taken for the file.
  for (const name of reply.raw.getHeaderNames()) reply.raw.removeHeader(name);
  for (const name of fileHeaders) void reply.removeHeader(name);
  return reply.code(body.status).headers(errorHeaders(error)).send(body);
}

interface Dependencies {
  log: Logger;
  report: Report;
  tracing?: Pick<Tracing, 'traceRequests'> | undefined;
}

/** The HTTP server: bounds, a request id on every reply, and the documented body for every error (Contract 7.1, 7.7, 8.6). */
export function createServer(settings: Settings, { log, report, tracing }: Dependencies): FastifyInstance {
  const failures = createFailureLimiter(settings.authFailureQuota);
  const app = fastify({
    logger: false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    bodyLimit: settings.bodyMaxBytes,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    ...serverOptions(settings.requestTimeoutMs),
    // While the process stops, requests on open connections are still answered (Contract 11.4).
    return503OnClosing: false,
    routerOptions: { maxParamLength: longestPart },
    rewriteUrl: ({ url }) => routable(url),
    // No route has a schema of Fastify's. Its compilers of schemas would be loaded at each start all the same.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
      // A request that came whole may not be told the fault of what was sent after it: it may be running (Contract 9.6).
      const awaited = awaitedOn(socket);
      if (awaited) return awaited.once('close', () => socket.destroySoon());
      const refusal = connectionError(error);
      return refuseRest(socket, refusal, error.code) || refuseBare(socket, refusal);
    },
  });
  const tellEnd = tellEnds(app);
  const refuseBare: typeof refuseOnSocket = (socket, error, headers) => {
    const id = refuseOnSocket(socket, error, headers);
    // A connection that has sent nothing brings no request: browsers open such ones ahead. How long others took is not known.
    if (socket.bytesRead > 0) tellEnd({ id }, { status: catalogue[error.code].status, ms: 0 });
    return id;
  };
  tracing?.traceRequests(app);
  const refuseRest = refuseBroken(app);
  countFailures(app, failures);
  const awaitedOn = answerInTurn(app);
  refuseOtherMethods(app);
  const nearestPath = nearestPaths(app);
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  boundRequestBytes(app, runOffFactor * (settings.bodyMaxBytes + settings.logoMaxBytes));
  boundReplyTime(app, replyTimeFactor * settings.requestTimeoutMs);
  applyBrowserRules(app, settings);
  applyCacheRules(app);
  refuseUnreadable(app, refuseBare);

  app.decorateRequest('caller', null);
  app.onEnd(({ id: requestId, method, originalUrl }, { status, ms }) => {
    const path = originalUrl?.split('?')[0];
    log.info(
      { requestId, method, path, status, ms: Math.round(ms) },
      status === callerLeft ? 'left' : 'answered',
    );
  });
  const logRefused = onceAMinute((address, count, latest: { requestId: string; status: number }) =>
    log.warn({ address, count, ...latest }, 'an address was refused'),
  );
  app.addHook('onSend', ({ id, ip }, { statusCode }, _payload, done) => {
    if (statusCode === 401 || statusCode === 429) logRefused(ip, { requestId: id, status: statusCode });
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = requestError(error, request);
    // Callers without a token are bounded by address here too: even a path that is not there costs time (Contract 8.3).
    const isStrangers = !request.caller && catalogue[refusal.code].status < 500;
    const domainError = (isStrangers && request.countFailure()) || refusal;
    report(domainError, request.id);
    return answerError(domainError, request, reply);
  });
  // After the token was looked at, so that the refusal counts for its caller.
  app.addHook('preParsing', async ({ url, headers }) => {
    assertQuery(url);
    assertNotEncoded(headers['content-encoding']);
  });
  // A path that is not there is refused before a body is read. The route `*` is that of the plugin for CORS, which has answered
  // whatever is a preflight by now.
  app.addHook('onRequest', ({ is404, routeOptions, url }, _reply, done) =>
    done(is404 || routeOptions.url === '*' ? notFound(nearestPath(url)) : undefined),
  );
  // A plugin finds out later: a file of the pages may be gone by then. Fastify would answer in a form of its own.
  app.setNotFoundHandler(({ url }, reply) => reply.send(notFound(nearestPath(url))));
  return app;
}
