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
import { type FastifyInstance } from 'fastify';
import { callerLeft } from '../http/on-end.js';

/** Load balancers and Prometheus ask these all the time. */
const probes = new Set<unknown>(['/health', '/ready', '/metrics']);

/** A span for each request, named by method and route, never by the path sent. To be called before any hook that may refuse. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const contexts = new WeakMap<object, Context>();

  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url;
    if (probes.has(route)) return done();
    const { method } = request;
    // The rest of what a trace may bring (`tracestate`, `baggage`) is the caller's own text.
    const parent = propagation.extract(ROOT_CONTEXT, { traceparent: request.headers.traceparent });
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
    const spanContext = trace.setSpan(parent, span);
    contexts.set(request, spanContext);
    return context.with(spanContext, done);
  });

  app.onEnd((request, { status }) => {
    const span = trace.getSpan(contexts.get(request) ?? ROOT_CONTEXT);
    const hasLeft = status === callerLeft;
    if (!hasLeft) span?.setAttribute('http.response.status_code', status);
    const failure = hasLeft ? 'aborted' : status >= 500 && String(status);
    if (failure) span?.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });

  // Once the body is read, Node.js goes on in the context of the connection, so we enter that of the request again.
  app.addHook('preValidation', (request, _reply, done) => {
    context.with(contexts.get(request) ?? context.active(), done);
  });
}
