import { type ServerResponse } from 'node:http';
import * as prom from 'prom-client';
import { type PoolState } from '../database/watch-client.js';
import { errorCodes } from '../errors/catalogue.js';
import { lostLogLines } from '../log/log.js';
import { version } from '../settings/version.js';

/** The names are documented. No label contains text chosen by a caller. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Read when metrics are collected. */
const gaugeState = () => ({
  /** Unfinished replies and running root fields. Updating a gauge in each request would cost more time. */
  inFlight: { replies: new Set<ServerResponse>(), operations: 0 },
  /** The lag that this process's last archiving run found, valid while `performance.now()` is below `untilMs`. */
  archiverLag: { seconds: 0, untilMs: 0 },
  pools: new Map<string, () => PoolState>(),
  /** By issuer, in seconds. */
  staleKeys: new Map<string, () => number>(),
});

const replySeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** One for all gateways of a process: nothing ends these measurements. */
const processMetrics = new prom.Registry();
prom.collectDefaultMetrics({ register: processMetrics });

/** Creates metrics in a registry. */
const makersIn = (...registers: prom.Registry[]) => ({
  counter: <Label extends string>(configuration: prom.CounterConfiguration<Label>) =>
    new prom.Counter({ ...configuration, registers }),
  gauge: <Label extends string>(configuration: prom.GaugeConfiguration<Label>) =>
    new prom.Gauge({ ...configuration, registers }),
  histogram: <Label extends string>(configuration: prom.HistogramConfiguration<Label>) =>
    new prom.Histogram({ ...configuration, registers }),
});

export function createMetrics() {
  const registry = prom.Registry.merge([processMetrics]);
  const makers = makersIn(registry);
  const { counter, gauge, histogram } = makers;
  const gauges = gaugeState();
  registerGauges(gauge, gauges);
  const metrics = {
    registry,
    ...gauges,
    requests: histogram({
      name: 'gateway_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its reply, by method, route and status (499 if the caller disconnected first).',
      labelNames: ['method', 'route', 'status'],
      buckets: replySeconds,
    }),
    operations: histogram({
      name: 'gateway_operation_duration_seconds',
      help: 'Time that a root field took, in both APIs, by field name.',
      labelNames: ['operation'],
      buckets: replySeconds,
    }),
    operationErrors: counter({
      name: 'gateway_operation_errors_total',
      help: 'Root fields that failed, by field name and error code.',
      labelNames: ['operation', 'code'],
    }),
    errors: counter({
      name: 'gateway_errors_total',
      help: 'Errors returned to callers, including errors below a root field, by error code.',
      labelNames: ['code'],
    }),
    loadShed: counter({
      name: 'gateway_load_shed_total',
      help: 'Operations rejected with 503, by reason: in-flight (too many are running), database (unavailable) or logos (too many are waiting).',
      labelNames: ['reason'],
    }),
    quotaRefusals: counter({
      name: 'gateway_quota_refusals_total',
      help: 'Operations rejected because a quota bucket had too few units left, by bucket.',
      labelNames: ['bucket'],
    }),
    clockSkew: gauge({
      name: 'gateway_clock_skew_seconds',
      help: 'How far this process’s clock is ahead of the database’s, checked once a minute; negative if behind.',
    }),
    ...taskMetrics(makers),
  };
  counter({
    name: 'gateway_log_lines_lost_total',
    help: 'Lines of the log that this process dropped because too many waited to be written.',
    collect() {
      this.reset();
      this.inc(lostLogLines());
    },
  });
  gauge({
    name: 'gateway_build_info',
    help: 'Always 1, with the version of the gateway as its label.',
    labelNames: ['version'],
  }).set({ version }, 1);
  // Prometheus sees no increase in a series that starts at 1, so a first error would raise no alert.
  for (const code of errorCodes) metrics.errors.inc({ code }, 0);
  return metrics;
}

const taskMetrics = ({ counter, gauge, histogram }: ReturnType<typeof makersIn>) => ({
  archiverBatchJobs: histogram({
    name: 'gateway_archiver_batch_jobs',
    help: 'Jobs archived per write of this process’s archiving task.',
    buckets: [1, 10, 100, 1_000],
  }),
  archiverRunSeconds: histogram({
    name: 'gateway_archiver_run_duration_seconds',
    help: 'Time that a run of the archiving task took.',
    buckets: [0.005, 0.05, 0.5, 5, 50],
  }),
  taskRuns: counter({
    name: 'gateway_task_runs_total',
    help: 'Runs of each task in this process, by outcome: succeeded or failed.',
    labelNames: ['task', 'outcome'],
  }),
  taskSucceeded: gauge({
    name: 'gateway_task_succeeded_timestamp_seconds',
    help: 'When each task last succeeded in this process, in Unix time; no value before that.',
    labelNames: ['task'],
  }),
});

function registerGauges(
  gauge: ReturnType<typeof makersIn>['gauge'],
  { inFlight, archiverLag, pools, staleKeys }: ReturnType<typeof gaugeState>,
): void {
  gauge({
    name: 'gateway_database_connections',
    help: 'Connections to the database, by pool (requests or tasks) and state (in-use or idle).',
    labelNames: ['pool', 'state'],
    collect() {
      for (const [pool, ask] of pools) {
        const { inUse, idle } = ask();
        this.set({ pool, state: 'in-use' }, inUse);
        this.set({ pool, state: 'idle' }, idle);
      }
    },
  });
  gauge({
    name: 'gateway_database_waiting',
    help: 'Operations that wait for a database connection or an available server, by pool.',
    labelNames: ['pool'],
    collect() {
      for (const [pool, ask] of pools) this.set({ pool }, ask().waiting);
    },
  });
  gauge({
    name: 'gateway_requests_in_flight',
    help: 'Requests with unfinished replies.',
    collect() {
      this.set(inFlight.replies.size);
    },
  });
  gauge({
    name: 'gateway_operations_in_flight',
    help: 'Running root fields; MAX_IN_FLIGHT limits the fields of callers with a token.',
    collect() {
      this.set(inFlight.operations);
    },
  });
  gauge({
    name: 'gateway_archiver_lag_seconds',
    help: 'How long the oldest due job had waited when the last run started; 0 if no job was due that can be read. No value if this process has not run the task for 3 × ARCHIVE_EVERY.',
    collect() {
      if (performance.now() < archiverLag.untilMs) this.set(archiverLag.seconds);
      else this.remove();
    },
  });
  gauge({
    name: 'gateway_keys_age_seconds',
    help: 'How old the keys are of an identity provider whose keys cannot be loaded, by issuer; +Inf if they never could, 0 while they can. Past 3600, its callers get 503.',
    labelNames: ['issuer'],
    collect() {
      for (const [issuer, seconds] of staleKeys) this.set({ issuer }, seconds());
    },
  });
}
