import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Outcome } from './support/client.js';
import { type Installation, shareDatabase, throughProxy } from './support/installation.js';
import { endAll, type Running, startGatewayProcess } from '../support/process.js';
import { type Proxy } from './support/proxy.js';
import { randomFor } from './support/random.js';

const cutMs = 10_000;
const recoveryMs = 2_000;
const longestMs = 3_000;
const clients = 12;
const job = 'acme-office-manager';

let installation: Installation;
let proxy: Proxy;
let environment: Record<string, string>;

let cleanUp = async (): Promise<void> => undefined;

beforeAll(async () => {
  installation = await shareDatabase();
  const through = await throughProxy(installation.uri);
  proxy = through.proxy;
  cleanUp = async () => {
    await proxy.close();
    await installation.remove();
  };
  environment = {
    ...installation.environment,
    ARCHIVE_EVERY: '1s',
    LOG_LEVEL: 'info',
    MONGODB_URI: through.uri,
  };
}, 60_000);
afterEach(async () => {
  proxy.restore();
  proxy.delay(0);
  await endAll();
});
afterAll(async () => {
  await cleanUp();
});

const isRefused = ({ status }: Outcome): boolean => status !== 200 && status !== 201;

const linesWith = ({ output }: Running, word: string): string[] =>
  output()
    .split('\n')
    .filter((line) => line.includes(word));

function startLoad(gateway: Running, seed: string): { outcomes: Outcome[]; stop(): Promise<void> } {
  const random = randomFor(seed);
  const outcomes: Outcome[] = [];
  let isOver = false;
  const call = async (index: number) => {
    const client = new Client(gateway.url, installation.token);
    for (let count = 0; !isOver; count += 1) {
      const salary = `${seed} ${index} ${count}`.slice(0, 30);
      const headers = index % 6 === 0 ? { 'idempotency-key': salary.replaceAll(' ', '-') } : {};
      outcomes.push(
        await (index % 3 === 0
          ? client.updateJob(job, { salary }, headers)
          : index % 3 === 1
            ? client.updateCompany({ description: salary })
            : client.readJob(job)),
      );
      await sleep(random.between(10, 60));
    }
    client.close();
  };
  const done = Promise.all(Array.from({ length: clients }, (_, index) => call(index)));
  return {
    outcomes,
    stop: async () => {
      isOver = true;
      await done;
    },
  };
}

async function resourcesOf(client: Client): Promise<number> {
  const { body } = await client.get('/metrics');
  return Number(/^nodejs_active_handles_total (\d+)/m.exec(body)?.[1]);
}

