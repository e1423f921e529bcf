import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TraceExporter } from '../settings.js';
import { traceCommands } from './command-spans.js';
import { traceRequests } from './request-spans.js';
import { type Tracing } from './tracing.js';
import { traceOperation, traceTask } from './work-spans.js';

const serviceName = 'recruitment-gateway';
const flushMs = 2_000;

/** Where finished spans go. Each exporter reads addresses, headers and time-outs from OpenTelemetry's own variables. */
const processors: Record<TraceExporter, () => SpanProcessor> = {
  console: () => new SimpleSpanProcessor(new ConsoleSpanExporter()),
  'http/json': () => new BatchSpanProcessor(new JsonExporter()),
  'http/protobuf': () => new BatchSpanProcessor(new ProtobufExporter()),
};

/** Starts OpenTelemetry by its own variables. It could instrument only modules not imported yet: the spans are made here. */
export function startTracing(exporter: TraceExporter): Tracing {
  const provider = new NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override the name. The process's command line is nobody's business.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName }))
      .merge(detectResources({ detectors: [envDetector, hostDetector] })),
    spanProcessors: [processors[exporter]()],
  });
  provider.register();
  const tracer = trace.getTracer(serviceName);
  return {
    traceRequests: (app) => traceRequests(app, tracer),
    operation: traceOperation(tracer),
    traceCommands: (client) => traceCommands(client, tracer),
    traceTask: (task) => traceTask(task, tracer),
    stop: async () => {
      // If the collector is away, we stop nevertheless.
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(flushMs, undefined, { ref: false }),
      ]);
    },
  };
}
