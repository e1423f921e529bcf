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
import { type MongoClient } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Task } from '../archiver/task.js';
import { type TraceExporter } from '../settings/settings.js';
import { version } from '../settings/version.js';
import { traceCommands } from './command-spans.js';
import { requestTracer } from './request-spans.js';
import { traceOperation, traceTask } from './work-spans.js';

const serviceName = 'recruitment-gateway';
const flushMs = 2_000;
/** Exporters read addresses, headers and timeouts from OpenTelemetry's own variables. */
const processors: Record<TraceExporter, () => SpanProcessor> = {
  console: () => new SimpleSpanProcessor(new ConsoleSpanExporter()),
  'http/json': () => new BatchSpanProcessor(new JsonExporter()),
  'http/protobuf': () => new BatchSpanProcessor(new ProtobufExporter()),
};

/** Spans contain no data of callers or records. */
export type Tracing = ReturnType<typeof startTracing>;

/** OpenTelemetry's own instrumentation would put paths, query strings and addresses into spans: see Decisions in CONTRIBUTING.md. */
export function startTracing(exporter: TraceExporter) {
  const provider = new NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override these. No process detector: it would send the command line.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector, hostDetector] })),
    spanProcessors: [processors[exporter]()],
  });
  provider.register();
  const tracer = trace.getTracer(serviceName);
  return {
    requests: requestTracer(tracer),
    operation: traceOperation(tracer),
    /** The client needs the option `monitorCommands`. */
    traceCommands: (client: MongoClient) => traceCommands(client, tracer),
    traceTask: (task: Task) => traceTask(task, tracer),
    /** Sends the remaining spans, for at most 2 s. Never throws. */
    stop: (): Promise<void> =>
      Promise.race([provider.shutdown().catch(() => undefined), sleep(flushMs, undefined, { ref: false })]),
  };
}
