import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildSchema, graphql } from 'graphql';
import { withStages } from '../../src/graphql/with-stages.js';
import { Collection } from 'mongodb';
import { type Connection, createConnection, type Model } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf } from '../../src/database/collection-of.js';
import { authorityOf, type Caller } from '../../src/tokens/caller.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { type KeyedCall } from '../../src/idempotency/keyed-call.js';
import { modelsOf } from '../../src/models.js';
import { type IdempotencyRecord } from '../../src/idempotency/idempotency.record.js';
import { IdempotencyService, type RepeatableCall } from '../../src/idempotency/idempotency.service.js';
import { replay } from '../../src/graphql/replay.js';
import { until } from '../support/until.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { openSeverableDatabase, type Severable, type SeverableDatabase } from '../support/severable.js';

let database: TestDatabase;
let records: Model<IdempotencyRecord>;
let service: IdempotencyService;
let nowMs: number;

beforeAll(async () => {
  database = await openTestDatabase();
  records = modelsOf(database.connection).idempotency;
  service = new IdempotencyService(collectionOf(records), () => new Date(nowMs));
});
beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  await records.deleteMany({});
});
afterAll(() => database.close());

const caller: Caller = {
  subject: 'me',
  roles: new Set(['media_admin', 'media_partner']),
  scopes: new Set(['r_w_jobs']),
  media: new Set(['a', 'b']),
  brand: undefined,
  expiresAt: new Date(0),
};
const by = (changed: Partial<Caller>) => ({ authority: authorityOf({ ...caller, ...changed }) });
const call: RepeatableCall = { ...by({}), operation: 'updateJob', key: 'key', input: '{}' };

/** Makes a call that answers `text` if it runs. */
const answer = (text: string, changed: Partial<RepeatableCall> = {}) =>
  service.once({ ...call, ...changed }, async () => text);
const first = { payload: 'first', isReplayed: false };
const replayed = { payload: 'first', isReplayed: true };
const second = { payload: 'second', isReplayed: false };

describe('an idempotency key (Contract 6.2.6)', () => {
  it.each(['!', '~', 'k'.repeat(255)])('may be %s', async (key) => {
    expect(await answer('first', { key })).toEqual(first);
  });

  it.each(['', ' ', 'a b', 'k'.repeat(256), 'é', '\x7f', 'k\n', '\nk'])('must not be %j', async (key) => {
    await expect(answer('first', { key })).rejects.toMatchObject({
      code: 'validation-failed',
      details: {
        faults: [
          {
            field: 'idempotencyKey',
            code: 'idempotency_key-format-error',
            message: {
              en: expect.stringContaining('1 to 255 visible ASCII characters'),
              fr: expect.stringContaining('de 1 à 255 caractères ASCII visibles'),
            },
          },
        ],
      },
    });
    expect(await records.countDocuments()).toBe(0);
  });
});

it('a mutation without `input` accepts a key, and compares its other arguments (Contract 6.2.1, 6.2.5)', async () => {
  let runs = 0;
  const plain = buildSchema(`type Query { none: Int } type Mutation {
    updateJob(publicId: String!, expectedVersion: Int, idempotencyKey: String, dryRun: Boolean = false): Int
  }`);
  Object.assign(plain.getMutationType()?.getFields().updateJob ?? {}, { resolve: () => (runs += 1) });
  const repeated = replay(service, { charge: async () => undefined });
  const schema = withStages(plain, { root: [repeated], directive: (same) => same, below: () => [] });
  const close = async (args: string) => {
    const source = `mutation { updateJob(${args}, idempotencyKey: "key") }`;
    const { data, errors } = await graphql({ schema, source, contextValue: { caller, parseFaults: [] } });
    return data?.updateJob ?? (errors?.[0]?.originalError as DomainError).code;
  };
  expect(await close('publicId: "a"')).toBe(1);
  expect(await close('expectedVersion: 2, publicId: "a"')).toBe(1);
  expect(await close('publicId: "b"')).toBe('idempotency-key-reuse');
  expect(await close('publicId: "a", dryRun: true')).toBe(2);
});