describe('database cut off for 10 s under load (Contract 9.3.2)', () => {
  it.each(['refused', 'silent'] as const)(
    'with connections %s: every failure is a 503 within 3 s, calls succeed from 2 s after the database is back, and nothing leaks (Contract 7.2.1, 9.3.1)',
    async (how) => {
      const gateway = await startGatewayProcess(environment);
      const probe = new Client(gateway.url, installation.token);
      const before = startLoad(gateway, `${how} before`);
      await sleep(1_500);
      await before.stop();
      expect(before.outcomes.filter(isRefused)).toEqual([]);
      const connectionsBefore = proxy.connections();
      const handlesBefore = await resourcesOf(probe);

      const load = startLoad(gateway, how);
      await sleep(500);
      proxy.cut(how);
      const cutAtMs = performance.now();
      await sleep(3_000);
      for (let look = 0; look < 3; look += 1) {
        expect((await probe.get('/ready')).status).toBe(503);
        expect((await probe.get('/health')).status).toBe(200);
        await sleep(500);
      }
      await sleep(cutMs - (performance.now() - cutAtMs));
      const restoredAtMs = performance.now();
      proxy.restore();
      const isWell = async () =>
        (await probe.get('/ready')).status === 200 &&
        (await probe.updateJob(job, { salary: 'back' })).status === 200;
      while (!(await isWell())) {
        expect(performance.now() - restoredAtMs).toBeLessThan(recoveryMs);
        await sleep(20);
      }
      const recoveredAtMs = performance.now();
      await sleep(1_500);
      await load.stop();

      const { outcomes } = load;
      const during = outcomes.filter(
        ({ startedMs, ms }) => startedMs + ms > cutAtMs && startedMs < recoveredAtMs,
      );
      const after = outcomes.filter(({ startedMs }) => startedMs >= restoredAtMs + recoveryMs);
      expect(linesWith(gateway, 'internal-error')).toEqual([]);
      expect(during.filter((outcome) => isRefused(outcome) && outcome.status !== 503)).toEqual([]);
      expect(
        during.filter(
          ({ startedMs, status }) =>
            status !== 503 && startedMs > cutAtMs && startedMs < restoredAtMs - longestMs,
        ),
      ).toEqual([]);
      expect(after.filter(isRefused)).toEqual([]);
      const slowest = Math.max(...outcomes.map(({ ms }) => ms));
      expect(slowest).toBeLessThan(longestMs);
      const refusals = during.filter(({ status }) => status === 503);
      expect(refusals.length).toBeGreaterThan(100);
      for (const { headers } of refusals) expect(headers['retry-after']).toBe('1');
      for (const { body } of refusals) expect(body).toMatch(/"error":"service-unavailable"/);

      // The archiver recovers too.
      const { models } = installation;
      const expiresAt = new Date(Date.now() - 1_000);
      const publishedAt = new Date(expiresAt.getTime() - 90 * 86_400_000);
      await models.jobs.updateOne(
        { publicId: 'acme-data-analyst' },
        { $set: { state: 'published', publishedAt, expiresAt } },
      );
      const archivedByMs = performance.now() + 20_000;
      while (!(await models.jobs.exists({ publicId: 'acme-data-analyst', state: 'archived' }))) {
        expect(performance.now()).toBeLessThan(archivedByMs);
        await sleep(100);
      }

      // The same load as before the cut would show leaked connections.
      const again = startLoad(gateway, `${how} again`);
      await sleep(1_500);
      await again.stop();
      expect(proxy.connections()).toBeLessThanOrEqual(connectionsBefore + clients);
      expect(await resourcesOf(probe)).toBeLessThanOrEqual(handlesBefore + clients);
      expect(gateway.output()).not.toContain('MaxListenersExceededWarning');
      expect(gateway.output()).not.toMatch(/unhandled/i);
      process.stdout.write(
        `${how}: ${refusals.length} times 503, slowest ${Math.round(slowest)} ms, well again after ${Math.round(recoveredAtMs - restoredAtMs)} ms\n`,
      );
      probe.close();
      expect(await gateway.end('SIGTERM')).toBe(0);
    },
    60_000,
  );

  it('a process that gets SIGTERM during the cut exits within 5 s, with 0 (Contract 9.3.1)', async () => {
    const gateway = await startGatewayProcess(environment);
    proxy.cut('silent');
    await sleep(300);
    const startedMs = performance.now();
    expect(await gateway.end('SIGTERM')).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  }, 30_000);
});

describe('slow database (Contract 9.3.2)', () => {
  it('requests beyond MAX_IN_FLIGHT get 503 with Retry-After at once, and those in flight are answered', async () => {
    const gateway = await startGatewayProcess({ ...environment, MAX_IN_FLIGHT: '20' });
    const client = new Client(gateway.url, installation.token);
    expect((await client.readJob(job)).status).toBe(200);
    proxy.delay(400);
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => client.readJob(job)));
    const served = outcomes.filter(({ status }) => status === 200);
    const shed = outcomes.filter(({ status }) => status === 503);
    expect(served.length + shed.length).toBe(200);
    expect(shed.length).toBeGreaterThanOrEqual(180);
    for (const { headers } of shed) expect(headers['retry-after']).toBe('1');
    proxy.delay(0);
    await sleep(500);
    expect((await client.readJob(job)).status).toBe(200);
    client.close();
  }, 30_000);

  it('a call that takes longer than DATABASE_TIMEOUT gets 503', async () => {
    const gateway = await startGatewayProcess({ ...environment, DATABASE_TIMEOUT: '300ms' });
    const client = new Client(gateway.url, installation.token);
    expect((await client.readJob(job)).status).toBe(200);
    proxy.delay(600);
    const { status, ms } = await client.readJob(job);
    expect(status).toBe(503);
    expect(ms).toBeLessThan(2_000);
    client.close();
  }, 30_000);
});
