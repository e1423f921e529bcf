import {
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { type FastifyInstance, type FastifyRequest } from 'fastify';

/** Load balancers and Prometheus ask these all the time. */
const probes = new Set<unknown>(['/health', '/ready', '/metrics']);

/**
 * A span for each request, named by method and route, never by the path that a caller wrote. It has the same request id as
 * the log. It ends when the reply is sent or the connection breaks.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const contexts = new WeakMap<FastifyRequest, Context>();

  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (probes.has(route)) return done();
    const { method } = request;
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const span = tracer.startSpan(
      route === undefined ? method : `${method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': method,
          ...(route !== undefined && { 'http.route': route }),
          'gateway.request_id': request.id,
        },
      },
      parent,
    );
    reply.raw.once('close', () => {
      const { statusCode, writableFinished } = reply.raw;
      if (writableFinished) span.setAttribute('http.response.status_code', statusCode);
      else span.setAttribute('error.type', 'aborted');
      if (statusCode >= 500 || !writableFinished) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    const spanContext = trace.setSpan(parent, span);
    contexts.set(request, spanContext);
    return context.with(spanContext, done);
  });

  // Once the body is read, Node.js goes on in the context of the connection, so we enter that of the request again.
  app.addHook('preValidation', (request, _reply, done) => {
    context.with(contexts.get(request) ?? context.active(), done);
  });
}
