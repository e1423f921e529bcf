import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../../src/metrics/metrics.js';
import { measureTask } from '../../src/metrics/measure.js';
import { startTestGateway } from '../support/gateway.js';
import { logInMemory } from '../support/log-in-memory.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
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

describe('metrics', () => {
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

  it('show the archiving task’s runs and lag, and the event loop’s delay', async () => {
    const runs = () => valueOf('gateway_task_runs_total{task="archive-expired-jobs",outcome="succeeded"}');
    await until(async () => Boolean(await runs()));
    expect(await runs()).toBeGreaterThan(0);
    expect(await valueOf('gateway_archiver_lag_seconds')).toBeGreaterThanOrEqual(0);
    expect(await valueOf('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('show how far the clock differs from the database’s; over 5 s, the log warns once', async () => {
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
    await expect(task.run({ id: '', isStopping: () => false, renew: async () => undefined })).rejects.toThrow(
      'no',
    );
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
