import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { type Logger } from 'pino';
import { type NameCaller } from '../tokens/caller-name.js';
import { OperationCost, type RequestContext, RequestWork } from '../permissions/request-context.js';
import { type TokenVerifier } from '../tokens/token-verifier.js';
import { DomainError, unauthorized } from '../errors/domain-error.js';
import { withoutSecrets } from '../log/log.js';
import { type Settings } from '../settings/settings.js';
import { allowOrigins, browserPolicies, keepOrigin } from './browser-rules.js';
import { type ErrorResponder } from './error-responder.js';
import { probes } from './health.routes.js';
import { refuseOtherMethods } from './unrouted.js';
import { boundUnread, callerLeft, type End, refuseConnection, watchReplies } from './replies.js';
import { assertEscapes, assertNotEncoded, repeatedHeader } from './read-request.js';

declare module 'fastify' {
  interface FastifyRequest extends Pick<RequestContext, 'caller' | 'cost' | 'work'> {
    /** The caller's, kept because Node.js clears it when the socket closes. Null if a proxy hides it. */
    address: string | null;
  }
}

/** In percent-encoded characters. A public id of 150 characters can take 1,800. */
const longestPart = 2_048;

/** Room for the longest token beside the ids of a list in the query. */
const mostHeaderBytes = 32_768;

const noSchemas = () => {
  throw new Error('routes have no schemas here');
};

interface RequestTracer {
  /** Starts the request's span and calls `next` in it. */
  begin(request: FastifyRequest, next: () => void): void;
  /** Calls `next` in the request's span. */
  resume(request: FastifyRequest, next: () => void): void;
  end(request: FastifyRequest, status: number | null): void;
}

interface ServerDependencies {
  log: Logger;
  errorResponder: ErrorResponder;
  replies: Set<ServerResponse>;
  measure: (request: { method: string | undefined; route: string | undefined }, end: End) => void;
  tracing?: RequestTracer | undefined;
  nameCaller: NameCaller;
}

/** A valid `X-Request-Id`, or a new id. */
const requestIdOf = (header: unknown): string =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();

/** Some proxies add a port, and brackets around IPv6, in `X-Forwarded-For`. */
const proxyPort = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/;

/** The IP address of the caller; of the connection, if the trusted proxies name something that is no IP address. */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  // Both are undefined once the connection is closed.
  const address = (ip as string | undefined)?.replace(proxyPort, '$1$2') ?? '';
  return isIP(address) ? address : (socket.remoteAddress ?? '');
}

/** Identifies the caller before any byte of the body is read. */
export function authentication(verify: TokenVerifier, { isTokenRequired }: { isTokenRequired: boolean }) {
  return async (request: FastifyRequest) => {
    request.caller = await verify(request.headers.authorization);
    if (!request.caller && isTokenRequired) throw unauthorized({ reason: 'token_missing' });
  };
}

/** `REQUEST_TIMEOUT` sets all time-outs except the keep-alive. */
const connectionBounds = (requestTimeoutMs: number) => ({
  requestTimeout: requestTimeoutMs,
  /** Closes a connection without traffic in either direction. */
  connectionTimeout: 2 * requestTimeoutMs,
  // Longer than the idle timeout of common load balancers, or they would send requests into a closing connection.
  keepAliveTimeout: 65_000,
  http: {
    maxHeaderSize: mostHeaderBytes,
    // Node.js compares `headersTimeout` with this value when it creates the server. Fastify sets `requestTimeout` later.
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.ceil(requestTimeoutMs / 3),
    // How often Node.js checks for slow requests; by default every 30 s.
    connectionsCheckingInterval: Math.min(1_000, Math.ceil(requestTimeoutMs / 10)),
  },
});

