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
import { type FastifyRequest } from 'fastify';

/** Load balancers and Prometheus ask these all the time. */
const probes = new Set<unknown>(['/health', '/ready', '/metrics']);

/** A span for each request, named by method and route, never by the path sent. */
export function requestTracer(tracer: Tracer) {
  const contexts = new WeakMap<object, Context>();
  return {
    /** Goes on in a new span. */
    begin(request: FastifyRequest, next: () => void): void {
      const route = request.routeOptions.url;
      if (probes.has(route)) return next();
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
      context.with(spanContext, next);
    },
    /** Goes on in the span of the request. */
    resume(request: FastifyRequest, next: () => void): void {
      context.with(contexts.get(request) ?? context.active(), next);
    },
    /** @param status null if the caller left before the reply was written */
    end(request: FastifyRequest, status: number | null): void {
      const span = trace.getSpan(contexts.get(request) ?? ROOT_CONTEXT);
      if (status !== null) span?.setAttribute('http.response.status_code', status);
      const failure = status === null ? 'aborted' : status >= 500 && String(status);
      if (failure) span?.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    },
  };
}
