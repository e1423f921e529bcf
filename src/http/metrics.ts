import { type FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the gateway counts, under documented names; no label holds anything that a caller chooses. */
export interface Metrics {
  registry: Registry;
  requests: Histogram<'method' | 'route' | 'status'>;
  quotaRefusals: Counter<'bucket'>;
  archiverLagSeconds: Gauge;
  archiverBatchJobs: Histogram;
  archiverRunSeconds: Histogram;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'gateway_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its reply, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    quotaRefusals: new Counter({
      name: 'gateway_quota_refusals_total',
      help: 'Calls refused because the bucket of their subject was empty, by bucket.',
      labelNames: ['bucket'],
      registers,
    }),
    archiverLagSeconds: new Gauge({
      name: 'gateway_archiver_lag_seconds',
      help: 'How long the oldest job that is due has waited when the last run began; 0 when none was due.',
      registers,
    }),
    archiverBatchJobs: new Histogram({
      name: 'gateway_archiver_batch_jobs',
      help: 'Jobs that one write of the archiving task of this process has archived; its sum is all of them.',
      buckets: [1, 10, 100, 1_000],
      registers,
    }),
    archiverRunSeconds: new Histogram({
      name: 'gateway_archiver_run_duration_seconds',
      help: 'Time that a run of the archiving task took.',
      buckets: [0.005, 0.05, 0.5, 5, 50],
      registers,
    }),
  };
}

/** Measures every reply, by the route's pattern, never by the path that a caller wrote. */
export function measureRequests(app: FastifyInstance, { requests }: Metrics): void {
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    requests.observe({ method, route: routeOptions.url ?? 'none', status: statusCode }, elapsedTime / 1_000);
  });
}
