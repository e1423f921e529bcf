import { Agenda, type Job } from 'agenda';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db } from 'mongodb';
import { type Logger } from 'pino';
import { isDatabaseAway } from '../database/database-errors.js';
import { messageWithCauses } from '../errors/messages.js';
import { onceAMinute } from '../log/once-a-minute.js';
import { type Task } from './task.js';
import { TaskStore } from './task-store.js';

/** A worker that is silent this long counts as dead, and another worker takes over its task. */
const lockLifetimeMs = 10_000;
const longestPollMs = 5_000;
const shortestPollMs = 200;
const firstRetryMs = 1_000;
const stopPollMs = 50;

interface ArchiverOptions {
  database: Db;
  isDatabaseAway: () => boolean;
  log: Logger;
  tasks: readonly Task[];
}

/** Runs each task at its interval, in one process per database at a time. Waits while the database is away. */
export class Archiver {
  private readonly worker = `${hostname()}:${process.pid}:${randomUUID()}`;
  private readonly store: TaskStore;
  private agenda: Agenda | undefined;
  private isStopping = false;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly lastFaultsAt = new Map<string, Date>();
  private readonly warnOfOutage = onceAMinute((message, count, reason: string) =>
    this.options.log.warn({ reason, count }, message),
  );

  constructor(private readonly options: ArchiverOptions) {
    this.store = new TaskStore(options.database, (err) =>
      this.report(err, 'could not release the lock of a task'),
    );
  }

  /** False if a vital task failed in this process and no process has run the task successfully since. */
  async isWell(): Promise<boolean> {
    for (const { name, isVital } of this.options.tasks) {
      const lastFaultAt = this.lastFaultsAt.get(name);
      if (!isVital || !lastFaultAt) continue;
      if (!(await this.store.hasSucceededSince(name, lastFaultAt))) return false;
      this.lastFaultsAt.delete(name);
    }
    return true;
  }

  /** @throws the driver's error if the database is away */
  async start(): Promise<void> {
    const { tasks } = this.options;
    const shortestMs = Math.min(...tasks.map(({ everyMs }) => everyMs));
    await this.store.open();
    for (const { name, everyMs } of tasks) {
      const repeat = () => this.store.repeat(name, everyMs);
      await repeat();
      // A worker whose clock is ahead stores a next run that is too late for all workers.
      const tryToRepeat = () =>
        repeat().catch((err: unknown) => this.report(err, 'could not bring the next run of a task forward'));
      this.timers.push(setInterval(() => void tryToRepeat(), everyMs));
    }
    const agenda = new Agenda({
      name: this.worker,
      backend: this.store,
      processEvery: Math.max(shortestPollMs, Math.min(shortestMs / 2, longestPollMs)),
      defaultLockLifetime: lockLifetimeMs,
    });
    agenda.on('error', (err) => {
      // A stop doesn't wait for a running poll.
      if (!this.isStopping) this.report(err, 'the task queue failed');
    });
    for (const task of tasks) {
      agenda.on(`fail:${task.name}`, (err: unknown) => this.noteFault(task.name, err));
      agenda.define(task.name, (job) => this.run(task, job), {
        concurrency: 1,
        backoff: ({ attempt }) => Math.min(firstRetryMs * 2 ** attempt, task.everyMs),
      });
    }
    this.agenda = agenda;
    await agenda.start();
  }

  /** Waits at most `timeoutMs` for running steps and locks, but not while the database is away: the locks expire. */
  async stop(timeoutMs: number): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    let isEnded = false;
    const ended = this.giveBack().finally(() => (isEnded = true));
    const giveUpAtMs = performance.now() + timeoutMs;
    while (!isEnded && !this.options.isDatabaseAway() && performance.now() < giveUpAtMs)
      await Promise.race([ended, sleep(stopPollMs)]);
  }

  private async giveBack(): Promise<void> {
    try {
      // Unlike Agenda's `stop`, `drain` waits until Agenda has stored the end of each run and the time of the next run.
      await this.agenda?.drain();
      await this.store.release(this.worker);
    } catch (err) {
      this.report(err, 'could not release the lock of a task');
    }
  }

  private async run(task: Task, job: Job): Promise<void> {
    const isComplete = await task.run({
      id: randomUUID(),
      isStopping: () => this.isStopping,
      renew: async () => void (await job.touch()),
    });
    if (!isComplete) job.attrs.nextRunAt = new Date();
    this.lastFaultsAt.delete(task.name);
  }

  private noteFault(name: string, error: unknown): void {
    // Skip outages: the readiness check of the database reports them.
    if (!isDatabaseAway(error)) this.lastFaultsAt.set(name, new Date());
    this.report(error, `the task ${name} failed`);
  }

  private report(error: unknown, message: string): void {
    const err = error instanceof Error ? error : new Error(String(error));
    if (isDatabaseAway(err)) this.warnOfOutage(message, messageWithCauses(err));
    else this.options.log.error({ err }, message);
  }
}
