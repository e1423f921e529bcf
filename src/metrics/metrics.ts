import { type ServerResponse } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { errorCodes } from '../errors/catalogue.js';

export interface PoolState {
  inUse: number;
  idle: number;
  /** Operations that wait for a connection or an available server. */
  waiting: number;
}

/** The gateway's metrics, with documented names (Contract 11.6). No label contains text chosen by a caller. */
export type Metrics = ReturnType<typeof createMetrics>;

/** The values that the gauges read when metrics are collected. */
interface GaugeState {
  /** The unfinished replies, and the number of running root fields. Updating a gauge in each request would cost more time. */
  inFlight: { replies: Set<ServerResponse>; operations: number };
  /** The lag that this process's last archiving run found, and the `performance.now()` at which this lag stops being valid. */
  archiverLag: { seconds: number; untilMs: number };
  /** The connection pools of the database, by name. */
  pools: Map<string, () => PoolState>;
}

const replySeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Creates the metrics of one process: our own, and prom-client's metrics of Node.js, such as the event loop's delay. */
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
      help: 'Time from the first byte of a request to the last byte of its reply, by method, route and status. The status is 499 if the caller disconnected first.',
      labelNames: ['method', 'route', 'status'],
      buckets: replySeconds,
      registers,
    }),
    operations: new Histogram({
      name: 'gateway_operation_duration_seconds',
      help: 'Time that a root field of the schema took, in both APIs, by field name.',
      labelNames: ['operation'],
      buckets: replySeconds,
      registers,
    }),
    operationErrors: new Counter({
      name: 'gateway_operation_errors_total',
      help: 'Root fields that failed, by field name and code of the error catalogue.',
      labelNames: ['operation', 'code'],
      registers,
    }),
    errors: new Counter({
      name: 'gateway_errors_total',
      help: 'Errors returned to callers, including errors below a root field, by code of the error catalogue.',
      labelNames: ['code'],
      registers,
    }),
    loadShed: new Counter({
      name: 'gateway_load_shed_total',
      help: 'Operations rejected with 503 to shed load, by reason: in-flight (too many are running), database (unavailable) or logos (too many are waiting).',
      labelNames: ['reason'],
      registers,
    }),
    quotaRefusals: new Counter({
      name: 'gateway_quota_refusals_total',
      help: 'Calls rejected because the subject’s quota bucket was empty, by bucket.',
      labelNames: ['bucket'],
      registers,
    }),
    archiverBatchJobs: new Histogram({
      name: 'gateway_archiver_batch_jobs',
      help: 'Jobs archived per write of this process’s archiving task; the sum counts all archived jobs.',
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
      help: 'How far this process’s clock is ahead of the database’s, checked once a minute; negative if it is behind.',
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
      help: 'Damaged records skipped by each task in this process; a record that stays damaged counts again in every run.',
      labelNames: ['task'],
      registers,
    }),
  };
  // Start each series at 0: Prometheus sees no increase in a series that starts at 1, so a first error would raise no alert.
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
    help: 'Operations that wait for a database connection or an available server, by pool.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, ask] of pools) this.set({ pool }, ask().waiting);
    },
  });
  new Gauge({
    name: 'gateway_requests_in_flight',
    help: 'Requests whose replies are not finished.',
    registers,
    collect() {
      this.set(inFlight.replies.size);
    },
  });
  new Gauge({
    name: 'gateway_operations_in_flight',
    help: 'Root fields that are running; MAX_IN_FLIGHT limits the fields of callers with a token.',
    registers,
    collect() {
      this.set(inFlight.operations);
    },
  });
  new Gauge({
    name: 'gateway_archiver_lag_seconds',
    help: 'How long the oldest due job had waited when the last run started; 0 if no jobs or only damaged jobs were due. Has no value if this process has not run the task for 3 × ARCHIVE_EVERY, because another process runs the task.',
    registers,
    collect() {
      if (performance.now() < archiverLag.untilMs) this.set(archiverLag.seconds);
      else this.remove();
    },
  });
}