describe('a call that succeeded (Contract 6.2.1)', () => {
  it('is replayed for 24 hours, then runs again (Contract 6.2.1)', async () => {
    expect(await answer('first')).toEqual(first);
    nowMs += 86_399_999;
    expect(await answer('second')).toEqual(replayed);
    nowMs += 1;
    const anew = async () => {
      // The service has removed the expired answer.
      expect(await records.findOne().lean()).not.toHaveProperty('payload');
      return 'second';
    };
    expect(await service.once(call, anew)).toEqual(second);
    expect(await answer('third')).toEqual({ payload: 'second', isReplayed: true });
  });

  it('is refused with another input (Contract 6.2.5)', async () => {
    await answer('first');
    await expect(answer('second', { input: '{"a":1}' })).rejects.toMatchObject({
      code: 'idempotency-key-reuse',
    });
    expect(await answer('second')).toEqual(replayed);
  });

  it('is marked as a replay if the operation itself finds that the call was already made', async () => {
    const found = async (under: KeyedCall) => {
      under.isReplayed = true;
      return 'first';
    };
    expect(await service.once(call, found)).toEqual(replayed);
  });

  it.each<[string, Partial<RepeatableCall>]>([
    ['another operation', { operation: 'updateCompany' }],
    ['another key', { key: 'other' }],
    ['another subject', by({ subject: 'you' })],
    ['fewer roles', by({ roles: new Set(['media_admin'] as const) })],
    ['fewer media', by({ media: new Set(['a']) })],
    ['an empty media claim', by({ media: new Set<string>() })],
    ['no media claim', by({ media: undefined })],
    ['a brand', by({ brand: 'b' })],
  ])('is not replayed for a call with %s (Contract 6.2.1, 6.2.5)', async (_what, changed) => {
    await answer('first');
    expect(await answer('second', changed)).toEqual(second);
    expect(await answer('third')).toEqual(replayed);
  });

  it('is not replayed for a token with an empty media claim if the first token had none', async () => {
    await answer('first', by({ media: undefined }));
    expect(await answer('second', by({ media: new Set() }))).toEqual(second);
  });

  it('is replayed for a newer token and for claims in another order', async () => {
    await answer('first');
    const same = by({
      roles: new Set(['media_partner', 'media_admin']),
      media: new Set(['b', 'a']),
      scopes: new Set(),
      expiresAt: new Date(1),
    });
    expect(await answer('second', same)).toEqual(replayed);
  });
});

