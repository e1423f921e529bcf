import {
  fastify,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { randomUUID } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { type Logger } from 'pino';
import { type Caller } from '../access/caller.js';
import { createFailureLimiter } from '../access/failure-limiter.js';
import { catalogue, type ErrorCode } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { errorHeaders } from '../errors/error-headers.js';
import { preferredLanguage } from '../errors/language.js';
import { toDomainError } from '../errors/mask-error.js';
import { tooLarge } from '../errors/too-large.js';
import { type Report } from '../log/log.js';
import { onceAMinute } from '../log/once-a-minute.js';
import { type Settings } from '../settings.js';
import { failureCounter } from './authentication.js';
import { allowOrigins, browserPolicies, keepOrigin } from './browser-rules.js';
import { nearestPaths } from './nearest-path.js';
import { refuseOtherMethods } from './other-methods.js';
import { boundUnread, callerLeft, type End, refuseConnection, watchReplies } from './replies.js';
import { assertNotEncoded, assertQuery, droppedHeader } from './request-head.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null without a token, and on paths that ask for none. */
    caller: Caller | null;
    /** As `RequestContext` has it. */
    countFailure: () => DomainError | null;
  }
}

/** The longest part of a path, in characters as sent: a public id of 150, each encoded, has up to 1,800. */
const longestPart = 2_048;

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

/** Makes the span of a request. */
interface RequestTracer {
  /** Goes on in a new span. */
  begin(request: FastifyRequest, next: () => void): void;
  /** Goes on in the span of the request. */
  resume(request: FastifyRequest, next: () => void): void;
  end(request: FastifyRequest, status: number | null): void;
}

interface Dependencies {
  log: Logger;
  report: Report;
  /** Has the replies under way, oldest first. */
  replies: Set<ServerResponse>;
  /** Is told of each request that has ended, with the pattern of its route. */
  measure: (request: { method: string | undefined; route: string | undefined }, end: End) => void;
  tracing?: RequestTracer | undefined;
}

/** The request's own `X-Request-Id` where it is sane, otherwise a new one (Contract 7.7). */
const requestIdOf = (header: unknown): string =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();

/** Time-outs, from the one that an operator sets (Contract 8.6.3). */
const timeouts = (requestTimeoutMs: number) => ({
  /** The whole request must have come in; its headers sooner. */
  requestTimeout: requestTimeoutMs,
  /** A connection on which nothing moves, neither in nor out. */
  connectionTimeout: 2 * requestTimeoutMs,
  // Longer than the idle time of usual load balancers, which would otherwise send into a closing connection.
  keepAliveTimeout: 65_000,
  http: {
    // Node.js compares the time-out of the headers with this one, which Fastify sets only later.
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.ceil(requestTimeoutMs / 3),
    // Node.js looks for slow requests only this often, by default every 30 s.
    connectionsCheckingInterval: Math.min(1_000, Math.ceil(requestTimeoutMs / 10)),
  },
});

/** The HTTP server: bounds, a request id on every reply, and the documented body for every error (Contract 7.1, 7.7, 8.6). */
export function createServer(
  settings: Settings,
  { log, report, replies, measure, tracing }: Dependencies,
): FastifyInstance {
  const failures = createFailureLimiter(settings.authFailureQuota);
  const policies = browserPolicies(settings);
  const requests = new WeakMap<ServerResponse, FastifyRequest>();

  const end = (
    request: FastifyRequest | undefined,
    { method, url }: { method?: string | undefined; url?: string | undefined },
    { status, ms }: End,
  ) => {
    const path = url?.split('?')[0];
    const hasLeft = status === callerLeft;
    log.info(
      { requestId: request?.id, method, path, status, ms: Math.round(ms) },
      hasLeft ? 'left' : 'answered',
    );
    measure({ method, route: request?.routeOptions.url }, { status, ms });
    if (request) tracing?.end(request, hasLeft ? null : status);
  };
  const logRefused = onceAMinute((address, count, latest: { requestId: string; status: number }) =>
    log.warn({ address, count, ...latest }, 'an address was refused'),
  );
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    requests.set(reply.raw, request);
    request.countFailure = failureCounter(failures, request);
    void reply.header('x-request-id', request.id).headers(policies);
  };
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = requestError(error, request);
    // Callers without a token are bounded by address here too: even a path that is not there costs time (Contract 8.3).
    const isStrangers = !request.caller && catalogue[refusal.code].status < 500;
    const domainError = (isStrangers && request.countFailure()) || refusal;
    report(domainError, request.id);
    return answerError(domainError, request, reply);
  };

  const app = fastify({
    logger: false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    bodyLimit: settings.bodyMaxBytes,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    ...timeouts(settings.requestTimeoutMs),
    // As nginx does: a balancer spreads its connections anew.
    maxRequestsPerSocket: 1_000,
    // While the process stops, requests on open connections are still answered (Contract 11.4).
    return503OnClosing: false,
    routerOptions: { maxParamLength: longestPart },
    // No route has a schema of Fastify's. Its compilers of schemas would be loaded at each start all the same.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // A path that cannot be decoded or is too long reaches no hook.
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      // Fastify gives no `ip` by trustProxy here: the failure would count for the proxy's address.
      request.countFailure = () => null;
      void refuse(error, request, reply);
    },
    clientErrorHandler: refuseConnection(replies, (status) => end(undefined, {}, { status, ms: 0 })),
  });
  watchReplies(app.server, replies, (reply, how) => end(requests.get(reply), reply.req, how));
  const keepUnread = boundUnread(app.server);
  refuseOtherMethods(app);
  const nearestPath = nearestPaths(app);

  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    const next = () => done(droppedHeader(request.raw));
    if (tracing) tracing.begin(request, next);
    else next();
  });
  // Answers a preflight of any path, so that the hook after it may refuse a path that is not there.
  const hasOrigins = allowOrigins(app, settings);
  // Before a body is read, and after the token was looked at, so that the refusal counts for its caller.
  app.addHook('preParsing', async ({ is404, routeOptions, url, headers }) => {
    // The route `*` is the one of the plugin for CORS.
    if (is404 || routeOptions.url === '*') throw notFound(nearestPath(url));
    assertQuery(url);
    assertNotEncoded(headers['content-encoding']);
  });
  // Once the body is read, Node.js goes on in the context of the connection.
  if (tracing) app.addHook('preValidation', (request, _reply, done) => tracing.resume(request, done));
  app.addHook('onSend', (request, reply, payload, done) => {
    const { statusCode: status } = reply;
    if (hasOrigins) keepOrigin(reply);
    // Only the caller's own cache may keep a reply to a caller with a token, or an error, which may come before a token is looked
    // at. It asks by the `ETag` before it shows a reply again, and keeps no reply that has none (Contract 8.6.7).
    if (request.caller !== null || status >= 400)
      void reply.header('cache-control', reply.hasHeader('etag') ? 'private, no-cache' : 'private, no-store');
    if (status === 401 || status === 429) logRefused(request.ip, { requestId: request.id, status });
    // The process stops.
    if (!app.server.listening) void reply.header('connection', 'close');
    done(null, keepUnread(reply.raw, payload, reply.getHeader('content-length')));
  });
  // A body that was refused unread would stall the connection for the request after it.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    raw.unpipe();
    raw.resume();
    done();
  });
  app.setErrorHandler(refuse);
  // A plugin finds out later: a file of the pages may be gone by then. Fastify would answer in a form of its own.
  app.setNotFoundHandler(({ url }, reply) => reply.send(notFound(nearestPath(url))));
  return app;
}
