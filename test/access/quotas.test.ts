import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { buildSchema, execute, type GraphQLSchema, parse } from 'graphql';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bucket, Quotas, quotaCollection, rateLimitSdl } from '../../src/access/quotas.js';
import { type BucketState, type RequestContext } from '../../src/access/request-context.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';

const limits = {
  updateJob: { limit: 1, durationSeconds: 60 },
  mutation: { limit: 2, durationSeconds: 50 },
  read: { limit: 3, durationSeconds: 40 },
};

let database: TestDatabase;
let quotas: Quotas;
let schema: GraphQLSchema;
const refusals: Bucket[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  await database.connection.collection(quotaCollection).deleteMany({});
  refusals.length = 0;
  quotas = quotasOf(limits);
  await quotas.prepare();
  schema = quotas.guard(
    buildSchema(`${rateLimitSdl}
      type Query { jobs: String @rateLimit, free: String }
      type Mutation { updateJob: String @rateLimit(limit: 900), updateCompany: String @rateLimit(duration: 900) }`),
  );
});
afterAll(() => database.close());

const quotasOf = (some: typeof limits) => {
  const { connection } = database;
  return new Quotas(some, connection.getClient().db(connection.name), (bucket) => refusals.push(bucket));
};

const contextOf = (subject: string | null, others: Partial<RequestContext> = {}) =>
  ({ caller: subject === null ? null : { subject }, buckets: new Map(), ...others }) as RequestContext;

/** What each field of a document answers: `done`, or its error with the seconds to wait. */
async function call(document: string, context = contextOf('me')) {
  const rootValue = { jobs: 'done', free: 'done', updateJob: 'done', updateCompany: 'done' };
  const { data, errors } = await execute({
    schema,
    document: parse(document),
    contextValue: context,
    rootValue,
  });
  const failed = (errors ?? []).map(({ path, originalError }) => {
    const { code, details } = originalError as DomainError;
    return [path?.[0], { code, retryAfterSeconds: details.retryAfterSeconds }];
  });
  return { ...data, ...Object.fromEntries(failed) } as Record<string, unknown>;
}

/** Seconds that are left of a window which has just begun. */
const almost = (seconds: number): unknown => ({
  asymmetricMatch: (value: number) => value > seconds - 10 && value <= seconds,
});
const refused = (seconds: number) => ({
  code: 'rate-limit-exceeded',
  retryAfterSeconds: almost(seconds),
});
const state = (limit: number, remaining: number, seconds: number): BucketState => ({
  limit,
  remaining,
  resetSeconds: almost(seconds) as number,
});

describe('a field with a quota (Contract 8.2)', () => {
  it('spends a unit of its own bucket, as the settings have it, and notes what is left', async () => {
    const context = contextOf('me');
    expect(await call('{ jobs free }', context)).toEqual({ jobs: 'done', free: 'done' });
    expect(await call('mutation { updateJob updateCompany }', context)).toEqual({
      updateJob: 'done',
      updateCompany: 'done',
    });
    expect(Object.fromEntries(context.buckets)).toEqual({
      read: state(3, 2, 40),
      updateJob: state(1, 0, 60),
      mutation: state(2, 1, 50),
    });
  });

  it('is refused when none is left, with the seconds to wait, and leaves other callers alone', async () => {
    const document = '{ a: jobs b: jobs c: jobs d: jobs }';
    const context = contextOf('me');
    const answers = Object.values(await call(document, context));
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(3);
    expect(answers).toContainEqual(refused(40));
    expect(context.buckets.get('read')).toEqual(state(3, 0, 40));
    expect(await call('{ jobs }')).toEqual({ jobs: refused(40) });
    expect(refusals).toEqual(['read', 'read']);
    expect(await call('{ jobs }', contextOf('you'))).toEqual({ jobs: 'done' });
    expect(await call('mutation { updateCompany }')).toEqual({ updateCompany: 'done' });
  });

  it('notes the fewest units that were left, and of those the latest, whatever comes in which order', async () => {
    const context = contextOf('me');
    context.buckets.set('read', { limit: 3, remaining: 1, resetSeconds: 99 });
    await quotas.spend('read', context);
    expect(context.buckets.get('read')).toEqual({ limit: 3, remaining: 1, resetSeconds: 99 });
    await quotas.spend('read', context);
    expect(context.buckets.get('read')).toEqual(state(3, 1, 40));
  });

  it('passes again when its window has ended', async () => {
    quotas = quotasOf({ ...limits, read: { limit: 1, durationSeconds: 1 } });
    const context = contextOf('me');
    await quotas.spend('read', context);
    await expect(quotas.spend('read', context)).rejects.toMatchObject({
      code: 'rate-limit-exceeded',
      details: { retryAfterSeconds: 1 },
    });
    await sleep(1_100);
    expect(await quotas.bucketsOf(context)).toContainEqual({
      name: 'read',
      limit: 1,
      remaining: 1,
      resetSeconds: 0,
    });
    await quotas.spend('read', context);
    expect(refusals).toEqual(['read']);
  });
});

it('the state of each bucket is told without spending (Contract 4.4.3)', async () => {
  const context = contextOf('me');
  await quotas.spend('read', context);
  const expected = [
    { name: 'updateJob', limit: 1, remaining: 1, resetSeconds: 0 },
    { name: 'mutation', limit: 2, remaining: 2, resetSeconds: 0 },
    { name: 'read', ...state(3, 2, 40) },
  ];
  expect(await quotas.bucketsOf(context)).toEqual(expected);
  expect(await quotas.bucketsOf(contextOf('me'))).toEqual(expected);
});

describe('a request that is refused before it spends anything (Contract 8.2.6)', () => {
  it('counts as a call of its operation, and is one too many when none is left', async () => {
    for (let count = 0; count < 2; count += 1)
      expect(await quotas.countRefusal('mutation', contextOf('me'))).toBeNull();
    expect(await quotas.countRefusal('mutation', contextOf('me'))).toMatchObject({
      code: 'rate-limit-exceeded',
    });
    expect(refusals).toEqual(['mutation']);
  });

  it('does not count again if it has spent a unit', async () => {
    const context = contextOf('me');
    await quotas.spend('updateJob', context);
    expect(await quotas.countRefusal('updateJob', context)).toBeNull();
    expect(refusals).toEqual([]);
  });

  it('counts as a failure of its address if it has no token', async () => {
    const limited = new DomainError('rate-limit-exceeded');
    const context = contextOf(null, { countFailure: () => limited });
    expect(await quotas.countRefusal('read', context)).toBe(limited);
    expect(await database.connection.collection(quotaCollection).countDocuments()).toBe(0);
  });
});

it('the directive shows 50 calls a second where the schema says nothing', () => {
  expect(rateLimitSdl).toMatch(/limit: Int! = 50\b[^]*duration: Int! = 1\b/);
});
