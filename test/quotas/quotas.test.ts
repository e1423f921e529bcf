import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { buildQuotaIndexes, quotaCollection } from '../../src/quotas/quota-indexes.js';
import { replyHeaders } from '../../src/quotas/quotas.js';
import { type Bucket } from '../../src/operations.js';
import {
  OperationCost,
  type RequestContext,
  type UsedBucket,
} from '../../src/permissions/request-context.js';
import { startQuotas } from '../support/quotas.js';
import { openSeverableDatabase, type SeverableDatabase } from '../support/severable.js';
import { until } from '../support/until.js';
import { type Running, startStoreProcess } from '../support/process.js';
import { ownFolder } from '../support/own-folder.js';

describe('quotas and their store', () => {
  /** The driver waits half a second for a server. The rest allows for a busy machine. */
  const boundMs = 15_000;

  let database: SeverableDatabase;
  let connection: Connection;

  beforeAll(async () => {
    database = await openSeverableDatabase();
    connection = await createConnection(database.uri, { serverSelectionTimeoutMS: 500 }).asPromise();
  });
  afterEach(async () => {
    database.way.restore();
    // The driver reconnects only after some commands have failed.
    await until(isReached);
  });
  afterAll(async () => {
    await connection.close();
    await database.close();
  });

  const isReached = async () => {
    const ping = connection.getClient().db().command({ ping: 1 });
    return ping.then(
      () => true,
      () => false,
    );
  };

  /** Makes calls as a separate process would. */
  async function startProcess() {
    const { ask } = await startQuotas(connection, { limit: 2, durationSeconds: 60 });
    return async (subject: string) => {
      const startedAtMs = performance.now();
      return { ...(await ask(subject)), ms: performance.now() - startedAtMs };
    };
  }

  describe('while the store of the buckets is unreachable', () => {
    it('every call fails in bounded time; afterwards each bucket is as it was (Contract 8.1.1)', async () => {
      const ask = await startProcess();
      expect(await ask('caller')).toMatchObject({ answer: 'done', remaining: 1 });
      database.way.sever();
      const away = [await ask('caller'), await ask('another')];
      expect(away.map(({ answer }) => answer)).toEqual(['service-unavailable', 'service-unavailable']);
      expect(Math.max(...away.map(({ ms }) => ms))).toBeLessThan(boundMs);
      database.way.restore();
      const deadlineMs = performance.now() + 4 * boundMs;
      while ((await ask(`fresh ${performance.now()}`)).answer !== 'done')
        expect(performance.now()).toBeLessThan(deadlineMs);
      expect(await ask('caller')).toMatchObject({ answer: 'done', remaining: 0 });
      expect(await ask('caller')).toMatchObject({ answer: 'rate-limit-exceeded' });
    });
  });

  describe('a store that answers with an error', () => {
    const buckets = () => connection.collection(quotaCollection);

    it('is asked again after a collision, so a call passes (Contract 8.1.1)', async () => {
      const ask = await startProcess();
      await buckets().deleteMany({});
      await buckets().createIndex({ 'read.points': 1 }, { unique: true, name: 'points' });
      await buckets().insertOne({ key: 'one', read: { points: 1 }, expire: new Date(Date.now() + 60_000) });
      const asked = ask('two');
      await sleep(30);
      await buckets().deleteOne({ key: 'one' });
      expect(await asked).toMatchObject({ answer: 'done', remaining: 1 });
      await buckets().dropIndex('points');
    });

    it('lets no call pass without counting it (Contract 8.1.1)', async () => {
      const ask = await startProcess();
      const expire = new Date(Date.now() + 60_000);
      await buckets().insertOne({ key: 'quotas:spoiled', read: { points: 'many', expire }, expire });
      expect(await ask('spoiled')).toMatchObject({ answer: 'internal-error' });
    });
  });

  describe('simultaneous calls of one caller', () => {
    it('are counted by two commands, one for the first call and one for the rest (Contract 8.1.1)', async () => {
      const client = await createConnection(database.uri, { monitorCommands: true }).asPromise();
      const { ask } = await startQuotas(client, { limit: 5, durationSeconds: 60 });
      let counts = 0;
      client.getClient().on('commandStarted', ({ commandName }) => {
        if (commandName === 'findAndModify') counts += 1;
      });
      const first = ask('hasty');
      await once(client.getClient(), 'commandStarted');
      const answers = await Promise.all([first, ...Array.from({ length: 6 }, () => ask('hasty'))]);
      expect(answers).toEqual([
        ...[4, 0, 0, 0, 0].map((remaining) => ({ answer: 'done', remaining })),
        ...[0, 0].map((remaining) => ({ answer: 'rate-limit-exceeded', remaining })),
      ]);
      expect(counts).toBe(2);
      await client.close();
    });
  });

  describe('the collection of quota buckets', () => {
    it('has a unique index on the key, and an index that removes expired buckets (Contract 8.1.1)', async () => {
      await startProcess();
      const indexes = await connection.collection(quotaCollection).indexes();
      expect(indexes).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ key: { key: 1 }, unique: true }),
          expect.objectContaining({ key: { expire: -1 }, expireAfterSeconds: 0 }),
        ]),
      );
    });

    it('that lost its unique index gets it back with the next start, and begins empty', async () => {
      const db = connection.getClient().db(connection.name);
      const buckets = db.collection(quotaCollection);
      await buildQuotaIndexes(db);
      await buckets.dropIndexes();
      await buckets.insertMany([1, 2].map((points) => ({ key: 'twice', points, expire: new Date() })));
      await buildQuotaIndexes(db);
      expect(await buckets.countDocuments({})).toBe(0);
      expect((await buckets.indexes()).map(({ unique }) => unique)).toContain(true);
    });
  });

  describe('an empty quota bucket', () => {
    const contextOf = (subject: string) =>
      ({ caller: { subject }, cost: new OperationCost() }) as unknown as RequestContext;

    it('is full again after the seconds in the refusal, at most its window (Contract 8.1.2)', async () => {
      const { ask, quotas } = await startQuotas(connection, { limit: 1, durationSeconds: 2 });
      expect(await ask('patient')).toMatchObject({ answer: 'done' });
      const refusal = await quotas.spendOnce('read', contextOf('patient'));
      const seconds = Number(refusal?.details.retryAfterSeconds ?? 0);
      expect(seconds).toBeLessThanOrEqual(2);
      await sleep(1_000 * seconds);
      expect(await ask('patient')).toMatchObject({ answer: 'done' });
    });

    it('refuses calls without a database query, even calls that never reach a field (Contract 8.1.1, 8.2.4)', async () => {
      const { ask, quotas } = await startQuotas(connection, { limit: 1, durationSeconds: 60 });
      expect(await ask('impatient')).toMatchObject({ answer: 'done' });
      expect(await ask('impatient')).toMatchObject({ answer: 'rate-limit-exceeded' });
      database.way.sever();
      expect(await ask('impatient')).toMatchObject({ answer: 'rate-limit-exceeded' });
      const refusal = await quotas.spendOnce('read', contextOf('impatient'));
      expect(refusal).toMatchObject({ code: 'rate-limit-exceeded' });
    });
  });
});

