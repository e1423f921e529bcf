import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { applyMiddlewareToDeclaredResolvers } from 'graphql-middleware';
import { setTimeout as sleep } from 'node:timers/promises';
import { Quotas, rateLimitSdl } from '../../src/access/quotas.js';
import { unauthorized } from '../../src/errors/domain-error.js';
import { bareCall } from '../support/bare-call.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';

const sdl = `${rateLimitSdl}
  type Query { ask: String }
  type Mutation { updateJob: String @rateLimit(limit: 50, duration: 1) }`;

let database: TestDatabase;
beforeAll(async () => void (database = await openTestDatabase()));
afterAll(() => database.close());

/** What the resolver of a call does once it has its unit. */
type Work = () => Promise<string>;

/** A process of its own, whose buckets are the database's, or its memory's. */
async function startProcess(isShared: boolean, durationSeconds = 60) {
  const { connection } = database;
  const quota = { limit: 2, durationSeconds };
  const db = connection.getClient().db(connection.name);
  const quotas = new Quotas(
    { updateJob: quota, mutation: quota, read: quota },
    isShared ? db : null,
    () => undefined,
  );
  await quotas.prepare();
  const schema: GraphQLSchema = applyMiddlewareToDeclaredResolvers(quotas.guard(buildSchema(sdl)), {
    Mutation: quotas.giveBack,
  });
  return (subject: string, work: Work = async () => 'done') =>
    bareCall(schema, 'mutation { updateJob }', subject, { updateJob: work });
}

/** A call whose lack of authority shows only when it is told; by then it has its unit. */
async function strangerUnderWay(call: (subject: string, work: Work) => Promise<unknown>, subject: string) {
  let tell = () => {};
  let answered: Promise<unknown> = Promise.resolve();
  await new Promise<void>((begun) => {
    answered = call(subject, async () => {
      begun();
      await new Promise<void>((resolve) => (tell = resolve));
      throw unauthorized();
    });
  });
  return async () => {
    tell();
    return answered;
  };
}

describe.each([
  ['the shared store', true],
  ['memory', false],
])('a unit given back to a bucket in %s', (_where, isShared) => {
  it('leaves the caller its whole share, however many calls were refused while it was out (Contract 7.6.2)', async () => {
    const call = await startProcess(isShared);
    const subject = `whole share ${isShared}`;
    const tell = await strangerUnderWay(call, subject);
    expect(await call(subject)).toEqual({ answer: 'done', remaining: 0 });
    const refusals = await Promise.all(Array.from({ length: 5 }, () => call(subject)));
    expect(refusals).toEqual(Array(5).fill({ answer: 'rate-limit-exceeded', remaining: 0 }));
    expect(await tell()).toEqual({ answer: 'unauthorized-limitation', remaining: 1 });
    expect(await call(subject)).toEqual({ answer: 'done', remaining: 0 });
    expect((await call(subject)).answer).toBe('rate-limit-exceeded');
  });

  it('adds nothing to the next window (Contract 7.6.2, 8.2.1)', async () => {
    const call = await startProcess(isShared, 1);
    const subject = `next window ${isShared}`;
    const tell = await strangerUnderWay(call, subject);
    await sleep(1_050);
    expect((await call(subject)).answer).toBe('done');
    expect(await tell()).toMatchObject({ answer: 'unauthorized-limitation' });
    expect((await call(subject)).answer).toBe('done');
    expect((await call(subject)).answer).toBe('rate-limit-exceeded');
  });
});

describe('a unit given back by one of two processes', () => {
  it('is there for the other, unless that one has found the bucket empty in between (Contract 7.6.2, 8.2.3)', async () => {
    const [one, other] = await Promise.all([startProcess(true), startProcess(true)]);
    const tell = await strangerUnderWay(one, 'of both');
    expect((await one('of both')).answer).toBe('done');
    expect((await one('of both')).answer).toBe('rate-limit-exceeded');
    await tell();
    expect(await other('of both')).toEqual({ answer: 'done', remaining: 0 });
    expect((await other('of both')).answer).toBe('rate-limit-exceeded');
    expect((await one('of both')).answer).toBe('rate-limit-exceeded');
  });
});