describe('a keyed call that is running (Contract 6.2.2, 6.2.3)', () => {
  const during = <T>(look: (under: KeyedCall) => Promise<T>) => service.once(call, look);

  it('stores the digests of its key and input, and no answer yet', async () => {
    const { payload } = await during(async ({ digest, at }) => {
      const stored = await records.findOne().lean();
      expect(stored).toEqual({
        _id: digest.key,
        inputDigest: digest.input,
        claim: expect.stringMatching(/^[\da-f-]{36}$/),
        claimedAt: new Date(nowMs),
        expiresAt: new Date(nowMs + 86_400_000),
      });
      expect(at).toEqual(new Date(nowMs));
      return digest;
    });
    expect(payload.key).toMatch(/^[\w-]{43}$/);
    expect(payload.input).toMatch(/^[\w-]{43}$/);
    expect(payload.input).not.toBe(payload.key);
  });

  it('makes a repetition wait for 1.5 seconds, then fail as service-unavailable', async () => {
    await during(async () => {
      const startedAtMs = performance.now();
      const claims = jest.spyOn(Collection.prototype, 'updateOne');
      await expect(answer('second')).rejects.toMatchObject({
        code: 'service-unavailable',
        details: { retryAfterSeconds: 1 },
        cause: { message: 'another call with the same idempotency key is still running' },
      });
      expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(1_490);
      // While it waits, it only reads.
      expect(claims).toHaveBeenCalledTimes(1);
      claims.mockRestore();
      return 'first';
    });
    expect(await answer('second')).toEqual(replayed);
  });

  it('renews its claim every 2 seconds until it loses the claim', async () => {
    jest.useFakeTimers({
      doNotFake: [
        ...(['nextTick', 'setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
        ...(['performance', 'Date', 'queueMicrotask', 'hrtime'] as const),
      ],
    });
    const renewedAt = async () => (await records.findOne().lean())?.claimedAt.getTime();
    let takenOverMs = 0;
    const outer = during(async () => {
      nowMs += 3_000;
      jest.advanceTimersByTime(1_999);
      await sleep(50);
      expect(await renewedAt()).toBe(nowMs - 3_000);
      jest.advanceTimersByTime(1);
      await until(async () => (await renewedAt()) === nowMs);
      // Wait until the service has received the reply to its write.
      await sleep(50);
      nowMs += 10_000;
      takenOverMs = nowMs;
      await answer('second');
      jest.advanceTimersByTime(2_000);
      await sleep(50);
      return 'first';
    });
    await expect(outer).rejects.toMatchObject({ code: 'service-unavailable' });
    nowMs += 1;
    jest.advanceTimersByTime(2_000);
    await sleep(50);
    expect(await renewedAt()).toBe(takenOverMs);
    jest.useRealTimers();
    expect(await answer('third')).toEqual({ payload: 'second', isReplayed: true });
  });

  it('refuses another input at once', async () => {
    await during(async () => {
      await expect(answer('second', { input: 'other' })).rejects.toMatchObject({
        code: 'idempotency-key-reuse',
      });
      return 'first';
    });
  });

  it('loses its key to a repetition 10 seconds after its last renewal, and then gets 503', async () => {
    const outer = during(async () => {
      nowMs += 9_999;
      await expect(answer('second')).rejects.toMatchObject({ code: 'service-unavailable' });
      nowMs += 1;
      expect(await answer('second')).toEqual(second);
      return 'first';
    });
    await expect(outer).rejects.toMatchObject({
      code: 'service-unavailable',
      details: { retryAfterSeconds: 1 },
      cause: { message: 'the claim of the call was taken over while it ran' },
    });
    expect(await answer('third')).toEqual({ payload: 'second', isReplayed: true });
  });
});

describe('a keyed call that failed (Contract 6.2.4)', () => {
  it.each([
    ['with a 4xx error', new DomainError('company-not-published')],
    ['for an unknown reason', new Error('unknown')],
  ])('%s is forgotten', async (_why, error) => {
    const failing = service.once(call, async () => {
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(await records.countDocuments()).toBe(0);
  });

  it('does not end the claim of the call that took its key over', async () => {
    const failing = service.once(call, async () => {
      nowMs += 10_000;
      await answer('second');
      throw new DomainError('company-not-published');
    });
    await expect(failing).rejects.toMatchObject({ code: 'company-not-published' });
    expect(await answer('third')).toEqual({ payload: 'second', isReplayed: true });
  });
});

const connection = createConnection();
const calls = modelsOf(connection).idempotency;
afterAll(() => connection.close());

it('a TTL index removes a keyed call once it has expired', () => {
  expect(calls.schema.indexes()).toEqual([[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]]);
});

describe('a claim of an idempotency key (Contract 6.2)', () => {
  let database: SeverableDatabase;
  let way: Severable;
  let connection: Connection;
  let service: IdempotencyService;

  beforeAll(async () => {
    database = await openSeverableDatabase();
    way = database.way;
    connection = await createConnection(database.uri, {
      serverSelectionTimeoutMS: 600,
      heartbeatFrequencyMS: 500,
    }).asPromise();
    service = new IdempotencyService(collectionOf(modelsOf(connection).idempotency), () => new Date());
  });
  afterAll(async () => {
    await connection.close();
    await database.close();
  });

  const callWith = (key: string): RepeatableCall => ({ ...call, key });
  /** The call runs until the test ends it. */
  async function begin(key: string) {
    let finish!: (answer: string) => void;
    let fail!: (error: Error) => void;
    const end = new Promise<string>((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
    let answered!: Promise<{ payload: string; isReplayed: boolean }>;
    await new Promise<void>((resolve) => {
      answered = service.once(callWith(key), () => {
        resolve();
        return end;
      });
    });
    return { answered, finish, fail };
  }

  it('is released once the database is back, if its call failed while the database was away (Contract 6.2.4, 9.3.2)', async () => {
    const first = await begin('cut-off');
    way.sever();
    first.fail(new DomainError('service-unavailable'));
    await expect(first.answered).rejects.toMatchObject({ code: 'service-unavailable' });
    await sleep(1_000);
    way.restore();
    // The claim would expire by itself only after 10 s.
    await sleep(2_000);
    expect(await service.once(callWith('cut-off'), async () => 'anew')).toEqual({
      payload: 'anew',
      isReplayed: false,
    });
  });

  it('stores a success once the database is back (Contract 6.2.1)', async () => {
    const first = await begin('done');
    way.sever();
    first.finish('once');
    await expect(first.answered).rejects.toBeInstanceOf(Error);
    way.restore();
    await sleep(2_000);
    expect(await service.once(callWith('done'), async () => 'twice')).toEqual({
      payload: 'once',
      isReplayed: true,
    });
  });
});
