import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Connection, createConnection } from 'mongoose';
import { DomainError } from '../../src/errors/domain-error.js';
import { modelsOf } from '../../src/database/models.js';
import { IdempotencyService, type RepeatableCall } from '../../src/idempotency/idempotency.service.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { rest } from '../support/requests.js';
import { openSeverableDatabase, type Severable, type SeverableDatabase } from '../support/severable.js';

describe('a call whose process died before it was answered (Contract 9.3.8)', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.token();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  const updateJob = (salary: string, key: string) =>
    rest(
      gateway,
      'POST',
      '/jobs/acme-backend-engineer',
      { form: { media_public_id: 'demo-media', company_public_id: 'acme', salary } },
      { token, headers: { 'idempotency-key': key } },
    );
  /** Turns the only key into a claim that was last renewed so long ago, as if its process had been killed. */
  const abandon = (ageMs: number) =>
    gateway.models.idempotency.updateMany(
      {},
      { $unset: { payload: 1 }, $set: { claimedAt: new Date(Date.now() - ageMs) } },
    );
  /** Puts the job back as it was, as if the process had died before it changed anything. */
  const undo = () =>
    gateway.models.jobs.updateOne(
      { publicId: 'acme-backend-engineer' },
      { $set: { salary: 'before', version: 1, pendingHistory: [] } },
    );
  const storedJob = () => gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();

  it('runs once past the life of its claim, whoever asks (Contract 9.3.8)', async () => {
    await updateJob('1k', 'key');
    await abandon(10_000);
    await undo();
    const replies = await Promise.all([updateJob('1k', 'key'), updateJob('1k', 'key')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(1);
    expect(await storedJob()).toMatchObject({ salary: '1k', version: 2 });
  });

  it('leaves its key to another input, too, and then has that one’s answer (Contract 9.3.3, 9.3.4)', async () => {
    await updateJob('1k', 'key');
    await abandon(10_000);
    await undo();
    expect((await updateJob('2k', 'key')).status).toBe(200);
    expect((await storedJob())?.salary).toBe('2k');
    expect((await updateJob('2k', 'key')).headers.get('idempotency-replayed')).toBe('true');
    expect((await updateJob('1k', 'key')).body.error).toBe('idempotency-key-reuse');
  });

  it('holds its key before that: its twin is told to come back (Contract 9.3.8)', async () => {
    await updateJob('1k', 'key');
    await abandon(5_000);
    const { status, headers, body } = await updateJob('1k', 'key');
    expect([status, body.error]).toEqual([503, 'service-unavailable']);
    expect(headers.get('retry-after')).toBe('1');
  });
});

describe('a claim (Contract 9.3)', () => {
  let database: SeverableDatabase;
  let way: Severable;
  let connection: Connection;
  let service: IdempotencyService;
  let aheadMs = 0;

  beforeAll(async () => {
    database = await openSeverableDatabase();
    way = database.way;
    connection = await createConnection(database.uri, {
      serverSelectionTimeoutMS: 600,
      heartbeatFrequencyMS: 500,
    }).asPromise();
    service = new IdempotencyService(modelsOf(connection).idempotency, () => new Date(Date.now() + aheadMs));
  });
  afterAll(async () => {
    await connection.close();
    await database.close();
  });

  const callWith = (key: string): RepeatableCall => ({
    caller: {
      subject: 'caller',
      roles: new Set(),
      scopes: new Set(),
      media: undefined,
      brand: undefined,
      expiresAt: new Date(Date.now() + 60_000),
    },
    operation: 'updateJob',
    key,
    input: '{}',
  });
  /** A call that is under way until the test ends it. */
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

  it('is renewed while its call runs, so that the twin waits for it however long it takes (Contract 9.3.5, 9.3.8)', async () => {
    const first = await begin('slow');
    aheadMs += 60_000;
    // Long enough for a renewal.
    await sleep(2_500);
    const run = jest.fn(async () => 'again');
    const twin = service.once(callWith('slow'), run);
    await sleep(100);
    first.finish('once');
    expect(await twin).toEqual({ payload: 'once', isReplayed: true });
    expect(await first.answered).toEqual({ payload: 'once', isReplayed: false });
    expect(run).not.toHaveBeenCalled();
  });

  it('that was taken over leaves the answer to who took it: the slow call is told to ask again (Contract 9.3.5)', async () => {
    const first = await begin('stalled');
    aheadMs += 60_000;
    const twin = await service.once(callWith('stalled'), async () => 'of the twin');
    expect(twin).toEqual({ payload: 'of the twin', isReplayed: false });
    first.finish('of the stalled');
    await expect(first.answered).rejects.toMatchObject({
      code: 'service-unavailable',
      details: { retryAfterSeconds: 1 },
    });
    const again = await service.once(callWith('stalled'), async () => 'third');
    expect(again).toEqual({ payload: 'of the twin', isReplayed: true });
  });

  it.each<[string, Error, boolean]>([
    ['was-refused', new DomainError('company-not-published'), false],
    ['failed', new Error('for a reason that nobody knows'), true],
  ])(
    'that %s is told to the next one with its key as what may have run, or not (Contract 9.3.9)',
    async (key, error, mayHaveRun) => {
      const first = await begin(key);
      first.fail(error);
      await expect(first.answered).rejects.toBe(error);
      const next = await service.once(callWith(key), async (call) => call.mayHaveRun());
      expect(next).toEqual({ payload: mayHaveRun, isReplayed: false });
    },
  );

  it('is given back when the database is, after a call that failed without it (Contract 9.3.4, 11.9)', async () => {
    const first = await begin('cut-off');
    way.sever();
    first.fail(new DomainError('service-unavailable'));
    await expect(first.answered).rejects.toMatchObject({ code: 'service-unavailable' });
    await sleep(1_000);
    way.mend();
    // Sooner than the claim would run out by itself.
    await sleep(2_000);
    expect(await service.once(callWith('cut-off'), async () => 'anew')).toEqual({
      payload: 'anew',
      isReplayed: false,
    });
  });

  it('keeps a success that could not be stored at once, so that its repetition is none (Contract 9.3.1)', async () => {
    const first = await begin('done');
    way.sever();
    first.finish('once');
    await expect(first.answered).rejects.toBeInstanceOf(Error);
    way.mend();
    await sleep(2_000);
    expect(await service.once(callWith('done'), async () => 'twice')).toEqual({
      payload: 'once',
      isReplayed: true,
    });
  });
});