/** Enforces the limits, adds a request id to every reply, and sends errors in the documented form. */
export function createServer(
  settings: Settings,
  { log, errorResponder, replies, measure, tracing, nameCaller }: ServerDependencies,
): FastifyInstance {
  const policies = browserPolicies(settings);
  const requests = new WeakMap<ServerResponse, FastifyRequest>();

  const end = (
    request: FastifyRequest | undefined,
    { method, url }: { method?: string | undefined; url?: string | undefined },
    { status, ms }: End,
  ) => {
    const path = url?.split('?')[0];
    const hasLeft = status === callerLeft;
    const caller = request?.caller ? nameCaller(request.caller) : undefined;
    const line = request && requestLine(request, caller);
    const head = { requestId: request?.id, method, path, status, ms: Math.round(ms) };
    const route = request?.routeOptions.url;
    log[probes.has(route) ? 'debug' : 'info']({ ...head, ...line }, hasLeft ? 'left' : 'answered');
    measure({ method, route }, { status, ms });
    if (request) tracing?.end(request, hasLeft ? null : status);
  };
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    requests.set(reply.raw, request);
    request.address = clientAddress(request);
    request.cost = new OperationCost();
    request.work = new RequestWork();
    void reply.header('x-request-id', request.id).headers(policies);
  };
  const refuse = errorResponder.errorHandler({ api: 'rest', bucket: 'read' });

  const app = fastify({
    logger: false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    bodyLimit: settings.bodyMaxBytes,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    ...connectionBounds(settings.requestTimeoutMs),
    // Answer requests on open connections while the process stops.
    return503OnClosing: false,
    routerOptions: { maxParamLength: longestPart },
    // No route has a schema, so don't load Fastify's schema compilers.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Fastify runs no hooks for a path that is too long or cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      // Don't count the failure: Fastify ignores `trustProxy` here, so the address is the proxy's.
      request.address = null;
      void refuse(error, request, reply);
    },
    clientErrorHandler: refuseConnection(replies, (status) => end(undefined, {}, { status, ms: 0 })),
  });
  // By default, Node.js drops headers after the first thousand, which can include an `If-Match`.
  app.server.maxHeadersCount = 0;
  watchReplies(app.server, replies, (reply, how) => end(requests.get(reply), reply.req, how));
  app.setErrorHandler(refuse);
  addHooks(app, settings, { begin, tracing });
  return app;
}

/** The hooks of every request, in their order. Each API checks the token in an `onRequest` hook of its routes. */
function addHooks(
  app: FastifyInstance,
  settings: Settings,
  {
    begin,
    tracing,
  }: Pick<ServerDependencies, 'tracing'> & { begin: (request: FastifyRequest, reply: FastifyReply) => void },
): void {
  const keepUnread = boundUnread(app.server);
  refuseOtherMethods(app);

  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    const next = () => done(repeatedHeader(request.raw));
    if (tracing) tracing.begin(request, next);
    else next();
  });
  // The CORS plugin answers preflights of any path, so register it before the hook that rejects unknown paths.
  const hasOrigins = allowOrigins(app, settings);
  // Runs after the routes' hooks have checked the token, so that a refusal counts against its caller.
  app.addHook('preParsing', async ({ is404, routeOptions, url, headers }) => {
    // The CORS plugin registers the route `*`, which matches unknown paths.
    if (is404 || routeOptions.url === '*') throw new DomainError('not-found');
    assertEscapes(url);
    assertNotEncoded(headers);
  });
  // Once the body is read, Node.js continues in the async context of the connection.
  if (tracing) app.addHook('preValidation', (request, _reply, done) => tracing.resume(request, done));
  app.addHook('onSend', (request, reply, payload, done) => {
    const { statusCode: status } = reply;
    if (hasOrigins) keepOrigin(reply);
    // Shared caches must not store errors, nor replies to a caller with a token. The caller's own cache must revalidate replies with an
    // `ETag`.
    if (request.caller !== null || status >= 400)
      void reply.header('cache-control', reply.hasHeader('etag') ? 'private, no-cache' : 'private, no-store');
    // The process is stopping.
    if (!app.server.listening) void reply.header('connection', 'close');
    done(null, keepUnread(reply.raw, payload, reply.getHeader('content-length')));
  });
  // Discard the rest of a rejected body, or the next request on the connection would wait forever.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    raw.unpipe();
    raw.resume();
    done();
  });
  // For files that a plugin cannot find: Fastify's own 404 has another format.
  app.setNotFoundHandler((_request, reply) => reply.send(new DomainError('not-found')));
}

/** Longer names that callers choose are cut off after this many characters. */
const longestName = 64;

/** Of W3C Trace Context. Only versions after 00 may add parts. */
const traceParent =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|(?<!^00.*)-)/;

/**
 * The parts of a request's line in the log besides its head. Nothing shows a subject, a variable, a token or an
 * address.
 */
function requestLine({ headers, work }: FastifyRequest, caller: string | undefined): object {
  const { operation, fields, code } = work;
  return {
    operation: operation?.slice(0, longestName),
    fields: fields.size > 0 ? [...fields] : undefined,
    code,
    caller,
    client: printable(headers['apollographql-client-name']),
    clientVersion: printable(headers['apollographql-client-version']),
    traceId: traceParent.exec(String(headers.traceparent))?.[1],
  };
}

/** Without characters other than visible ASCII and spaces. Finds secrets first: a part of a token could not be told from a name. */
const printable = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string'
    ? withoutSecrets(header.replace(/[^ -~]/g, '')).slice(0, longestName) || undefined
    : undefined;