describe('quotas and clocks', () => {
  let store: Running | undefined;
  let connection: Connection;

  beforeAll(async () => {
    // A store in this process would use this process's clock.
    if (!process.env.MONGODB_URI) store = await startStoreProcess(folder);
    const uri = store?.url ?? process.env.MONGODB_URI ?? '';
    connection = await createConnection(uri, { dbName: `test_${randomUUID().slice(0, 8)}` }).asPromise();
  });
  afterEach(() => void jest.useRealTimers());
  afterAll(async () => {
    await connection.dropDatabase();
    await connection.close();
    await store?.end('SIGKILL');
  });
  // Removed after the store has ended.
  const folder = ownFolder();

  const startProcess = async () => (await startQuotas(connection, { limit: 2, durationSeconds: 2 })).ask;

  /** Shifts this process's clock, but not its timers. */
  function setClockOff(ms: number) {
    const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const;
    const others = ['clearImmediate', 'nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const;
    jest.useFakeTimers({ now: Date.now() + ms, doNotFake: [...timers, ...others] });
  }

  describe('a quota of 2 calls in 2 s, shared by processes whose clocks differ', () => {
    it.each([5_000, -5_000])(
      'has one window by the clock of the database, even if one process is off by %d ms (Contract 8.1.1)',
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

    it('does not last longer for a process whose clock is set back (Contract 8.1.1)', async () => {
      const subject = 'set back';
      const ask = await startProcess();
      for (const answer of ['done', 'done', 'rate-limit-exceeded'])
        expect((await ask(subject)).answer).toBe(answer);
      setClockOff(-3_600_000);
      await sleep(2_000);
      expect(await ask(subject)).toEqual({ answer: 'done', remaining: 1 });
    });
  });
});

describe('a reply', () => {
  const headersOf = (buckets: Partial<Record<Bucket, UsedBucket>>, isReplayed?: boolean) =>
    replyHeaders({
      cost: Object.assign(new OperationCost(), { used: new Map(Object.entries(buckets)) }),
      isReplayed,
    } as RequestContext);

  it('shows the bucket with the fewest units left, and what the request costs of it (Contract 8.1.2, 8.2.6)', () => {
    const read = { limit: 100, remaining: 7, resetSeconds: 2, units: 4 };
    const mutation = { limit: 50, remaining: 3, resetSeconds: 1, units: 1 };
    const headers = {
      'ratelimit-limit': '50',
      'ratelimit-remaining': '3',
      'ratelimit-reset': '1',
      'ratelimit-cost': '1',
    };
    expect(headersOf({ read, mutation })).toStrictEqual(headers);
    expect(headersOf({ mutation, read })).toStrictEqual(headers);
  });

  it('without a bucket has no bucket headers; a replayed reply is marked (Contract 6.2)', () => {
    expect(headersOf({})).toStrictEqual({});
    expect(headersOf({}, true)).toStrictEqual({ 'idempotency-replayed': 'true' });
  });
});
