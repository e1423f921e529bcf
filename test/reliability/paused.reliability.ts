import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { endAll, startGatewayProcess } from '../support/process.js';
import { Client } from './support/client.js';
import { shareDatabase } from './support/installation.js';
import { randomFor } from './support/random.js';
import { Witness } from './support/witness.js';
import { type Sent } from '../schedules/support/sent.js';

const rounds = Number(process.env.RELIABILITY_ROUNDS ?? 4);
const pausedMs = 15_000;

afterEach(endAll);

describe('SIGSTOP of a gateway for 15 s during keyed calls, which are repeated at another gateway', () => {
  it(
    `${rounds} rounds: each key is in the history at most once, and no change is lost (Contract 9.3.8, 9.3.9)`,
    async () => {
      const random = randomFor('pause');
      const installation = await shareDatabase();
      const { environment, token, remove } = installation;
      const paused = await startGatewayProcess(environment);
      const other = await startGatewayProcess(environment);
      const [first, second] = [new Client(paused.url, token), new Client(other.url, token)];
      const witness = new Witness();
      for (let round = 0; round < rounds; round += 1) {
        const keyed = Array.from({ length: 8 }, (_, index): Sent => {
          const value = `r${round}-k${index}`;
          return { operation: 'updateJob', value, key: value };
        });
        const sent = Promise.all(keyed.map((call) => witness.send(first, call)));
        await sleep(random.between(0, 40));
        paused.child.kill('SIGSTOP');
        const stoppedAtMs = performance.now();
        const again = Promise.all(keyed.map((call) => witness.sendAgain(second, call)));
        for (let count = 0; count < 40; count += 1)
          await witness.send(second, { operation: 'updateJob', value: `r${round} n${count}` });
        await again;
        await sleep(Math.max(0, pausedMs - (performance.now() - stoppedAtMs)));
        paused.child.kill('SIGCONT');
        // The paused gateway may not have read the body, or even the headers, in time.
        for (const { end } of await sent)
          if (end.kind === 'refused') expect(end.code).toMatch(/^408 $|body-format-error/);
      }
      first.close();
      second.close();
      expect(await witness.faults(installation.models)).toEqual([]);
      await remove();
    },
    rounds * 40_000,
  );
});
