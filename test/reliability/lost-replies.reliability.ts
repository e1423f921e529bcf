import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sent } from '../schedules/support/sent.js';
import { endAll, startGatewayProcess } from '../support/process.js';
import { Client } from './support/client.js';
import { shareDatabase, throughProxy } from './support/installation.js';
import { randomFor } from './support/random.js';
import { Witness } from './support/witness.js';

const rounds = Number(process.env.RELIABILITY_ROUNDS ?? 4);
const writers = 6;
const roundMs = 2_000;

afterEach(endAll);

describe('database connections that break between a write and its reply', () => {
  it(
    `${rounds} rounds with two gateways: a repeated call, with or without a key, leaves one history entry, and each history stays one chain (Contract 9.3.9, 9.6, 10.1.1)`,
    async () => {
      const random = randomFor('lost replies');
      const installation = await shareDatabase();
      const { proxy, uri } = await throughProxy(installation.uri);
      const environment = { ...installation.environment, MONGODB_URI: uri };
      const urls = [await startGatewayProcess(environment), await startGatewayProcess(environment)].map(
        ({ url }) => url,
      );
      const witness = new Witness();
      let lost = 0;
      const write = async (round: number, writer: number, isOver: () => boolean) => {
        const client = new Client(urls[writer % 2] ?? '', installation.token);
        for (let count = 0; !isOver(); count += 1) {
          const value = `r${round} w${writer} n${count}`;
          const operation: Sent['operation'] = writer % 3 === 2 ? 'updateCompany' : 'updateJob';
          const key = random.between(0, 2) === 0 ? { key: value.replaceAll(' ', '-') } : {};
          const { end } = await witness.send(client, { operation, value, ...key });
          if (end.kind === 'refused') throw new Error(`refused: ${end.code}`);
        }
        client.close();
      };
      for (let round = 0; round < rounds; round += 1) {
        proxy.loseReplies(() => random.between(0, 12) === 0 && (lost += 1) > 0);
        let isOver = false;
        const load = Promise.all(
          Array.from({ length: writers }, (_, writer) => write(round, writer, () => isOver)),
        );
        await sleep(roundMs);
        isOver = true;
        await load;
        proxy.loseReplies(() => false);
        // A gateway that has not seen the first call must recognise the repeat too.
        const clients = urls.map((url) => new Client(url, installation.token));
        for (const sent of witness.toSendAgain()) await witness.sendAgain(random.pick(clients), sent);
        for (const client of clients) client.close();
      }
      expect(await witness.faults(installation.models)).toEqual([]);
      expect(lost).toBeGreaterThan(rounds);
      const { calls, unknown } = witness.count();
      process.stdout.write(`lost replies: ${lost}, of ${calls} calls ${unknown} without an answer\n`);
      await proxy.close();
      await installation.remove();
    },
    rounds * 60_000 + 60_000,
  );
});
