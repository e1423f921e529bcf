import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Models } from '../../src/models.js';
import { Client } from './support/client.js';
import { mongodbUri, ownFolder, shareDatabase } from './support/installation.js';
import { expectIndexesIntact } from './support/ledger.js';
import { endAll, startGatewayProcess } from '../support/process.js';
import { randomFor } from './support/random.js';
import { Witness } from './support/witness.js';
import { type Sent } from './support/checker.js';

const rounds = Number(process.env.RELIABILITY_ROUNDS ?? 20);
const writers = 8;

async function onBuiltInStore() {
  return ownFolder();
}

async function onMongoDB() {
  const { environment, token, models, remove } = await shareDatabase();
  return { environment, token, remove, look: <T>(use: (given: Models) => Promise<T>) => use(models) };
}

afterEach(endAll);

describe('kill -9 of the gateway at random moments during parallel updates', () => {
  it.each([
    ['the built-in store', onBuiltInStore],
    ...(mongodbUri ? [['MongoDB', onMongoDB] as const] : []),
  ] as const)(
    `${rounds} rounds on %s: no acknowledged change is lost, applied twice or without its history entry (Contract 6.1.4)`,
    async (name, prepare) => {
      const random = randomFor(`kill on ${name}`);
      const { environment, token, look, remove } = await prepare();
      const witness = new Witness();
      for (let round = 0; round < rounds; round += 1) {
        const gateway = await startGatewayProcess({ ...environment, LOG_LEVEL: 'info' });
        const repeater = new Client(gateway.url, token);
        for (const sent of witness.toSendAgain()) await witness.trySendAgain(repeater, sent);
        repeater.close();
        let isOver = false;
        let answered = 0;
        const write = async (writer: number) => {
          const client = new Client(gateway.url, token);
          const operation: Sent['operation'] = writer % 4 === 0 ? 'updateCompany' : 'updateJob';
          for (let count = 0; !isOver; count += 1) {
            const value = `r${round} w${writer} n${count}`;
            const key = count % 3 === 0 ? { key: value.replaceAll(' ', '-') } : {};
            const { end } = await witness.send(client, { operation, value, ...key });
            if (end.kind === 'refused') throw new Error(`refused: ${end.code}`);
            if (end.kind === 'told') answered += 1;
          }
          client.close();
        };
        const load = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
        while (answered < writers) await sleep(5);
        await sleep(random.between(0, 500));
        await gateway.end('SIGKILL');
        isOver = true;
        await load;
      }

      const last = await startGatewayProcess({ ...environment, LOG_LEVEL: 'info' });
      const client = new Client(last.url, token);
      // The keys of the last round stay reserved for a while.
      for (const sent of witness.toSendAgain()) await witness.sendAgain(client, sent);
      client.close();
      await last.end('SIGTERM');

      await look(async (models) => {
        expect(await witness.faults(models)).toEqual([]);
        await expectIndexesIntact(models);
      });
      const { calls, unknown } = witness.count();
      process.stdout.write(`${name}: of ${calls} calls ${unknown} without an answer\n`);
      await remove();
    },
    60_000 + rounds * 30_000,
  );
});
