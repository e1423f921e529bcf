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
import { type TraceExporter } from '../settings.js';
import { traceCommands } from './command-spans.js';
import { requestTracer } from './request-spans.js';
import { traceOperation, traceTask } from './work-spans.js';

const serviceName = 'recruitment-gateway';
const flushMs = 2_000;
/** The most of printed spans that waits for whoever reads them. Later ones are lost, as lines of the log are. */
const mostUnreadBytes = 2 ** 20;

class BoundedConsoleExporter extends ConsoleSpanExporter {
  override export(...[spans, done]: Parameters<ConsoleSpanExporter['export']>): void {
    super.export(process.stdout.writableLength < mostUnreadBytes ? spans : [], done);
  }
}

/** Where finished spans go. Each exporter reads addresses, headers and time-outs from OpenTelemetry's own variables. */
const processors: Record<TraceExporter, () => SpanProcessor> = {
  console: () => new SimpleSpanProcessor(new BoundedConsoleExporter()),
  'http/json': () => new BatchSpanProcessor(new JsonExporter()),
  'http/protobuf': () => new BatchSpanProcessor(new ProtobufExporter()),
};

/** Makes spans if the environment asks for them (Contract 11.7). No span has data of a caller or a record. */
export type Tracing = ReturnType<typeof startTracing>;

/** Starts OpenTelemetry as its own variables say. It cannot instrument modules that are imported already: the spans are made here. */
export function startTracing(exporter: TraceExporter) {
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
    requests: requestTracer(tracer),
    /** Runs a root field of the schema within a span. */
    operation: traceOperation(tracer),
    /** The client must monitor its commands. */
    traceCommands: (client: MongoClient) => traceCommands(client, tracer),
    traceTask: (task: Task) => traceTask(task, tracer),
    /** Sends the remaining spans, for at most 2 s, also if the collector is away. Never throws. */
    stop: (): Promise<void> =>
      Promise.race([provider.shutdown().catch(() => undefined), sleep(flushMs, undefined, { ref: false })]),
  };
}
