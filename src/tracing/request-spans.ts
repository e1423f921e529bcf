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
import { probes } from '../http/health.routes.js';

/** Names each request's span after its method and route, never after the caller's path. */
export function requestTracer(tracer: Tracer) {
  const contexts = new WeakMap<object, Context>();
  return {
    begin(request: FastifyRequest, next: () => void): void {
      const route = request.routeOptions.url;
      if (probes.has(route)) return next();
      const { method } = request;
      // Ignore `tracestate` and `baggage`: they are free text from the caller.
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
    resume(request: FastifyRequest, next: () => void): void {
      context.with(contexts.get(request) ?? context.active(), next);
    },
    /** @param status null if the caller disconnected before the reply was written */
    end(request: FastifyRequest, status: number | null): void {
      const span = trace.getSpan(contexts.get(request) ?? ROOT_CONTEXT);
      if (status !== null) span?.setAttribute('http.response.status_code', status);
      const failure = status === null ? 'aborted' : status >= 500 && String(status);
      if (failure) span?.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    },
  };
}
