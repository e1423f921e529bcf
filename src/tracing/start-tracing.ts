import { trace } from '@opentelemetry/api';
import { NodeSDK, resources } from '@opentelemetry/sdk-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { traceCommands } from './command-spans.js';
import { traceRequests } from './request-spans.js';
import { type Tracing } from './tracing.js';
import { traceOperation, traceTask } from './work-spans.js';

const serviceName = 'recruitment-gateway';
const flushMs = 2_000;

/**
 * Starts OpenTelemetry as its standard environment variables say. Modules that are imported already cannot be
 * instrumented from outside, so the gateway makes its spans itself.
 */
export function startTracing(): Tracing {
  const sdk = new NodeSDK({
    instrumentations: [],
    // Metrics and logs have ways of their own out of the process.
    metricReaders: [],
    logRecordProcessors: [],
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before the name given here.
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': serviceName })),
    // Not the process: its command line is nobody's business.
    resourceDetectors: [resources.envDetector, resources.hostDetector],
  });
  sdk.start();
  const tracer = trace.getTracer(serviceName);
  return {
    traceRequests: (app) => traceRequests(app, tracer),
    operation: traceOperation(tracer),
    traceCommands: (client) => traceCommands(client, tracer),
    traceTask: (task) => traceTask(task, tracer),
    stop: async () => {
      // A collector that is away is no reason not to stop.
      await Promise.race([sdk.shutdown().catch(() => undefined), sleep(flushMs, undefined, { ref: false })]);
    },
  };
}
