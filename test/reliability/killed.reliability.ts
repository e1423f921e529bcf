import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Models } from '../../src/database/models.js';
import { Client } from './support/client.js';
import { mongodbUri, ownFolder, shareDatabase } from './support/installation.js';
import { expectChain, expectIndexesIntact, readAccounts } from './support/ledger.js';
import { endAll, startGatewayProcess } from '../support/process.js';
import { randomFor } from './support/random.js';

const rounds = Number(process.env.RELIABILITY_ROUNDS ?? 20);
const writers = 8;
const jobs = ['acme-backend-engineer', 'acme-office-manager', 'acme-data-analyst'];

/** An update that the gateway answered with 200. */
interface Acknowledged {
  job: string;
  salary: string;
  version: number;
}

async function onBuiltInStore() {
  return ownFolder();
}

async function onMongoDB() {
  const { environment, token, models, remove } = await shareDatabase();
  return { environment, token, remove, look: <T>(use: (given: Models) => Promise<T>) => use(models) };
}

afterEach(endAll);

describe('kill -9 of the gateway at random moments under parallel updates', () => {
  it.each([
    ['the built-in store', onBuiltInStore],
    ...(mongodbUri ? [['MongoDB', onMongoDB] as const] : []),
  ] as const)(
    `${rounds} rounds on %s: no acknowledged change is lost, none is applied twice, none is without its entry (Contract 10.1.1)`,
    async (name, prepare) => {
      const random = randomFor(`kill on ${name}`);
      const { environment, token, look, remove } = await prepare();
      const acknowledged: Acknowledged[] = [];
      const sent = new Set<string>();
      /** Calls with a key that were not answered. */
      const unanswered: { job: string; salary: string; key: string }[] = [];
      /** Sends each of them once more; what is still without an answer stays. */
      const sendAgain = async (client: Client) => {
        for (const call of unanswered.splice(0)) {
          const { job, salary, key } = call;
          const { status } = await client.updateJob(job, { salary }, { 'idempotency-key': key });
          if (status !== 200) unanswered.push(call);
          if (status !== 200 && status !== null && status !== 503) throw new Error(`answered ${status}`);
        }
      };

      for (let round = 0; round < rounds; round += 1) {
        const gateway = await startGatewayProcess({ ...environment, LOG_LEVEL: 'info' });
        const repeater = new Client(gateway.url, token);
        await sendAgain(repeater);
        repeater.close();
        let isOver = false;
        const write = async (writer: number) => {
          const client = new Client(gateway.url, token);
          for (let count = 0; !isOver; count += 1) {
            const job = random.pick(jobs);
            const salary = `r${round} w${writer} n${count}`;
            sent.add(salary);
            const key = salary.replaceAll(' ', '-');
            const hasKey = count % 3 === 0;
            const headers = hasKey ? { 'idempotency-key': key } : {};
            const { status, headers: reply } = await client.updateJob(job, { salary }, headers);
            if (status === 200)
              acknowledged.push({ job, salary, version: Number(reply.etag?.replaceAll('"', '')) });
            else if (status !== null && status !== 503) throw new Error(`answered ${status}`);
            else if (hasKey) unanswered.push({ job, salary, key });
          }
          client.close();
        };
        const load = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
        // Not before the round has begun in earnest, however slow the machine.
        const acknowledgedBefore = acknowledged.length;
        while (acknowledged.length < acknowledgedBefore + writers) await sleep(5);
        await sleep(random.between(0, 500));
        await gateway.end('SIGKILL');
        isOver = true;
        await load;
      }

      const last = await startGatewayProcess({ ...environment, LOG_LEVEL: 'info' });
      const client = new Client(last.url, token);
      const repeated = [...unanswered];
      // The keys of the last round are held for a while yet.
      for (let tries = 0; unanswered.length > 0 && tries < 30; tries += 1) {
        await sendAgain(client);
        await sleep(500);
      }
      client.close();
      await last.end('SIGTERM');
      expect(unanswered).toEqual([]);

      await look(async (models) => {
        const accounts = await readAccounts(models, { publicId: { $in: jobs } });
        expect(accounts).toHaveLength(jobs.length);
        const written = new Map<string, { job: string; version: number }>();
        for (const account of accounts) {
          expectChain(account, 'salary');
          for (const { version, changes } of account.entries) {
            const salary = changes.find(({ field }) => field === 'salary')?.after as string;
            expect(sent.has(salary)).toBe(true);
            expect(written.has(salary)).toBe(false);
            written.set(salary, { job: account.job.publicId, version });
          }
        }
        const lost = acknowledged.filter(({ job, salary, version }) => {
          const found = written.get(salary);
          return found?.job !== job || found.version !== version;
        });
        expect(lost).toEqual([]);
        // What was sent again until it was answered is in the history, and as shown above not twice.
        expect(repeated.filter(({ salary }) => !written.has(salary))).toEqual([]);
        // The rounds were worth something.
        expect(acknowledged.length).toBeGreaterThanOrEqual(rounds * writers);
        await expectIndexesIntact(models);
        process.stdout.write(
          `${name}: ${acknowledged.length} acknowledged, ${written.size - acknowledged.length} written unacknowledged\n`,
        );
      });
      await remove();
    },
    120_000,
  );
});
