import { Agenda, type Job } from 'agenda';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db } from 'mongodb';
import { type Logger } from 'pino';
import { isDatabaseAway } from '../errors/mask-error.js';
import { archiveExpiredJobs, type ArchivingOptions } from './archive-expired-jobs.task.js';
import { TaskStore } from './task-store.js';

const taskName = 'archive-expired-jobs';
/** A worker that died holds the task for at most this long; then another takes it. One at work renews it. */
const lockLifetimeMs = 10_000;
const longestPollMs = 5_000;
const shortestPollMs = 200;
const firstRetryMs = 1_000;

export interface ArchiverOptions extends Omit<ArchivingOptions, 'isStopping' | 'onBatch'> {
  database: Db;
  everyMs: number;
  log: Logger;
  /** Told of each batch: how many jobs it archived. */
  onBatch: (count: number) => void;
  /** Told how long a run took. */
  onRun: (seconds: number) => void;
}

/**
 * Runs the archiving task on the gateway's own database, every so often (Contract 10.2). Of the workers that share a
 * database one runs it at a time; while the database is away it waits, and goes on when it is back.
 */
export class Archiver {
  private readonly worker = `${hostname()}:${process.pid}:${randomUUID()}`;
  private readonly store: TaskStore;
  private agenda: Agenda | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;
  private lastFaultAt: Date | null = null;

  constructor(private readonly options: ArchiverOptions) {
    this.store = new TaskStore(options.database, (err) =>
      this.report(err, 'a task’s lock was not given back'),
    );
  }

  /** Whether the task does well: its last run here came to its end, or one elsewhere did since. */
  async isWell(): Promise<boolean> {
    if (this.lastFaultAt && (await this.store.hasSucceededSince(taskName, this.lastFaultAt))) {
      this.lastFaultAt = null;
    }
    return this.lastFaultAt === null;
  }

  /** @throws the driver's error when the database is away */
  async start(): Promise<void> {
    const { everyMs } = this.options;
    await this.store.open();
    const agenda = new Agenda({
      name: this.worker,
      backend: this.store,
      processEvery: Math.max(shortestPollMs, Math.min(everyMs / 2, longestPollMs)),
      defaultLockLifetime: lockLifetimeMs,
    });
    agenda.on('error', (err) => this.report(err, 'the task queue failed'));
    agenda.on('fail', (err) => this.noteFault(err));
    agenda.define(taskName, (job) => this.run(job), {
      concurrency: 1,
      backoff: ({ attempt }) => Math.min(firstRetryMs * 2 ** attempt, everyMs),
    });
    this.agenda = agenda;
    await agenda.start();
    await agenda.every(everyMs, taskName);
    await this.store.hasten(taskName, new Date(Date.now() + everyMs));
  }

  /** Lets the batch under way finish, within the time given, and gives the task's lock back (Contract 11.4). */
  async stop(timeoutMs: number): Promise<void> {
    this.isStopping = true;
    if (!this.agenda) return;
    try {
      await this.agenda.stop();
      await Promise.race([this.running, sleep(timeoutMs, undefined, { ref: false })]);
      await this.store.release(this.worker);
    } catch (err) {
      this.report(err, 'a task’s lock was not given back');
    }
  }

  private async run(job: Job): Promise<void> {
    const { options } = this;
    const startedMs = performance.now();
    const archiving = archiveExpiredJobs(
      {
        ...options,
        isStopping: () => this.isStopping,
        onBatch: async (count) => {
          options.onBatch(count);
          await job.touch();
        },
      },
      randomUUID(),
    );
    this.running = archiving.then(
      () => undefined,
      () => undefined,
    );
    const isComplete = await archiving;
    // What is left is for the next worker, at once.
    if (!isComplete) job.attrs.nextRunAt = new Date();
    this.lastFaultAt = null;
    options.onRun((performance.now() - startedMs) / 1_000);
  }

  private noteFault(error: unknown): void {
    // That the database is away, the check of the database tells, and better: it also tells when it is back.
    if (!isDatabaseAway(error)) this.lastFaultAt = new Date();
    this.report(error, 'the archiving task failed');
  }

  private report(error: unknown, message: string): void {
    const err = error instanceof Error ? error : new Error(String(error));
    this.options.log[isDatabaseAway(err) ? 'warn' : 'error']({ err }, message);
  }
}
