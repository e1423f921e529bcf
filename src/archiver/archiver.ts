import { Agenda } from 'agenda';
import { MongoBackend } from '@agendajs/mongo-backend';
import { randomUUID } from 'node:crypto';
import { type Db } from 'mongodb';
import { type Logger } from 'pino';
import { archiveExpiredJobs, type ArchivingOptions } from './archive-expired-jobs.task.js';

const taskName = 'archive-expired-jobs';
/** A worker that died holds the task for at most this long; then another takes it. */
const lockLifetimeMs = 60_000;
const longestPollMs = 5_000;
const shortestPollMs = 200;
/** How long a stop waits for a batch that is being written. */
const drainMs = 10_000;

/** Runs the archiving task on the gateway's own database: once at start, then every so often (Contract 10.2). */
export class Archiver {
  private readonly agenda: Agenda;
  private isStopping = false;
  private lastFault: unknown = null;

  constructor(
    private readonly options: Omit<ArchivingOptions, 'isStopping'> & {
      database: Db;
      everyMs: number;
      log: Logger;
      onRun: (seconds: number) => void;
    },
  ) {
    const { database, everyMs, log } = options;
    this.agenda = new Agenda({
      backend: new MongoBackend({ mongo: database, collection: 'tasks' }),
      processEvery: Math.max(shortestPollMs, Math.min(everyMs / 2, longestPollMs)),
      defaultLockLifetime: lockLifetimeMs,
    });
    this.agenda.on('error', (err) => log.error({ err }, 'the task queue failed'));
    this.agenda.on('fail', (err) => {
      this.lastFault = err;
      log.error({ err: err instanceof Error ? err : new Error(err) }, 'the archiving task failed');
    });
    this.agenda.define(taskName, () => this.run(), { concurrency: 1 });
  }

  /** Whether the last run, if there was one, came to its end. */
  get isHealthy(): boolean {
    return this.lastFault === null;
  }

  async start(): Promise<void> {
    await this.agenda.start();
    await this.agenda.every(this.options.everyMs, taskName);
  }

  /** Lets the batch under way finish, within 10 s, and gives the task's lock back. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.agenda.drain(drainMs);
    await this.agenda.stop();
  }

  private async run(): Promise<void> {
    const endTimer = performance.now();
    await archiveExpiredJobs({ ...this.options, isStopping: () => this.isStopping }, randomUUID());
    this.lastFault = null;
    this.options.onRun((performance.now() - endTimer) / 1_000);
  }
}
