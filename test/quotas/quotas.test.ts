import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildSchema, execute, type GraphQLSchema, parse } from 'graphql';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { buildQuotaIndexes, quotaCollection } from '../../src/quotas/quota-indexes.js';
import { Quotas, rateLimitSdl, replyHeaders } from '../../src/quotas/quotas.js';
import { type Bucket } from '../../src/operations.js';
import { billOf } from '../support/bare-call.js';
import {
  OperationCost,
  type RequestContext,
  type UsedBucket,
} from '../../src/permissions/request-context.js';
import { type DomainError } from '../../src/errors/domain-error.js';
import { ownDatabase } from '../support/own-database.js';
import { startQuotas } from '../support/quotas.js';
import { openSeverableDatabase, type SeverableDatabase } from '../support/severable.js';
import { until } from '../support/until.js';
import { type Running, startStoreProcess } from '../support/process.js';
import { ownFolder } from '../support/own-folder.js';

const dbOf = (connection: Connection) => connection.getClient().db(connection.name);

describe('the quotas of a process', () => {
  const limits = {
    updateJob: { limit: 1, durationSeconds: 60 },
    mutation: { limit: 2, durationSeconds: 50 },
    read: { limit: 3, durationSeconds: 40 },
  };

  const { database } = ownDatabase();
  let quotas: Quotas;
  let schema: GraphQLSchema;
  const refusals: Bucket[] = [];

  beforeEach(async () => {
    await database.connection.collection(quotaCollection).deleteMany({});
    refusals.length = 0;
    quotas = quotasOf(limits);
    await buildQuotaIndexes(dbOf(database.connection));
    const plain = buildSchema(`${rateLimitSdl}
      type Query { job: String @rateLimit, jobs: String @rateLimit, free: String }
      type Mutation { updateJob(dryRun: Boolean): String @rateLimit(limit: 900), updateCompany: String @rateLimit(duration: 900) }`);
    schema = quotas.charge(plain);
  });

  const quotasOf = (some: typeof limits) => {
    return new Quotas(some, dbOf(database.connection), (bucket) => refusals.push(bucket));
  };

  const contextOf = (subject: string | null, others: Partial<RequestContext> = {}) =>
    ({
      caller: subject === null ? null : { subject },
      cost: new OperationCost(),
      ...others,
    }) as RequestContext;

  async function call(document: string, context = contextOf('me')) {
    const rootValue = { job: 'done', jobs: 'done', free: 'done', updateJob: 'done', updateCompany: 'done' };
    context.cost = Object.assign(billOf(schema, document), { used: context.cost.used });
    const { data, errors } = await execute({
      schema,
      document: parse(document),
      contextValue: context,
      rootValue,
    });
    const failed = (errors ?? []).map(({ path, originalError }) => {
      const { code, details } = originalError as DomainError;
      const { retryAfterSeconds, hint } = details;
      return [path?.[0], { code, retryAfterSeconds, hint: hint?.en }];
    });
    return { ...data, ...Object.fromEntries(failed) } as Record<string, unknown>;
  }

  /** Matches the seconds left in a window that has just begun. */
  const almost = (seconds: number): unknown => ({
    asymmetricMatch: (value: number) => value > seconds - 10 && value <= seconds,
  });
  const refused = (seconds: number, missing = '1 unit') => ({
    code: 'rate-limit-exceeded',
    retryAfterSeconds: almost(seconds),
    hint: `the quota is ${missing} short`,
  });
  const state = (limit: number, remaining: number, seconds: number, units = 1): UsedBucket => ({
    limit,
    remaining,
    resetSeconds: almost(seconds) as number,
    units,
  });

  describe('a field with a quota (Contract 8.2)', () => {
    it('spends a unit of its bucket, with the limit of the settings, and records the units left', async () => {
      const context = contextOf('me');
      expect(await call('{ jobs free }', context)).toEqual({ jobs: 'done', free: 'done' });
      expect(await call('mutation { updateJob updateCompany }', context)).toEqual({
        updateJob: 'done',
        updateCompany: 'done',
      });
      expect(Object.fromEntries(context.cost.used)).toEqual({
        read: state(3, 2, 40),
        updateJob: state(1, 0, 60),
        mutation: state(2, 1, 50),
      });
    });

    it('is refused with the seconds to wait and the units that are missing, while other callers pass', async () => {
      const three = '{ a: job b: job c: job }';
      const two = '{ a: job b: job }';
      expect(await call('{ job }')).toEqual({ job: 'done' });
      const context = contextOf('me');
      expect(await call(three, context)).toEqual(
        Object.fromEntries(['a', 'b', 'c'].map((name) => [name, refused(40)])),
      );
      expect(context.cost.used.get('read')).toEqual(state(3, 2, 40, 3));
      expect(refusals).toEqual(['read']);
      expect(await call(two)).toEqual({ a: 'done', b: 'done' });
      expect(await call(two)).toEqual({ a: refused(40, '2 units'), b: refused(40, '2 units') });
      expect(await call('{ job }', contextOf('you'))).toEqual({ job: 'done' });
      expect(await call('mutation { updateCompany }')).toEqual({ updateCompany: 'done' });
    });

    it('spends nothing of any bucket if one of them refuses the operation (Contract 8.2.1)', async () => {
      expect(await call('mutation { updateCompany } ')).toEqual({ updateCompany: 'done' });
      expect(await call('mutation { updateCompany } ')).toEqual({ updateCompany: 'done' });
      const context = contextOf('me');
      const both = await call('mutation { updateJob updateCompany }', context);
      expect(both).toEqual({ updateJob: refused(50), updateCompany: refused(50) });
      expect(Object.fromEntries(context.cost.used)).toEqual({ mutation: state(2, 0, 50) });
      expect(await call('mutation { updateJob }')).toEqual({ updateJob: 'done' });
    });

    it.each(['mutation { updateJob(dryRun: true) }', '{ a: job b: job c: job d: job }'])(
      'is never refused as too frequent if the operation costs more than the whole bucket: %s (Contract 8.2.10)',
      async (document) => {
        const context = contextOf('me');
        for (const answer of Object.values(await call(document, context)))
          expect(answer).toMatchObject({
            code: 'validation-failed',
            hint: expect.stringMatching(/costs [45] units.* only 3/),
          });
        expect(context.cost.used.size).toBe(0);
        expect(await call('{ job }', context)).toEqual({ job: 'done' });
        expect(context.cost.used.get('read')).toEqual(state(3, 2, 40));
      },
    );

    it('does not run if the cost of its operation is not known', async () => {
      const contextValue = contextOf('me');
      const { errors } = await execute({ schema, document: parse('{ job }'), contextValue });
      expect(errors?.[0]?.message).toBe('the cost of job is not known');
    });
  });

  it('bucketsOf returns the state of each bucket without spending a unit (Contract 4.4.3)', async () => {
    const context = contextOf('me');
    await quotas.spend('read', context);
    const expected = [
      { name: 'updateJob', limit: 1, remaining: 1, resetSeconds: 0 },
      { name: 'mutation', limit: 2, remaining: 2, resetSeconds: 0 },
      { name: 'read', limit: 3, remaining: 2, resetSeconds: almost(40) },
    ];
    expect(await quotas.bucketsOf(context)).toEqual(expected);
    expect(await quotas.bucketsOf(contextOf('me'))).toEqual(expected);
  });

  describe('a request that is refused before its operation runs (Contract 8.2.6)', () => {
    it('counts as a call of its operation, and exceeds the quota when no unit is left', async () => {
      for (let count = 0; count < 2; count += 1)
        expect(await quotas.spendOnce('mutation', contextOf('me'))).toBeNull();
      expect(await quotas.spendOnce('mutation', contextOf('me'))).toMatchObject({
        code: 'rate-limit-exceeded',
      });
      expect(refusals).toEqual(['mutation']);
    });

    it('does not count again if it has spent a unit', async () => {
      const context = contextOf('me');
      await quotas.spend('updateJob', context);
      expect(await quotas.spendOnce('updateJob', context)).toBeNull();
      expect(refusals).toEqual([]);
    });
  });

  it('@rateLimit defaults to 50 calls a second', () => {
    expect(rateLimitSdl).toMatch(/limit: Int! = 50\b[^]*duration: Int! = 1\b/);
  });
});

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
    it('every call fails in bounded time; afterwards each bucket is as it was (Contract 8.2.3)', async () => {
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
    /** Every count fails until the bucket expires: its `points` are not a number. */
    const spoil = (subject: string, forMs: number) =>
      connection.collection(quotaCollection).insertOne({
        key: `quota:read:${subject}`,
        points: 'many',
        expire: new Date(Date.now() + forMs),
      });

    it('is asked again, so a call passes once the store works (Contract 8.2.3)', async () => {
      const ask = await startProcess();
      await spoil('soon well', 30);
      expect(await ask('soon well')).toMatchObject({ answer: 'done', remaining: 1 });
    });

    it('lets no call pass without counting it (Contract 8.2.3)', async () => {
      const ask = await startProcess();
      await spoil('spoiled', 60_000);
      expect(await ask('spoiled')).toMatchObject({ answer: 'internal-error' });
    });
  });

  describe('simultaneous calls of one caller', () => {
    it('are counted by two commands, one for the first call and one for the rest, and each call gets its own remainder (Contract 8.2.1, 8.2.4)', async () => {
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
        ...[4, 3, 2, 1, 0].map((remaining) => ({ answer: 'done', remaining })),
        ...[0, 0].map((remaining) => ({ answer: 'rate-limit-exceeded', remaining })),
      ]);
      expect(counts).toBe(2);
      await client.close();
    });
  });

  describe('the collection of quota buckets', () => {
    it('has a unique index on the key, and an index that removes expired buckets (Contract 8.2.3)', async () => {
      await startProcess();
      const indexes = await connection.collection(quotaCollection).indexes();
      expect(indexes).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ key: { key: 1 }, unique: true }),
          expect.objectContaining({ key: { expire: -1 }, expireAfterSeconds: 0 }),
        ]),
      );
    });

    it('that lost its unique index gets it back with the next start, and begins empty (Contract 8.2.3.1)', async () => {
      const db = dbOf(connection);
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

    it('is full again after the seconds in the refusal, at most those of its window (Contract 8.2.4)', async () => {
      const { ask, quotas } = await startQuotas(connection, { limit: 1, durationSeconds: 2 });
      expect(await ask('patient')).toMatchObject({ answer: 'done' });
      const refusal = await quotas.spendOnce('read', contextOf('patient'));
      const seconds = Number(refusal?.details.retryAfterSeconds ?? 0);
      expect(seconds).toBeLessThanOrEqual(2);
      await sleep(1_000 * seconds);
      const full = { name: 'read', limit: 1, remaining: 1, resetSeconds: 0 };
      expect(await quotas.bucketsOf(contextOf('patient'))).toContainEqual(full);
      expect(await ask('patient')).toMatchObject({ answer: 'done' });
    });

    it('refuses calls without a database query, even calls that never reach a field (Contract 8.2.2, 8.2.6)', async () => {
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
      'has one window by the clock of the database, even if one process is off by %d ms (Contract 8.2.3)',
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

    it('does not last longer for a process whose clock is set back (Contract 8.2.3)', async () => {
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

  it('shows the bucket with the fewest units left, and what the request costs of it (Contract 8.2.4, 8.2.9)', () => {
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

  it('without a bucket has no bucket headers; a replayed reply is marked (Contract 9.3)', () => {
    expect(headersOf({})).toStrictEqual({});
    expect(headersOf({}, true)).toStrictEqual({ 'idempotency-replayed': 'true' });
  });
});
