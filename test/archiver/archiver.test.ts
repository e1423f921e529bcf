import { beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { pino } from 'pino';
import { Archiver } from '../../src/archiver/archiver.js';
import { type Task } from '../../src/archiver/task.js';
import { databaseOf } from '../../src/database/connect.js';
import { startTestGateway } from '../support/gateway.js';
import { logInMemory } from '../support/log-in-memory.js';
import { ownDatabase } from '../support/own-database.js';
import { graphql } from '../support/requests.js';
import { openSeverableDatabase } from '../support/severable.js';
import { until } from '../support/until.js';
import { updateJob } from '../support/updates.js';
import { withEnd } from '../support/reset-records.js';

const { database } = ownDatabase();
const tasksOf = () => database.connection.collection('tasks');

beforeEach(async () => {
  await tasksOf().deleteMany({});
});

const archiverOf = (task: Pick<Task, 'run'> & Partial<Task>) =>
  new Archiver({
    database: databaseOf(database.connection),
    isDatabaseAway: () => false,
    log: pino({ level: 'silent' }),
    tasks: [{ name: 'a-task', everyMs: 400, isVital: true, ...task }],
  });

describe('archiver worker', () => {
  it('at a stop, finishes its step, releases its lock and leaves the rest due (Contract 9.3.1)', async () => {
    let steps = 0;
    const archiver = archiverOf({
      run: async ({ isStopping, renew }) => {
        while (!isStopping()) {
          await sleep(30);
          steps += 1;
          await renew();
        }
        return false;
      },
    });
    await archiver.start();
    await until(() => steps > 2);
    expect((await tasksOf().findOne({ name: 'a-task' }))?.lockedAt).toBeInstanceOf(Date);
    await archiver.stop(5_000);
    const task = await tasksOf().findOne({ name: 'a-task' });
    expect(task?.lockedAt).toBeNull();
    expect((task?.nextRunAt as Date).getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('renews its lock with each step (Contract 2.5.5)', async () => {
    const lockedAt = async () => (await tasksOf().findOne({ name: 'a-task' }))?.lockedAt as Date;
    const locks: Date[] = [];
    const archiver = archiverOf({
      run: async ({ renew }) => {
        locks.push(await lockedAt());
        await sleep(10);
        await renew();
        locks.push(await lockedAt());
        return true;
      },
    });
    await archiver.start();
    await until(() => locks.length > 1);
    await archiver.stop(5_000);
    expect(locks[1]!.getTime()).toBeGreaterThan(locks[0]!.getTime());
  });

  it('at a stop, waits for its step no longer than the given time (Contract 9.3.1)', async () => {
    let isRunning = false;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const archiver = archiverOf({
      run: async () => {
        isRunning = true;
        await finished;
        return true;
      },
    });
    await archiver.start();
    await until(() => isRunning);
    await archiver.stop(200);
    finish();
    await archiver.stop(5_000);
    expect((await tasksOf().findOne({ name: 'a-task' }))?.lockedAt).toBeNull();
  });

  it('at its start, leaves a task to the worker that runs it (Contract 2.5.5)', async () => {
    let isEnded = false;
    const lockedAt = async () => (await tasksOf().findOne({ name: 'a-task' }))?.lockedAt as Date | null;
    const archiver = archiverOf({ run: () => until(() => isEnded).then(() => true) });
    await archiver.start();
    await until(async () => (await lockedAt()) !== null);
    const before = await lockedAt();
    let othersRuns = 0;
    const other = archiverOf({ run: async () => Boolean((othersRuns += 1)) });
    await other.start();
    await sleep(500);
    expect(othersRuns).toBe(0);
    expect(await lockedAt()).toEqual(before);
    isEnded = true;
    await archiver.stop(5_000);
    await until(() => othersRuns > 0);
    await other.stop(5_000);
  });

  it('stores its task once if several start at once on an empty database (Contract 2.5.5)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const archivers = Array.from({ length: 4 }, () => archiverOf({ run: async () => true }));
      await Promise.all(archivers.map((archiver) => archiver.start()));
      await Promise.all(archivers.map((archiver) => archiver.stop(5_000)));
      expect((await tasksOf().deleteMany({})).deletedCount).toBe(1);
    }
  });

  it("takes over a dead worker's task once the lock is 10 seconds old (Contract 2.5.5)", async () => {
    let runs = 0;
    const archiver = archiverOf({ run: async () => Boolean((runs += 1)) });
    await archiver.start();
    await until(() => runs > 0);
    await archiver.stop(5_000);
    // A killed worker leaves these values.
    const lockedAt = new Date(Date.now() - 9_500);
    await tasksOf().updateOne(
      { name: 'a-task' },
      { $set: { lockedAt, nextRunAt: new Date(Date.now() - 1) } },
    );
    let takenAt = 0;
    const next = archiverOf({ run: async () => Boolean((takenAt ||= Date.now())) });
    await next.start();
    await until(() => takenAt > 0);
    expect(takenAt - lockedAt.getTime()).toBeGreaterThanOrEqual(10_000);
    await next.stop(5_000);
  });

  it('is unhealthy after a failed run of a vital task until a run succeeds (Contract 9.3.1)', async () => {
    let isBroken = true;
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (isBroken) throw new Error('broken');
      return true;
    };
    const minor = archiverOf({ run, isVital: false });
    await minor.start();
    await until(() => runs > 1);
    expect(await minor.isWell()).toBe(true);
    await minor.stop(5_000);
    const archiver = archiverOf({ run });
    expect(await archiver.isWell()).toBe(true);
    await archiver.start();
    await until(async () => !(await archiver.isWell()));
    isBroken = false;
    await until(() => archiver.isWell());
    await archiver.stop(5_000);
  });

  it('uses a shortened period at once', async () => {
    let runs = 0;
    const first = archiverOf({ run: async () => Boolean((runs += 1)) });
    await first.start();
    await until(() => runs > 0);
    await first.stop(5_000);
    await tasksOf().updateOne({ name: 'a-task' }, { $set: { nextRunAt: new Date(Date.now() + 86_400_000) } });
    const before = runs;
    const next = archiverOf({ run: async () => Boolean((runs += 1)) });
    await next.start();
    await until(() => runs > before);
    await next.stop(5_000);
  });

  it('keeps running if the database goes away while Agenda releases a lock (Contract 9.3.2)', async () => {
    const severable = await openSeverableDatabase();
    const options = { monitorCommands: true, serverSelectionTimeoutMS: 300 };
    const client = await new mongo.MongoClient(severable.uri, options).connect();
    const db = client.db(severable.connection.name);
    const warned: string[] = [];
    const archiver = new Archiver({
      database: db,
      isDatabaseAway: () => false,
      log: pino({}, { write: (line) => void warned.push((JSON.parse(line) as { msg: string }).msg) }),
      tasks: [{ name: 'a-task', everyMs: 3_000, isVital: true, run: async () => true }],
    });
    await archiver.start();
    const tasks = db.collection('tasks');
    await until(
      async () => (await tasks.findOne({ name: 'a-task', lastFinishedAt: { $ne: null } })) !== null,
    );
    // Agenda takes over a lock that has expired, and releases it because the next run is far away.
    const nextRunAt = new Date(Date.now() + 3_600_000);
    client.on('commandStarted', ({ command }) => {
      if ('update' in command && /"\$unset":{"lockedAt"/.test(JSON.stringify(command))) severable.way.sever();
    });
    await tasks.updateOne({ name: 'a-task' }, { $set: { nextRunAt, lockedAt: new Date(0) } });
    await until(() => warned.some((message) => message.includes('could not release the lock of a task')));
    severable.way.restore();
    await archiver.stop(5_000);
    await client.close();
    await severable.close();
  });

  it('ignores a next run in the far future, set by a wrong clock (Contract 2.5.5)', async () => {
    let runs = 0;
    const archiver = archiverOf({ run: async () => Boolean((runs += 1)) });
    await archiver.start();
    await until(() => runs > 0);
    const later = new Date(Date.now() + 86_400_000);
    // Change `nextRunAt` between two runs: a run that ends would overwrite it.
    await until(async () => {
      const filter = { name: 'a-task', lockedAt: null };
      return (await tasksOf().updateOne(filter, { $set: { nextRunAt: later } })).modifiedCount > 0;
    });
    const before = runs;
    await until(() => runs > before + 1);
    await archiver.stop(5_000);
  });
});

describe('gateway with an archiver', () => {
  const expire = async (gateway: Awaited<ReturnType<typeof startTestGateway>>) => {
    const publishedAt = new Date(Date.now() - 91 * 86_400_000);
    await gateway.models.jobs.updateOne(
      { publicId: 'acme-office-manager' },
      { $set: { state: 'published', ...withEnd({ publishedAt }) } },
    );
  };
  const storedState = async (gateway: Awaited<ReturnType<typeof startTestGateway>>) =>
    (await gateway.models.jobs.findOne({ publicId: 'acme-office-manager' }).lean())?.state;

  it('with ARCHIVER=off is ready, archives nothing, and shows an expired job as archived (Contract 2.5.5)', async () => {
    const gateway = await startTestGateway({ ARCHIVER: 'off', ARCHIVE_EVERY: '400ms' });
    await expire(gateway);
    const ready = await fetch(`${gateway.url}/ready`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ready',
      checks: { accepting: true, database: true, keys: true },
    });
    await sleep(1_000);
    expect(await storedState(gateway)).toBe('published');
    const { body } = await graphql(
      gateway,
      '{ job(publicId: "acme-office-manager") { state expiresAt } }',
      {},
      { token: await gateway.token() },
    );
    expect(body.data).toEqual({ job: { state: 'archived', expiresAt: null } });
    await gateway.stop();
  });

  it('archives overdue jobs at its start, and counts them in metrics (Contract 2.5.5, 6.1.4, 9.3.1)', async () => {
    const gateway = await startTestGateway({ ARCHIVE_EVERY: '400ms' });
    await expire(gateway);
    await until(async () => (await storedState(gateway)) === 'archived');
    await until(async () => {
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      return (
        /^gateway_archiver_batch_jobs_sum [1-9]/m.test(metrics) &&
        /^gateway_archiver_run_duration_seconds_count [1-9]/m.test(metrics) &&
        /^gateway_archiver_lag_seconds \d/m.test(metrics)
      );
    });
    await gateway.stop();
  });

  it('is ready despite a damaged overdue job, logs it once, and archives the others (Contract 9.3.1, 9.3.3)', async () => {
    const { log, parsed } = logInMemory('warn');
    const gateway = await startTestGateway({ ARCHIVE_EVERY: '400ms' }, { log });
    const publishedAt = new Date(Date.now() - 236 * 86_400_000);
    const damaged = { ...withEnd({ publishedAt }), state: 'published', version: 'x' };
    await gateway.models.jobs.collection.updateOne(
      { publicId: 'acme-backend-engineer' },
      {
        $set: damaged,
      },
    );
    await expire(gateway);
    await until(async () => (await storedState(gateway)) === 'archived');
    await until(async () => {
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      return /^gateway_archiver_run_duration_seconds_count ([2-9]|\d\d)/m.test(metrics);
    });
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200);
    await gateway.stop();
    // An engine that builds indexes later also logs a line for each missing index.
    expect(parsed().filter((line) => !('index' in line))).toMatchObject([
      {
        collection: 'jobs',
        id: 'acme-backend-engineer',
        path: 'version',
      },
    ]);
  });

  it('with JOB_LIFETIME=5s, archives a job, and never shows it as published after 5 s (Contract 2.5)', async () => {
    const gateway = await startTestGateway({ JOB_LIFETIME: '5s', ARCHIVE_EVERY: '1s' });
    const token = await gateway.token();
    const { body } = await updateJob(gateway, { state: 'published' }, { token }, 'acme-office-manager');
    const endsAt = new Date(body.data?.publishedAt as string).getTime() + 5_000;

    let isStored = false;
    while (!isStored && Date.now() < endsAt + 30_000) {
      const askedAt = Date.now();
      const query = '{ job(publicId: "acme-office-manager") { state version } }';
      const { job } = (await graphql(gateway, query, {}, { token })).body.data as {
        job: { state: string; version: number };
      };
      if (askedAt >= endsAt) expect(job.state).toBe('archived');
      if (Date.now() < endsAt) expect(job.state).toBe('published');
      // The update wrote version 2, the task writes version 3.
      isStored = job.version === 3;
      await sleep(100);
    }
    await gateway.stop();
    expect(isStored).toBe(true);
  });
});
