import { describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics } from '../../src/metrics/metrics.js';
import { measureTask } from '../../src/metrics/measure.js';
import { watchPool } from '../../src/database/watch-client.js';
import { openTestDatabase } from '../support/database.js';
import { startTestGateway } from '../support/gateway.js';
import { logInMemory } from '../support/log-in-memory.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { openSeverableDatabase } from '../support/severable.js';
import { until } from '../support/until.js';
import { updateJob as overRest } from '../support/updates.js';

const gateway = ownGateway({
  READ_QUOTA: '3/60s',
  MAX_IN_FLIGHT: '1',
  ARCHIVE_EVERY: '300ms',
});

const scrape = async () => (await fetch(`${gateway.url}/metrics`)).text();

/** `series` lists the labels in the order of their declaration. */
async function valueOf(series: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((text) => text.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const updateJob = `mutation ($input: UpdateJobInput!) { made: updateJob(input: $input) { job { salary } } }`;
const inputOf = (jobPublicId: string) => ({
  input: { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId },
});

/** Hangs up mid-body. */
async function leave(): Promise<void> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const head =
    'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
  await new Promise((written) => socket.write(head, written));
  await sleep(50);
  socket.destroy();
}

describe('metrics (Contract 11.6)', () => {
  it('time each operation of both APIs under its field’s name, not a caller’s alias', async () => {
    const token = await gateway.token();
    const series = 'gateway_operation_duration_seconds_count{operation="updateJob"}';
    const before = (await valueOf(series)) ?? 0;
    await graphql(gateway, updateJob, inputOf('acme-backend-engineer'), { token });
    await overRest(gateway, {}, { token });
    expect(await valueOf(series)).toBe(before + 2);
    expect(await scrape()).not.toContain('made');
  });

  it('count errors by operation and code, even for a missing token or record', async () => {
    const token = await gateway.token();
    const absent = 'gateway_operation_errors_total{operation="updateJob",code="job-not-found"}';
    const refused = 'gateway_operation_errors_total{operation="updateJob",code="unauthorized-limitation"}';
    const [absentBefore = 0, refusedBefore = 0] = [await valueOf(absent), await valueOf(refused)];
    await graphql(gateway, updateJob, inputOf('no-such-job'), { token });
    await graphql(gateway, updateJob, inputOf('acme-backend-engineer'));
    expect(await valueOf(absent)).toBe(absentBefore + 1);
    expect(await valueOf(refused)).toBe(refusedBefore + 1);
  });

  it('start every error code at 0, and count errors below a root field in both APIs', async () => {
    const token = await gateway.token({ sub: 'reader of what is broken' });
    const internal = 'gateway_errors_total{code="internal-error"}';
    expect(await valueOf(internal)).toBe(0);
    const { jobs } = gateway.models;
    const publicId = 'acme-office-manager';
    await jobs.collection.updateOne({ publicId }, { $unset: { name: 1 } });
    const query = `{ job(publicId: "${publicId}") { publicId name } }`;
    const { body } = await graphql(gateway, query, {}, { token });
    expect(body.errors?.map(({ path }) => path)).toEqual([['job', 'name']]);
    expect(await valueOf(internal)).toBe(1);
    expect((await rest(gateway, 'GET', `/jobs/${publicId}`, undefined, { token })).status).toBe(500);
    expect(await valueOf(internal)).toBe(2);
  });

  it('time requests that the router cannot read, and use status 499 if the caller disconnects', async () => {
    const [unreadable, left] = [
      'GET",route="none",status="400"}',
      'POST",route="/graphql",status="499"}',
    ].map((labels) => `gateway_request_duration_seconds_count{method="${labels}`) as [string, string];
    const [before = 0, leftBefore = 0] = [await valueOf(unreadable), await valueOf(left)];
    for (const path of ['/%zz', `/jobs/${'a'.repeat(3_000)}`]) {
      const { headers } = await fetch(gateway.url + path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    await until(async () => (await valueOf(unreadable)) === before + 2);
    await leave();
    await until(async () => (await valueOf(left)) === leftBefore + 1);
  });

  it('count the calls that a quota refuses, by bucket', async () => {
    const token = await gateway.token({ sub: 'reader' });
    for (let reads = 0; reads < 4; reads += 1)
      await graphql(gateway, '{ job(publicId: "acme-backend-engineer") { name } }', {}, { token });
    expect(await valueOf('gateway_quota_refusals_total{bucket="read"}')).toBe(1);
  });

  it('count the operations that MAX_IN_FLIGHT refuses, and show none in flight afterwards', async () => {
    const token = await gateway.token();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () =>
        graphql(gateway, updateJob, inputOf('acme-backend-engineer'), { token }),
      ),
    );
    const shed = replies.filter(({ status }) => status === 503);
    expect(new Set(shed.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
    expect(await valueOf('gateway_load_shed_total{reason="in-flight"}')).toBe(shed.length);
    expect(await valueOf('gateway_operations_in_flight')).toBe(0);
    // The request for the metrics is itself in flight.
    expect(await valueOf('gateway_requests_in_flight')).toBe(1);
  });

  it('show the database connections in use and idle, and the operations that wait for one', async () => {
    const connections = (pool: string, state: string) =>
      valueOf(`gateway_database_connections{pool="${pool}",state="${state}"}`);
    // An earlier request may still be moving history, and a task may run.
    for (const pool of ['requests', 'tasks'])
      await until(
        async () => (await connections(pool, 'in-use')) === 0 && (await connections(pool, 'idle'))! > 0,
      );
    expect(await valueOf('gateway_database_waiting{pool="requests"}')).toBe(0);
  });

  it('use the driver’s events to count the connections in use and the operations that wait', async () => {
    const database = await openTestDatabase();
    const client = new MongoClient(database.uri, { maxPoolSize: 1 });
    const ask = watchPool(client);
    let most = { inUse: 0, waiting: 0 };
    const note = () => {
      const { inUse, waiting } = ask();
      most = { inUse: Math.max(most.inUse, inUse), waiting: Math.max(most.waiting, waiting) };
    };
    client.on('connectionCheckOutStarted', note).on('connectionCheckedOut', note);
    await client.connect();
    await Promise.all(Array.from({ length: 5 }, () => client.db().command({ ping: 1 })));
    expect(most.inUse).toBe(1);
    expect(most.waiting).toBeGreaterThan(1);
    expect(ask()).toEqual({ inUse: 0, idle: 1, waiting: 0 });
    await client.close();
    expect(ask()).toEqual({ inUse: 0, idle: 0, waiting: 0 });
    await database.close();
  });

  it('count the operations that wait for an absent database', async () => {
    const database = await openSeverableDatabase();
    const client = new MongoClient(database.uri, { serverSelectionTimeoutMS: 1_000 });
    await client.connect();
    const ask = watchPool(client);
    const ping = () =>
      client
        .db()
        .command({ ping: 1 })
        .catch(() => undefined);
    database.way.sever();
    // The first command loses its connection, the second waits for a server.
    await ping();
    const waiting = ping();
    await until(() => ask().waiting === 1);
    await waiting;
    expect(ask().waiting).toBe(0);
    await client.close();
    await database.close();
  });

  it('show the archiving task’s runs and lag, and the event loop’s delay', async () => {
    const runs = () => valueOf('gateway_task_runs_total{task="archive-expired-jobs",outcome="succeeded"}');
    await until(async () => Boolean(await runs()));
    expect(await runs()).toBeGreaterThan(0);
    expect(await valueOf('gateway_archiver_lag_seconds')).toBeGreaterThanOrEqual(0);
    expect(await valueOf('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('show how far the clock differs from the database’s; over 5 s, the log warns once (Contract 11.13)', async () => {
    const skewOf = async (url: string) =>
      Number(/^gateway_clock_skew_seconds (\S+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
    for (const seconds of [600, -600, 4]) {
      const { log, lines } = logInMemory('warn');
      const clock = () => new Date(Date.now() + seconds * 1_000);
      const own = await startTestGateway({ ARCHIVER: 'off' }, { clock, log });
      await until(async () => Math.abs((await skewOf(own.url)) - seconds) < 2);
      await own.stop();
      expect(lines.filter((line) => line.includes('the clock differs'))).toHaveLength(seconds === 4 ? 0 : 1);
    }
    expect(await skewOf(gateway.url)).toBeCloseTo(0, 0);
  });

  it('show no lag in a process that no longer runs the archiving task', async () => {
    const lag = () => valueOf('gateway_archiver_lag_seconds');
    const tasks = gateway.models.jobs.db.collection('tasks');
    const isAway = { name: 'archive-expired-jobs' };
    await until(async () => (await lag()) !== undefined);
    await until(async () => {
      // Repeat: an archiving run that is ending overwrites `nextRunAt`.
      await tasks.updateOne(isAway, { $set: { nextRunAt: new Date(Date.now() + 3_600_000) } });
      return (await lag()) === undefined;
    });
    await tasks.updateOne(isAway, { $set: { nextRunAt: new Date() } });
    await until(async () => (await lag()) !== undefined);
  });

  it('count a task run as failed if it throws, and pass on the error', async () => {
    const metrics = createMetrics();
    const run = async () => Promise.reject(new Error('no'));
    const task = measureTask({ name: 'made-up', everyMs: 1, run }, metrics);
    for (const outcome of ['failed', 'succeeded'])
      expect(await metrics.registry.getSingleMetricAsString('gateway_task_runs_total')).toContain(
        `{task="made-up",outcome="${outcome}"} 0`,
      );
    await expect(
      task.run({ id: '', isStopping: () => false, renew: async () => undefined, skip: () => undefined }),
    ).rejects.toThrow('no');
    expect(await metrics.registry.getSingleMetricAsString('gateway_task_runs_total')).toContain(
      '{task="made-up",outcome="failed"} 1',
    );
  });

  it('have the time of a task’s last success, which no scrape resets', async () => {
    const series = 'gateway_task_succeeded_timestamp_seconds{task="archive-expired-jobs"}';
    await until(async () => (await valueOf(series)) !== undefined);
    expect(await valueOf(series)).toBeGreaterThan(Date.now() / 1_000 - 3_600);
    expect(await valueOf(series)).toBeDefined();
  });

  it('contain nothing that a caller wrote', async () => {
    const mark = 'brought-by-the-caller';
    const headers = { 'x-request-id': mark, 'user-agent': mark, 'content-type': 'application/json' };
    await fetch(`${gateway.url}/${mark}?${mark}`, { headers });
    await fetch(`${gateway.url}/jobs/${mark}`, { method: 'PURGE', headers });
    const query = `query brought { brought: job(publicId: "${mark}") { name } }`;
    await graphql(gateway, query, {}, { token: await gateway.token({ sub: mark }), headers });
    const text = await scrape();
    expect(text).not.toMatch(/brought|PURGE/);
    expect(text).toContain('method="other"');
  });
});
