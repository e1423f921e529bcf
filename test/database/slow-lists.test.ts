import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { listBounds } from '../../src/database/list.js';
import { logInMemory } from '../support/log-in-memory.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';

// No server compares as many names, as long as these, in a millisecond.
const recordCount = 3_000;
const nameLength = 2_000;
const secret = 'Astronome';

const { log, lines } = logInMemory('warn');
const bounds = { entries: 2 * recordCount, documents: 2 * recordCount, queryMs: 1 };
const gateway = ownGateway({ ARCHIVER: 'off' }, { log, bounds });

/** The built-in store has no limit. */
const isServer = Boolean(process.env.MONGODB_URI);

beforeAll(async () => {
  if (!isServer) return;
  const { jobs, companies } = gateway.models;
  const job = await jobs.collection.findOne({ publicId: 'acme-backend-engineer' });
  const company = await companies.collection.findOne({ publicId: 'acme' }, { projection: { domainKey: 0 } });
  const own = (index: number) => ({
    _id: new Types.ObjectId(),
    nameKey: `slow ${index} `.padEnd(nameLength, 'x'),
    changedAt: new Date(Date.now() - 1e9),
  });
  const numbers = Array.from({ length: recordCount }, (_, index) => index);
  await jobs.collection.insertMany(
    numbers.map((index) => ({ ...job, ...own(index), publicId: `slow-${index}` })),
  );
  await companies.collection.insertMany(
    numbers.map((index) => ({ ...company, ...own(index), publicId: `slow-${index}` })),
  );
});

const onServer = isServer ? describe : describe.skip;

const in2020 = '2020-01-01T00:00:00Z';
const slow = {
  'a page of jobs': [
    'jobs',
    `filter: { name: "${secret}", updatedSince: "${in2020}" }`,
    'edges { node { publicId } }',
    /^a query of jobs took over 1 ms: \{"(pipeline|filter)":.*"media":"\?".*"hint":\{"media":1/,
  ],
  'a count of jobs': [
    'jobs',
    '',
    'totalCount',
    /^a query of jobs took over 1 ms: \{"filter":.*"limit":10001/,
  ],
  'a page of companies': [
    'companies',
    `filter: { name: "${secret}" }`,
    'edges { node { publicId } }',
    /^a query of companies took/,
  ],
  'a count of companies': ['companies', '', 'totalCount', /^a query of companies took over 1 ms/],
  'a count of changes': [
    'changes',
    '',
    'totalCount',
    /^a query of (jobs|companies|departures) took over 1 ms: \{"(pipeline|filter)":/,
  ],
} as const;

onServer('a query of a list that takes longer than its limit', () => {
  it.each(Object.entries(slow))(
    'is 503 with Retry-After: %s, and the log has its shape (Contract 4.3.8)',
    async (_name, [list, args, fields, shape]) => {
      const token = await gateway.token();
      const query = `{ ${list}(mediaPublicId: "demo-media", ${args}) { ${fields} } }`;
      lines.length = 0;
      const { status, headers, body } = await graphql(gateway, query, {}, { token });
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(body.errors?.[0]?.extensions).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        error: 'service-unavailable',
      });
      expect(body.errors?.[0]?.message).toContain('narrow its filter');
      const [line = '', ...others] = lines;
      expect(others).toEqual([]);
      const { reason, code } = JSON.parse(line) as { reason: string; code: string };
      expect(code).toBe('service-unavailable');
      expect(reason).toMatch(shape);
      expect(line.toLowerCase()).not.toMatch(/astronome|demo-media|2020/);
    },
  );

  it('is the same over REST (Contract 4.3.8)', async () => {
    const path = `/jobs?media-public-id=demo-media&utm_source=${secret}&updated-since=${in2020}`;
    const token = await gateway.token();
    lines.length = 0;
    const { status, headers, body } = await rest(gateway, 'GET', path, undefined, { token });
    expect([status, headers.get('retry-after'), body.error]).toEqual([503, '1', 'service-unavailable']);
    expect(lines.join('')).toMatch(/^[^\n]*a query of (jobs|companies) took over 1 ms[^\n]*\n$/);
    expect(lines.join('').toLowerCase()).not.toContain('astronome');
  });

  it('does not limit the read of one job', async () => {
    const { body } = await graphql(
      gateway,
      '{ job(publicId: "slow-7") { publicId } }',
      {},
      { token: await gateway.token() },
    );
    expect(body.errors).toBeUndefined();
  });
});

// test/graphql/queries.test.ts has a DATABASE_TIMEOUT that is nearer.
describe('the limit of a query of a list', () => {
  const sent = new SentCommands();
  const usual = ownGateway({ ARCHIVER: 'off' }, { tracing: sent.tracing, bounds: listBounds });

  it('is 300 ms', async () => {
    const lists = ['jobs', 'companies', 'changes'].map(
      (list) => `${list}: ${list}(mediaPublicId: "demo-media") { totalCount edges { node { publicId } } }`,
    );
    sent.forget();
    await graphql(usual, `{ ${lists.join(' ')} }`, {}, { token: await usual.token() });
    const commands = ['jobs', 'companies', 'departures'].flatMap((name) => sent.to(name));
    const limits = commands.flatMap(({ maxTimeMS }) => maxTimeMS ?? []);
    expect(limits.length).toBeGreaterThanOrEqual(8);
    expect(new Set(limits)).toEqual(new Set([300]));
  });
});
