import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Connection, createConnection } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { quotaCollection } from '../../src/access/quotas.js';
import { type RequestContext } from '../../src/access/request-context.js';
import { startQuotas } from '../support/quotas.js';
import { openSeverableDatabase, type SeverableDatabase } from '../support/severable.js';

/** Its waits are of half a second; a call without a bound would wait for ever. The rest is for a busy machine. */
const boundMs = 15_000;

let database: SeverableDatabase;
let connection: Connection;

beforeAll(async () => {
  database = await openSeverableDatabase();
  connection = await createConnection(database.uri, { serverSelectionTimeoutMS: 500 }).asPromise();
});
afterAll(async () => {
  database.way.mend();
  await connection.close();
  await database.close();
});

/** Asks as a process of its own would, and says in how many milliseconds it got its answer. */
async function startProcess() {
  const { ask } = await startQuotas(connection, { limit: 2, durationSeconds: 60 });
  return async (subject: string) => {
    const startedAtMs = performance.now();
    return { ...(await ask(subject)), ms: performance.now() - startedAtMs };
  };
}

describe('while the store of the buckets is away', () => {
  it('nobody is let in, and everyone is told in bounded time; then each bucket is as it was (Contract 8.2.3)', async () => {
    const ask = await startProcess();
    expect(await ask('caller')).toMatchObject({ answer: 'done', remaining: 1 });
    database.way.sever();
    const away = [await ask('caller'), await ask('another')];
    expect(away.map(({ answer }) => answer)).toEqual(['service-unavailable', 'service-unavailable']);
    expect(Math.max(...away.map(({ ms }) => ms))).toBeLessThan(boundMs);
    database.way.mend();
    // The driver finds its server again by itself.
    const deadlineMs = performance.now() + 4 * boundMs;
    while ((await ask(`fresh ${performance.now()}`)).answer !== 'done')
      expect(performance.now()).toBeLessThan(deadlineMs);
    expect(await ask('caller')).toMatchObject({ answer: 'done', remaining: 0 });
    expect(await ask('caller')).toMatchObject({ answer: 'rate-limit-exceeded' });
  });
});

describe('a store that answers with an error', () => {
  /** A bucket whose units cannot be counted, until it expires. */
  const spoil = (subject: string, forMs: number) =>
    connection.collection(quotaCollection).insertOne({
      key: `quota:read:${subject}`,
      points: 'many',
      expire: new Date(Date.now() + forMs),
    });

  it('is asked again, so that a call passes once it is well (Contract 8.2.3)', async () => {
    const ask = await startProcess();
    await spoil('soon well', 30);
    expect(await ask('soon well')).toMatchObject({ answer: 'done', remaining: 1 });
  });

  it('lets nobody in who is not counted (Contract 8.2.3)', async () => {
    const ask = await startProcess();
    await spoil('spoiled', 60_000);
    expect(await ask('spoiled')).toMatchObject({ answer: 'internal-error' });
  });
});

describe('the buckets', () => {
  it('have an index that makes each one’s key unique, and one that removes them when they end (Contract 8.2.3)', async () => {
    await startProcess();
    const indexes = await connection.collection(quotaCollection).indexes();
    expect(indexes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: { key: 1 }, unique: true }),
        expect.objectContaining({ key: { expire: -1 }, expireAfterSeconds: 0 }),
      ]),
    );
  });
});

describe('a bucket that was found empty', () => {
  const contextOf = (subject: string) =>
    ({ caller: { subject }, buckets: new Map() }) as unknown as RequestContext;

  it.each([1, 2])(
    'is full again for whoever waits as many seconds as it says, %d at most (Contract 8.2.4)',
    async (durationSeconds) => {
      const subject = `patient for ${durationSeconds}`;
      const { ask, quotas } = await startQuotas(connection, { limit: 1, durationSeconds });
      expect(await ask(subject)).toMatchObject({ answer: 'done' });
      const refusal = await quotas.countRefusal('read', contextOf(subject));
      const seconds = Number(refusal?.details.retryAfterSeconds ?? 0);
      expect(seconds).toBeLessThanOrEqual(durationSeconds);
      await sleep(1_000 * seconds);
      expect(await ask(subject)).toMatchObject({ answer: 'done' });
    },
  );

  it('stays so without asking the database again, for a request that never reaches a field too (Contract 8.2.2, 8.2.6)', async () => {
    const { ask, quotas } = await startQuotas(connection, { limit: 1, durationSeconds: 60 });
    expect(await ask('impatient')).toMatchObject({ answer: 'done' });
    expect(await ask('impatient')).toMatchObject({ answer: 'rate-limit-exceeded' });
    database.way.sever();
    expect(await ask('impatient')).toMatchObject({ answer: 'rate-limit-exceeded' });
    const refusal = await quotas.countRefusal('read', contextOf('impatient'));
    expect(refusal).toMatchObject({ code: 'rate-limit-exceeded' });
  });
});
