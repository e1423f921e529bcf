import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Connection, createConnection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Running, startStoreProcess } from '../support/process.js';
import { startQuotas } from '../support/quotas.js';

let store: Running | undefined;
let connection: Connection;

beforeAll(async () => {
  // A store in this process would go by this process's clock.
  if (!process.env.MONGODB_URI) store = await startStoreProcess(await mkdtemp(`${tmpdir()}/quotas-`));
  const uri = store?.url ?? process.env.MONGODB_URI ?? '';
  connection = await createConnection(uri, { dbName: `test_${randomUUID().slice(0, 8)}` }).asPromise();
});
afterEach(() => void jest.useRealTimers());
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
  await store?.end('SIGKILL');
});

/** A process of its own, which lets two calls pass in two seconds. */
const startProcess = async () => (await startQuotas(connection, { limit: 2, durationSeconds: 2 })).ask;

/** From here on until the clock is real again, this process's clock is off by so much; its timers are not. */
function setClockOff(ms: number) {
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const;
  const others = ['clearImmediate', 'nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const;
  jest.useFakeTimers({ now: Date.now() + ms, doNotFake: [...timers, ...others] });
}

describe('a quota of 2 in 2 s over processes whose clocks differ', () => {
  it.each([5_000, -5_000])(
    'has one window, which ends by the clock of the database: one process is off by %d ms (Contract 8.2.3)',
    async (offMs) => {
      const subject = `off by ${offMs}`;
      const [right, wrong] = await Promise.all([startProcess(), startProcess()]);
      expect(await right(subject)).toEqual({ answer: 'done', remaining: 1 });
      setClockOff(offMs);
      expect(await wrong(subject)).toEqual({ answer: 'done', remaining: 0 });
      expect((await (await startProcess())(subject)).answer).toBe('rate-limit-exceeded');
      jest.useRealTimers();
      expect((await right(subject)).answer).toBe('rate-limit-exceeded');

      await sleep(2_000);
      setClockOff(offMs);
      expect(await (await startProcess())(subject)).toEqual({ answer: 'done', remaining: 1 });
      jest.useRealTimers();
      expect(await (await startProcess())(subject)).toEqual({ answer: 'done', remaining: 0 });
      expect((await (await startProcess())(subject)).answer).toBe('rate-limit-exceeded');
    },
  );

  it('does not last longer for a process whose clock is set back: it remembers an empty bucket for a window at most (Contract 8.2.3)', async () => {
    const subject = 'set back';
    const ask = await startProcess();
    for (const answer of ['done', 'done', 'rate-limit-exceeded'])
      expect((await ask(subject)).answer).toBe(answer);
    setClockOff(-3_600_000);
    await sleep(2_000);
    expect(await ask(subject)).toEqual({ answer: 'done', remaining: 1 });
  });
});
