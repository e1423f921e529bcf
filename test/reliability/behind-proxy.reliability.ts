import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNginx } from '../support/nginx.js';
import { endAll, freePort, has, type Running, startGatewayProcess } from '../support/process.js';
import { Client, type Outcome } from './support/client.js';
import { shareDatabase } from './support/installation.js';
import { readAccounts } from './support/ledger.js';
import { randomFor } from './support/random.js';
import { until } from '../support/until.js';

const rounds = Number(process.env.RELIABILITY_ROUNDS ?? 10);
const clients = 12;
const jobs = ['acme-backend-engineer', 'acme-office-manager', 'acme-data-analyst'];
/** The keys of a killed gateway stay reserved for 10 s. */
const longestRetryMs = 30_000;

const withNginx = has('nginx') ? describe : describe.skip;

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end();
});

/** Two gateways on one database behind the proxy. Clients call until `endLoad` is called. */
async function installation() {
  const shared = await shareDatabase();
  undo.push(() => shared.remove(), endAll);
  const ports = [await freePort(), await freePort()];
  const start = (index: number): Promise<Running> =>
    startGatewayProcess({
      ...shared.environment,
      LOG_LEVEL: 'info',
      PORT: String(ports[index]),
      TRUSTED_PROXIES: '127.0.0.1',
      ARCHIVER: index === 0 ? 'on' : 'off',
    });
  const gateways = await Promise.all([start(0), start(1)]);
  const { url, end } = await startNginx(ports);
  undo.push(end);
  const probe = new Client(url, shared.token);
  await until(async () => (await probe.get('/ready')).status === 200);
  probe.close();

  let isOver = false;
  const endLoad = () => void (isOver = true);
  undo.push(async () => endLoad());
  const load = async <T>(
    call: (client: Client, index: number, count: number) => Promise<T>,
  ): Promise<T[]> => {
    const results = await Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const client = new Client(url, shared.token);
        const made: T[] = [];
        for (let count = 0; !isOver; count += 1) {
          made.push(await call(client, index, count));
          await sleep(index);
        }
        client.close();
        return made;
      }),
    );
    return results.flat();
  };
  return {
    ...shared,
    gateways,
    start,
    load,
    endLoad,
  };
}

withNginx('two gateways behind the proxy of deploy/', () => {
  it(`are replaced in turn, ${rounds} times, and no request fails (Contract 9.3.1)`, async () => {
    const { gateways, start, load, endLoad } = await installation();
    const outcomes: Promise<Outcome[]> = load((client, index, count) =>
      index % 3 === 0
        ? client.readJob(jobs[count % 3] ?? '')
        : client.updateJob(jobs[count % 3] ?? '', { salary: `c${index} n${count}` }),
    );
    for (let round = 0; round < rounds; round += 1) {
      const index = round % 2;
      expect(await gateways[index]?.end('SIGTERM')).toBe(0);
      gateways[index] = await start(index);
      await sleep(500);
    }
    endLoad();
    const all = await outcomes;
    process.stdout.write(`upgrade: ${all.length} requests in ${rounds} replacements\n`);
    expect(all.length).toBeGreaterThan(20 * rounds);
    expect(
      all
        .filter(({ status }) => status !== 200)
        .map(({ status, failure, body }) => ({ status, failure, body })),
    ).toEqual([]);
  }, 600_000);

  it(`are killed in turn, ${rounds} times: every request with a key succeeds when repeated, and none runs twice (Contract 6.2.2)`, async () => {
    const random = randomFor('kill behind a proxy');
    const { gateways, start, load, endLoad, models } = await installation();
    let repeated = 0;
    /** A record remembers 16 keyed calls, so nobody begins another call while one is repeated. */
    const lost = new Set<string>();
    const insist = async (client: Client, index: number, count: number) => {
      while (lost.size > 0) await sleep(20);
      const key = randomUUID();
      const salary = `c${index} n${count}`;
      const giveUpMs = performance.now() + longestRetryMs;
      for (;;) {
        const outcome = await client.updateJob(jobs[count % 3] ?? '', { salary }, { 'idempotency-key': key });
        const isLost = outcome.status === null || [502, 503, 504].includes(outcome.status);
        if (!isLost || performance.now() > giveUpMs) {
          lost.delete(key);
          return { outcome, salary };
        }
        lost.add(key);
        repeated += 1;
        await sleep(1_000 * Number(outcome.headers['retry-after'] ?? 0.2));
      }
    };
    const calls = load(insist);
    // A kill between two calls proves nothing: go on until one has cost a reply.
    for (let round = 0; round < rounds || (repeated === 0 && round < 20); round += 1) {
      await sleep(random.between(300, 1_000));
      const index = round % 2;
      await gateways[index]?.end('SIGKILL');
      gateways[index] = await start(index);
    }
    endLoad();
    const all = await calls;
    process.stdout.write(`kill: ${all.length} requests in ${rounds} kills, ${repeated} repeated\n`);
    expect(all.map(({ outcome }) => outcome).filter(({ status }) => status !== 200)).toEqual([]);
    expect(repeated).toBeGreaterThan(0);
    const changed = (await readAccounts(models, { publicId: { $in: jobs } })).flatMap(({ entries }) =>
      entries.flatMap(({ changes }) =>
        changes.filter(({ field }) => field === 'salary').map(({ after }) => String(after)),
      ),
    );
    expect(changed.sort()).toEqual(all.map(({ salary }) => salary).sort());
  }, 600_000);
});
