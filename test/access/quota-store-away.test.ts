import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, execute, type GraphQLSchema, parse } from 'graphql';
import { type Connection, createConnection } from 'mongoose';
import { type Caller } from '../../src/access/caller.js';
import { Quotas, rateLimitSdl } from '../../src/access/quotas.js';
import { type RequestContext, tightestBucket } from '../../src/access/request-context.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { type Severable, severable } from '../support/severable.js';
import { promptMs } from '../support/prompt.js';

let database: TestDatabase;
let way: Severable;
let connection: Connection;
let schema: GraphQLSchema;

beforeAll(async () => {
  database = await openTestDatabase();
  const { host, hostname, port } = new URL(database.uri.replace('mongodb:', 'http:'));
  way = await severable({ host: hostname, port: Number(port) });
  const uri = new URL(database.uri.replace(host, `127.0.0.1:${way.port}`));
  uri.searchParams.set('directConnection', 'true');
  connection = await createConnection(uri.href, { serverSelectionTimeoutMS: 500 }).asPromise();
  const quota = { limit: 2, durationSeconds: 60 };
  const db = connection.getClient().db(connection.name);
  const quotas = new Quotas({ updateJob: quota, mutation: quota, read: quota }, db, () => undefined);
  schema = quotas.guard(
    buildSchema(`${rateLimitSdl} type Query { ask: String @rateLimit(limit: 50, duration: 1) }`),
  );
});
afterAll(async () => {
  way.mend();
  await connection.close();
  await way.close();
  await database.close();
});

const contextOf = (subject: string): RequestContext => {
  const caller: Caller = {
    subject,
    roles: new Set(),
    scopes: new Set(),
    media: undefined,
    brand: undefined,
    expiresAt: new Date(8.64e15),
  };
  return { requestId: 'r', transport: 'graphql', caller, language: 'en', readFaults: [], buckets: new Map() };
};

/** Asks once: what it answers, and in how many milliseconds. */
async function ask(subject: string): Promise<{ answer: string; ms: number; remaining: number | undefined }> {
  const startedAtMs = performance.now();
  const contextValue = contextOf(subject);
  const { errors } = await execute({
    schema,
    document: parse('{ ask }'),
    contextValue,
    rootValue: { ask: 'done' },
  });
  const error = errors?.[0]?.originalError;
  const answer = error instanceof DomainError ? error.code : (errors?.[0]?.message ?? 'done');
  return { answer, ms: performance.now() - startedAtMs, remaining: tightestBucket(contextValue)?.remaining };
}

describe('while the store of the buckets is away', () => {
  it('a bucket of the process takes over in bounded time, with the same quota, until the store is back (Contract 8.2.3)', async () => {
    expect(await ask('caller')).toMatchObject({ answer: 'done', remaining: 1 });
    way.sever();
    const away = [await ask('caller'), await ask('caller'), await ask('caller')];
    expect(away.map(({ answer }) => answer)).toEqual(['done', 'done', 'rate-limit-exceeded']);
    expect(Math.max(...away.map(({ ms }) => ms))).toBeLessThan(promptMs);
    expect(await ask('another')).toMatchObject({ answer: 'done', remaining: 1 });
    way.mend();
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
