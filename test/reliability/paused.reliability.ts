import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { endAll, startGatewayProcess } from '../support/process.js';
import { Client, type Outcome } from './support/client.js';
import { shareDatabase } from './support/installation.js';
import { expectChain, readAccounts } from './support/ledger.js';
import { randomFor } from './support/random.js';

const rounds = Number(process.env.RELIABILITY_ROUNDS ?? 4);
const pausedMs = 15_000;
const job = 'acme-office-manager';

afterEach(endAll);

describe('SIGSTOP of a gateway for 15 s amid calls with a key, sent again to another', () => {
  it(
    `${rounds} rounds: each key is in the history at most once, and nobody’s change is lost (Contract 9.3.8, 9.3.9)`,
    async () => {
      const random = randomFor('pause');
      const { environment, token, models, remove } = await shareDatabase();
      const paused = await startGatewayProcess(environment);
      const other = await startGatewayProcess(environment);
      const [first, second] = [new Client(paused.url, token), new Client(other.url, token)];
      const acknowledged = new Set<string>();
      const note = (salary: string, { status }: Outcome) => {
        if (status === 200) acknowledged.add(salary);
        // What could not be read in time is refused unread.
        else expect([null, 503, 400]).toContain(status);
      };
      for (let round = 0; round < rounds; round += 1) {
        const keyed = Array.from({ length: 8 }, (_, index) => `r${round}-k${index}`);
        const sendTo = async (client: Client, salary: string) => {
          const outcome = await client.updateJob(job, { salary }, { 'idempotency-key': salary });
          note(salary, outcome);
          return outcome;
        };
        const sent = Promise.all(keyed.map((salary) => sendTo(first, salary)));
        await sleep(random.between(0, 40));
        paused.child.kill('SIGSTOP');
        const stoppedAtMs = performance.now();
        const again = Promise.all(
          keyed.map(async (salary) => {
            while ((await sendTo(second, salary)).status !== 200) await sleep(200);
          }),
        );
        for (let count = 0; count < 40; count += 1)
          note(`r${round} n${count}`, await second.updateJob(job, { salary: `r${round} n${count}` }));
        await again;
        await sleep(Math.max(0, pausedMs - (performance.now() - stoppedAtMs)));
        paused.child.kill('SIGCONT');
        await sent;
      }
      first.close();
      second.close();
      const [account] = await readAccounts(models, { publicId: job });
      if (!account) throw new Error('the job is gone');
      expectChain(account, 'salary');
      const made = account.entries.flatMap(({ changes }) => changes.map(({ after }) => after));
      expect(made).toHaveLength(new Set(made).size);
      expect([...acknowledged].filter((salary) => !made.includes(salary))).toEqual([]);
      await remove();
    },
    rounds * 40_000,
  );
});
