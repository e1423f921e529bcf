import { type FastifyInstance } from 'fastify';
import { type Logger } from 'pino';
import { archiveExpiredJobsTask } from '../archiver/archive-expired-jobs.tasks.js';
import { Archiver } from '../archiver/archiver.js';
import {
  completeImportTask,
  removeArchivedJobsTasks,
  removeOldHistoryTasks,
  removeOrphanLogosTask,
} from '../archiver/upkeep.tasks.js';
import { type LogoStore } from '../company/logo/logo-store.js';
import { databaseOf } from '../database/connect.js';
import { shutdownTimes } from '../http/draining.js';
import { measureTask } from '../metrics/measure.js';
import { type Metrics } from '../metrics/metrics.js';
import { type Models } from '../models.js';
import { type Settings } from '../settings/settings.js';
import { type Tracing } from '../tracing/start-tracing.js';

interface TaskDependencies {
  models: Models;
  isDatabaseAway: () => boolean;
  clock: () => Date;
  log: Logger;
  logoStore: LogoStore;
  metrics: Metrics;
  tracing: Tracing | undefined;
}

/** The scheduled tasks, measured and traced. They stop when the server closes, or before. */
export function createTasks(app: FastifyInstance, settings: Settings, dependencies: TaskDependencies) {
  const { models, isDatabaseAway, log, metrics, tracing } = dependencies;
  const archiver = new Archiver({
    database: databaseOf(models.media.db),
    isDatabaseAway,
    log,
    tasks: tasksOf(settings, dependencies).map((task) =>
      measureTask(tracing?.traceTask(task) ?? task, metrics),
    ),
  });
  let stopped: Promise<void> | undefined;
  const stop = async ({ timeoutMs } = shutdownTimes) => (stopped ??= archiver.stop(timeoutMs));
  app.addHook('onClose', () => stop());
  return {
    start: () => archiver.start(),
    isWell: () => archiver.isWell(),
    /** Repeated calls return the same promise. */
    stop,
  };
}

function tasksOf(
  { archiveEveryMs: everyMs, historyLifetimeMs, jobRetentionMs }: Settings,
  { models, clock, logoStore, metrics }: TaskDependencies,
) {
  // After three periods without a run, another process has the task, and the gauge would be stale.
  const keepLag = () => (metrics.archiverLag.untilMs = performance.now() + 3 * everyMs);
  return [
    archiveExpiredJobsTask({
      jobs: models.jobs,
      clock,
      everyMs,
      onLag: (lagMs) => {
        metrics.archiverLag.seconds = lagMs / 1_000;
        keepLag();
      },
      onBatch: (count) => {
        metrics.archiverBatchJobs.observe(count);
        keepLag();
      },
      onRun: (seconds) => metrics.archiverRunSeconds.observe(seconds),
    }),
    removeOrphanLogosTask(logoStore, models.companies),
    completeImportTask(models),
    ...removeOldHistoryTasks(models, clock, historyLifetimeMs),
    ...removeArchivedJobsTasks(models, clock, jobRetentionMs),
  ];
}
