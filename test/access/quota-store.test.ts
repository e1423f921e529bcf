import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { type Connection, createConnection } from 'mongoose';
import { quotaCollection, Quotas, rateLimitSdl } from '../../src/access/quotas.js';
import { bareCall } from '../support/bare-call.js';
import { promptMs } from '../support/prompt.js';
import { openSeverableDatabase, type SeverableDatabase } from '../support/severable.js';

let database: SeverableDatabase;
let connection: Connection;
let schema: GraphQLSchema;

beforeAll(async () => {
  database = await openSeverableDatabase();
  connection = await createConnection(database.uri, { serverSelectionTimeoutMS: 500 }).asPromise();
  const quota = { limit: 2, durationSeconds: 60 };
  const db = connection.getClient().db(connection.name);
  const quotas = new Quotas({ updateJob: quota, mutation: quota, read: quota }, db, () => undefined);
  schema = quotas.guard(
    buildSchema(`${rateLimitSdl} type Query { ask: String @rateLimit(limit: 50, duration: 1) }`),
  );
});
afterAll(async () => {
  database.way.mend();
  await connection.close();
  await database.close();
});

/** Asks once: what it answers, and in how many milliseconds. */
async function ask(subject: string) {
  const startedAtMs = performance.now();
  const { answer, remaining } = await bareCall(schema, '{ ask }', subject, { ask: 'done' });
  return { answer, remaining, ms: performance.now() - startedAtMs };
}

describe('while the store of the buckets is away', () => {
  it('a bucket of the process takes over in bounded time, with the same quota, until the store is back (Contract 8.2.3)', async () => {
    expect(await ask('caller')).toMatchObject({ answer: 'done', remaining: 1 });
    database.way.sever();
    const away = [await ask('caller'), await ask('caller'), await ask('caller')];
    expect(away.map(({ answer }) => answer)).toEqual(['done', 'done', 'rate-limit-exceeded']);
    expect(Math.max(...away.map(({ ms }) => ms))).toBeLessThan(promptMs);
    expect(await ask('another')).toMatchObject({ answer: 'done', remaining: 1 });
    database.way.mend();
    // The driver finds its server again by itself.
    const deadlineMs = performance.now() + 15_000;
    for (;;) {
      const { remaining, ms } = await ask(`fresh ${performance.now()}`);
      if (remaining === 1 && ms < 100) break;
      expect(performance.now()).toBeLessThan(deadlineMs);
    }
    expect(await ask('caller')).toMatchObject({ answer: 'done', remaining: 0 });
    expect(await ask('caller')).toMatchObject({ answer: 'rate-limit-exceeded' });
  }, 30_000);
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
    await spoil('soon well', 30);
    expect(await ask('soon well')).toMatchObject({ answer: 'done', remaining: 1 });
  });

  it('lets nobody in who is not counted (Contract 8.2.3)', async () => {
    await spoil('spoiled', 60_000);
    expect(await ask('spoiled')).toMatchObject({ answer: 'internal-error' });
  });
});
