import { type ServerResponse } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { errorCodes } from '../errors/catalogue.js';

/** The state of a pool of connections. */
export interface PoolState {
  inUse: number;
  idle: number;
  /** Operations that wait for a connection, or for a server that can take them. */
  waiting: number;
}

/** What the gateway counts, under documented names (Contract 11.6). No label holds a text that a caller chooses. */
export type Metrics = ReturnType<typeof createMetrics>;

/** What the gauges show when the metrics are collected. */
interface GaugeState {
  /** The replies under way, and how many root fields: to count in the gauges would cost time at each request. */
  inFlight: { replies: Set<ServerResponse>; operations: number };
  /** What the last run of the archiving task in this process found, and until when that is news, by `performance.now()`. */
  archiverLag: { seconds: number; untilMs: number };
  /** The pools of connections to the database, by name. */
  pools: Map<string, () => PoolState>;
}

const replySeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The metrics of one process: ours, and those that prom-client collects about Node.js, such as the event loop's delay. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const shown: GaugeState = {
    inFlight: { replies: new Set(), operations: 0 },
    archiverLag: { seconds: 0, untilMs: 0 },
    pools: new Map(),
  };
  registerGauges(registers, shown);
  const metrics = {
    registry,
    ...shown,
    requests: new Histogram({
      name: 'gateway_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its reply, by method, route and status; 499 if the caller left before.',
      labelNames: ['method', 'route', 'status'],
      buckets: replySeconds,
      registers,
    }),
    operations: new Histogram({
      name: 'gateway_operation_duration_seconds',
      help: 'Time that a root field of the schema took, through whichever API, by its name.',
      labelNames: ['operation'],
      buckets: replySeconds,
      registers,
    }),
    operationErrors: new Counter({
      name: 'gateway_operation_errors_total',
      help: 'Root fields that ended in an error, by their name and the code of the error catalogue.',
      labelNames: ['operation', 'code'],
      registers,
    }),
    errors: new Counter({
      name: 'gateway_errors_total',
      help: 'Errors that callers were answered, those below a root field too, by the code of the error catalogue.',
      labelNames: ['code'],
      registers,
    }),
    loadShed: new Counter({
      name: 'gateway_load_shed_total',
      help: 'Operations answered 503 to shed load, by reason: too many in-flight, the database away, too many logos waiting.',
      labelNames: ['reason'],
      registers,
    }),
    quotaRefusals: new Counter({
      name: 'gateway_quota_refusals_total',
      help: 'Calls refused because the bucket of their subject was empty, by bucket.',
      labelNames: ['bucket'],
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
    clockSkew: new Gauge({
      name: 'gateway_clock_skew_seconds',
      help: 'By how much the clock of this process is ahead of the database’s, compared once a minute; negative where it is behind.',
      registers,
    }),
    taskRuns: new Counter({
      name: 'gateway_task_runs_total',
      help: 'Runs of each task in this process, by outcome: succeeded or failed.',
      labelNames: ['task', 'outcome'],
      registers,
    }),
    taskSkips: new Counter({
      name: 'gateway_task_skips_total',
      help: 'Damaged records that the runs of each task in this process went past; one that stays damaged counts in each run.',
      labelNames: ['task'],
      registers,
    }),
  };
  // Prometheus sees no increase in a series that begins at 1, so nobody would be told of a first error.
  for (const code of errorCodes) metrics.errors.inc({ code }, 0);
  return metrics;
}

function registerGauges(registers: Registry[], { inFlight, archiverLag, pools }: GaugeState): void {
  new Gauge({
    name: 'gateway_database_connections',
    help: 'Connections to the database, by pool (requests or tasks) and state (in-use or idle).',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, ask] of pools) {
        const { inUse, idle } = ask();
        this.set({ pool, state: 'in-use' }, inUse);
        this.set({ pool, state: 'idle' }, idle);
      }
    },
  });
  new Gauge({
    name: 'gateway_database_waiting',
    help: 'Operations that wait for a connection to the database, or for a server that can take them, by pool.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, ask] of pools) this.set({ pool }, ask().waiting);
    },
  });
  new Gauge({
    name: 'gateway_requests_in_flight',
    help: 'Requests that have come in and are not answered to their end.',
    registers,
    collect() {
      this.set(inFlight.replies.size);
    },
  });
  new Gauge({
    name: 'gateway_operations_in_flight',
    help: 'Root fields under way; MAX_IN_FLIGHT bounds those of callers with a token.',
    registers,
    collect() {
      this.set(inFlight.operations);
    },
  });
  new Gauge({
    name: 'gateway_archiver_lag_seconds',
    help: 'How long the oldest job that is due had waited when the last run began; 0 when none was due but damaged ones, and no value where another process has had the task for three times ARCHIVE_EVERY.',
    registers,
    collect() {
      if (performance.now() < archiverLag.untilMs) this.set(archiverLag.seconds);
      else this.remove();
    },
  });
}
