import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Outcome } from './support/client.js';
import { ownFolder } from './support/installation.js';
import { endAll, startGatewayProcess, startWithFullDisk } from '../support/process.js';
import { randomFor } from './support/random.js';
import { until } from '../support/until.js';

const rounds = Number(process.env.RELIABILITY_ROUNDS ?? 10);
const clients = 16;

afterEach(endAll);

describe('SIGTERM under load', () => {
  it(`${rounds} rounds: no accepted request fails, /ready reports the stop at once, and the exit code is 0 (Contract 11.4)`, async () => {
    const random = randomFor('stop');
    const { environment, token, remove } = await ownFolder();
    let answered = 0;
    let unaccepted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const gateway = await startGatewayProcess({ ...environment, LOG_LEVEL: 'info' });
      const outcomes: Outcome[] = [];
      const call = async (index: number) => {
        const client = new Client(gateway.url, token);
        for (let count = 0; ; count += 1) {
          const outcome = await (index % 4 === 0
            ? client.updateJob('acme-office-manager', { salary: `r${round} c${index} n${count}` })
            : client.readJob('acme-office-manager'));
          // The gateway never accepted this request.
          if (outcome.failure === 'ECONNREFUSED') break;
          outcomes.push(outcome);
          if (outcome.failure) break;
          await sleep(random.between(0, 10));
        }
        client.close();
      };
      const load = Promise.all(Array.from({ length: clients }, (_, index) => call(index)));
      await sleep(random.between(100, 500));
      const ended = gateway.end('SIGTERM');
      await sleep(50);
      const probe = new Client(gateway.url, token);
      const ready = await probe.get('/ready');
      expect(ready.status).toBe(503);
      expect(JSON.parse(ready.body)).toMatchObject({ checks: { accepting: false } });
      // This open connection is still served, and then closed.
      await load;
      const health = await probe.get('/health');
      expect(health).toMatchObject({ status: 200, isReused: true, headers: { connection: 'close' } });
      expect(await ended).toBe(0);
      probe.close();
      expect(gateway.output()).not.toContain('requests were cut off');
      // A new connection may have waited in the system's queue when the listener closed.
      const isUnaccepted = ({ failure, isReused }: Outcome) => failure === 'ECONNRESET' && !isReused;
      expect(outcomes.filter((outcome) => outcome.status !== 200 && !isUnaccepted(outcome))).toEqual([]);
      answered += outcomes.filter(({ status }) => status === 200).length;
      unaccepted += outcomes.filter(isUnaccepted).length;
    }
    process.stdout.write(
      `stop: ${answered} requests answered in ${rounds} rounds, ${unaccepted} connections too late\n`,
    );
    await remove();
  }, 120_000);

  it('a request that never ends is cut off after 10 s (Contract 11.4)', async () => {
    const { environment, token, remove } = await ownFolder();
    const gateway = await startGatewayProcess(environment);
    const client = new Client(gateway.url, token);
    // The client never sends the body.
    const endless = client.send('POST', '/jobs/acme-office-manager', '', {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '10',
    });
    await sleep(100);
    const startedMs = performance.now();
    expect(await gateway.end('SIGTERM')).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    expect((await endless).status).toBeNull();
    expect(gateway.output()).toContain('requests were cut off');
    client.close();
    await remove();
  }, 30_000);
});

describe('built-in store with a full disk', () => {
  it('acknowledges nothing that it could not write, says why, and exits with a failure', async () => {
    const { environment, token, look, remove } = await ownFolder();
    const gateway = await startWithFullDisk({ ...environment, LOG_LEVEL: 'info' }, 1_024);
    const client = new Client(gateway.url, token);
    const acknowledged: string[] = [];
    for (let count = 0; count < 2_000; count += 1) {
      const salary = `n${count}`;
      const text = `${count} ${'x'.repeat(15_000)}`;
      const { status } = await client.updateJob('acme-office-manager', { salary, description_job: text });
      if (status === 200) acknowledged.push(salary);
      if (status === null) break;
    }
    client.close();
    await until(() => gateway.child.exitCode !== null);
    expect(gateway.child.exitCode).toBe(1);
    expect(gateway.output()).toContain(
      'the built-in store failed: check that the disk of DATA_DIR has free space',
    );
    await look(async ({ jobs }) => {
      const job = await jobs.findOne({ publicId: 'acme-office-manager' }).lean();
      const last = Number(acknowledged.at(-1)?.slice(1));
      expect(Number(job?.salary?.slice(1))).toBeGreaterThanOrEqual(last);
    });
    await remove();
  }, 60_000);
});
