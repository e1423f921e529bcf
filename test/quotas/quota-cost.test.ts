import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { orders } from '../../src/paging/page.js';
import { silentLog, startTestGateway, type TestGateway } from '../support/gateway.js';
import { graphql, rest } from '../support/requests.js';

const job = 'acme-backend-engineer';
const ids = { jobPublicId: job };
const updateJob = (selection: string, more = '') =>
  `mutation ($input: UpdateJobInput!) { updateJob(input: $input${more}) { job { ${selection} } } }`;
const jobs = (first: number, selection: string) =>
  `jobs(mediaPublicId: "demo-media", first: ${first}) { edges { node { ${selection} } } }`;
/** 39 704 of the 40 000 that are allowed. */
const largest = `{ ${jobs(93, `publicId ${Array.from({ length: 8 }, (_, at) => `p${at}: jobPosting`).join(' ')}`)} }`;

let gateway: TestGateway;
let other: Gateway;
let callers = 0;

beforeAll(async () => {
  gateway = await startTestGateway({
    UPDATE_JOB_QUOTA: '4/1m',
    MUTATION_QUOTA: '3/1m',
    READ_QUOTA: '50/1m',
    CORS_ORIGINS: 'https://app.example.com',
  });
  other = await startGateway(gateway.settings, { log: silentLog });
});
afterAll(async () => {
  await other.stop();
  await gateway.stop();
});

/** A caller with full quotas. */
async function newCaller() {
  const token = await gateway.token({ sub: `caller-${(callers += 1)}` });
  const ask = async (query: string, variables = {}, at: { url: string } = gateway) =>
    graphql(at, query, variables, { token });
  const quotas = async () => {
    const { body } = await graphql(gateway, '{ viewer { quotas { name remaining } } }', {}, { token });
    const { viewer } = body.data as { viewer: { quotas: { name: string; remaining: number }[] } };
    // The question itself spends a unit of `read`.
    return Object.fromEntries(
      viewer.quotas.map(({ name, remaining }) => [name, remaining + Number(name === 'read')]),
    );
  };
  return { token, ask, quotas };
}

describe('the units of an operation (Contract 8.2.8)', () => {
  it.each<[string, Record<string, unknown>, Record<string, number>]>([
    [`{ job(publicId: "${job}") { publicId name } }`, {}, { read: 1 }],
    [`{ a: job(publicId: "${job}") { name } b: job(publicId: "${job}") { name } }`, {}, { read: 2 }],
    ['{ a: viewer { subject } b: viewer { subject } }', {}, { read: 2 }],
    ['{ a: viewer { subject } b: viewer { subject } c: viewer { subject } }', {}, { read: 2 }],
    [`{ ${jobs(100, 'publicId name')} }`, {}, { read: 2 }],
    [
      `query ($first: Int) { jobs(mediaPublicId: "demo-media", first: $first) { edges { node { name questions { questionId name } } } } }`,
      { first: 40 },
      { read: 10 },
    ],
    [
      `query ($is: Boolean!) { job(publicId: "${job}") { name } more: job(publicId: "${job}") @include(if: $is) { name } }`,
      { is: false },
      { read: 1 },
    ],
    [
      `{ ${['name', 'salary', 'state'].map((field) => `job(publicId: "${job}") { ${field} }`).join(' ')} }`,
      {},
      { read: 2 },
    ],
    [`{ __typename job(publicId: "${job}") { name } }`, {}, { read: 1 }],
    ['{ __typename }', {}, {}],
    [updateJob('name employer { name } questions { questionId }'), { input: ids }, { updateJob: 1 }],
    [
      updateJob('name history(first: 100) { edges { node { at changes { field } } } }'),
      { input: ids },
      { updateJob: 1, read: 5 },
    ],
    [updateJob('name', ', dryRun: true'), { input: ids }, { read: 5 }],
    [
      `mutation ($input: UpdateJobInput!, $dry: Boolean! = true) { updateJob(input: $input, dryRun: $dry) { job { name } } }`,
      { input: ids },
      { read: 5 },
    ],
    [
      `mutation ($input: UpdateJobInput!, $dry: Boolean! = true) { updateJob(input: $input, dryRun: $dry) { job { name } } }`,
      { input: ids, dry: false },
      { updateJob: 1 },
    ],
  ])('%s with %j costs %j', async (query, variables, units) => {
    const { ask, quotas } = await newCaller();
    const { body } = await ask(query, variables);
    expect(body.errors).toBeUndefined();
    const { updateJob: own = 0, read = 0 } = units;
    expect(await quotas()).toEqual({ updateJob: 4 - own, mutation: 3, read: 50 - read });
    expect(body.extensions?.cost).toEqual({ complexity: expect.any(Number), units: own || read });
  });

  it('are 40 for the largest permitted operation', async () => {
    const { ask } = await newCaller();
    const { body } = await ask(largest);
    expect(body.errors).toBeUndefined();
    expect(body.extensions).toMatchObject({ rateLimit: { remaining: 10 }, cost: { units: 40 } });
  });

  it.each([
    [5, 'job', { publicId: job }],
    [2, 'company', { mediaPublicId: 'demo-media', publicId: 'acme' }],
  ])('are %d for everything that a form for a %s shows', async (units, record, variables) => {
    const { ask } = await newCaller();
    const document = readFileSync(
      new URL(`../../schema/operations/${record}-form.graphql`, import.meta.url),
      'utf8',
    );
    const { body } = await ask(document, variables);
    expect(body.errors).toBeUndefined();
    expect(body.extensions).toMatchObject({ cost: { units } });
  });

  it.each([
    [`/jobs/${job}`, 'job', { publicId: job }, 2],
    [
      '/jobs?media-public-id=demo-media&first=100',
      'jobs',
      { mediaPublicId: 'demo-media', first: 100 },
      undefined,
    ],
    [
      '/changes?media-public-id=demo-media&first=100',
      'changes',
      { mediaPublicId: 'demo-media', first: 100 },
      undefined,
    ],
    ['/references/contract', 'references', { kind: 'contract' }, 1],
  ])('are the same over REST: GET %s', async (path, name, variables, units) => {
    const { token, ask } = await newCaller();
    const overRest = await rest(gateway, 'GET', path, undefined, { token });
    const document = readFileSync(
      new URL(`../../schema/operations/${name}.graphql`, import.meta.url),
      'utf8',
    );
    const { headers } = await ask(document, variables);
    expect([overRest.status, overRest.headers.get('ratelimit-cost')]).toEqual([
      200,
      headers.get('ratelimit-cost'),
    ]);
    if (units !== undefined) expect(Number(headers.get('ratelimit-cost'))).toBe(units);
  });
});

it.each(Object.keys(orders))(
  'four tabs of a list by states, with their counts, cost at most 25 units in the order %s (Contract 8.4.11)',
  async (sort) => {
    const tab = (name: string, filter = '') =>
      `${name}: jobs(mediaPublicId: "demo-media", sort: ${sort}${filter}) { totalCount edges { node { publicId name state } } }`;
    const tabs = ['draft', 'published', 'archived'].map((state) =>
      tab(state, `, filter: { states: [${state}] }`),
    );
    const { ask } = await newCaller();
    const { body } = await ask(`{ ${[tab('all'), ...tabs].join(' ')} }`);
    expect(body.errors).toBeUndefined();
    expect(body.extensions?.cost?.units).toBeLessThanOrEqual(25);
    const lists = Object.values(body.data as Record<string, { totalCount: number; edges: unknown[] }>);
    const [all, ...byState] = lists.map(({ totalCount, edges }) => [totalCount, edges.length]);
    const sumOf = (at: number) => byState.reduce((sum, each) => sum + Number(each[at]), 0);
    expect([sumOf(0), sumOf(1)]).toEqual(all);
  },
);

describe('an operation that its quota refuses (Contract 8.2.1)', () => {
  it('spends nothing, so cheaper operations pass in the same second, in every process', async () => {
    const { ask, quotas } = await newCaller();
    expect((await ask(largest)).body.errors).toBeUndefined();
    for (const at of [gateway, other, gateway]) {
      const { status, headers, body } = await ask(largest, {}, at);
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(body.errors?.[0]?.message).toBe(
        'Too many requests. Please try again later: the quota is 30 units short.',
      );
      expect(body.extensions).toMatchObject({ rateLimit: { limit: 50, remaining: 10 }, cost: { units: 40 } });
    }
    const cheap = `{ job(publicId: "${job}") { name } }`;
    expect((await ask(cheap, {}, other)).body.extensions?.rateLimit?.remaining).toBe(9);
    expect((await ask(cheap)).body.extensions?.rateLimit?.remaining).toBe(8);
    expect((await quotas()).read).toBe(8);
  });

  it('runs none of its root fields', async () => {
    const { ask, quotas } = await newCaller();
    const fields = (count: number) =>
      Array.from({ length: count }, (_, at) => `f${at}: updateJob(input: $input) { job { version } }`).join(
        ' ',
      );
    const update = async (count: number) =>
      ask(`mutation ($input: UpdateJobInput!) { ${fields(count)} }`, {
        input: { ...ids, salary: `${callers} ${count} €` },
      });
    expect((await update(3)).body.errors).toBeUndefined();
    const before = await gateway.models.jobs.findOne({ publicId: job }).lean();
    const { status, body } = await update(2);
    expect([status, body.data]).toEqual([429, undefined]);
    expect(await gateway.models.jobs.findOne({ publicId: job }).lean()).toEqual(before);
    expect((await update(1)).body.errors).toBeUndefined();
    expect((await quotas()).updateJob).toBe(0);
  });

  it('as a dry run spends nothing either', async () => {
    const { ask, quotas } = await newCaller();
    await ask(largest);
    await ask(`{ job(publicId: "${job}") { name } }`);
    const dryRun = async () => (await ask(updateJob('name', ', dryRun: true'), { input: ids })).status;
    expect([await dryRun(), await dryRun()]).toEqual([200, 429]);
    expect(await quotas()).toEqual({ updateJob: 4, mutation: 3, read: 4 });
  });

  it('says in French how much was missing', async () => {
    const { token, ask } = await newCaller();
    await ask(largest);
    await ask(`{ ${jobs(100, 'questions { questionId }')} }`.replace('100', '40'));
    const { body } = await graphql(gateway, largest, {}, { token, headers: { 'accept-language': 'fr' } });
    expect(body.errors?.[0]?.message).toMatch(
      /^Trop de requêtes\. Veuillez réessayer plus tard : il manque \d\d unités au quota\.$/,
    );
  });
});

describe('simultaneous operations of one caller through two processes', () => {
  it('spend together at most the quota, and as much of it as fits (Contract 8.2.1, 8.2.3)', async () => {
    const { ask } = await newCaller();
    const nine = `{ ${jobs(40, 'name questions { questionId name }')} }`;
    const one = `{ job(publicId: "${job}") { name } }`;
    const asked = await Promise.all(
      Array.from({ length: 60 }, async (_, at) =>
        ask(at % 3 === 0 ? nine : one, {}, at % 2 === 0 ? gateway : other),
      ),
    );
    const passed = asked.filter(({ status }) => status === 200);
    expect(passed.reduce((sum, { body }) => sum + (body.extensions?.cost?.units ?? 0), 0)).toBe(50);
    expect(asked.filter(({ status }) => ![200, 429].includes(status))).toEqual([]);
    expect(
      (await graphql(gateway, one, {}, { token: await gateway.token({ sub: `caller-${callers}` }) })).status,
    ).toBe(429);
  });
});

describe('root fields that end before the quota (Contract 7.6)', () => {
  it('spend nothing beside others that run', async () => {
    const { ask, quotas } = await newCaller();
    const query = `{ own: job(publicId: "${job}") { name } foreign: jobs(mediaPublicId: "other-media") { edges { cursor } } }`;
    const { body } = await ask(query);
    expect(body.errors).toMatchObject([
      { path: ['foreign'], extensions: { error: 'unauthorized-limitation' } },
    ]);
    expect(body.extensions?.rateLimit?.remaining).toBe(49);
    expect((await quotas()).read).toBe(49);
  });

  it('spend nothing if they are replayed', async () => {
    const { ask, quotas } = await newCaller();
    const query = `mutation ($input: UpdateJobInput!, $a: String, $b: String) {
      a: updateJob(input: $input, idempotencyKey: $a) { job { version } }
      b: updateJob(input: $input, idempotencyKey: $b) { job { version } }
    }`;
    const askKeyed = async (a: string, b: string) =>
      ask(query, { input: ids, a: `${callers}${a}`, b: `${callers}${b}` });
    expect((await askKeyed('one', 'two')).body.errors).toBeUndefined();
    expect((await askKeyed('one', 'two')).body.extensions?.cost).toMatchObject({ units: 0 });
    expect((await quotas()).updateJob).toBe(2);
    expect((await askKeyed('three', 'one')).body.extensions).toMatchObject({
      rateLimit: { remaining: 1 },
      cost: { units: 1 },
    });
    expect((await quotas()).updateJob).toBe(1);
  });

  const listing = (first: number) =>
    `mutation ($input: UpdateJobInput!, $a: String, $b: String) {
      a: updateJob(input: $input, idempotencyKey: $a) { job {
        media { companies(first: ${first}) { edges { node { jobs(first: 1) { edges { node { name } } } } } } }
        history(first: 100) { edges { node { at changes { field } } } }
      } }
      b: updateJob(input: $input, idempotencyKey: $b) { job { version } }
    }`;

  it('pay for the lists that the payload of a replay reads, as the first call did (Contract 8.2.8, 9.3.2)', async () => {
    const { ask, quotas } = await newCaller();
    const keys = { input: ids, a: `${callers}lists`, b: `${callers}plain` };
    const read = 10;
    for (const own of [2, 0]) {
      const before = await quotas();
      const { body } = await ask(listing(8), keys);
      expect(body.errors).toBeUndefined();
      expect(body.extensions?.cost).toMatchObject({ units: own || read });
      expect(await quotas()).toEqual({
        ...before,
        updateJob: before.updateJob! - own,
        read: before.read! - read - 1,
      });
    }
  });

  it('pay at least a unit for the page of a replay, whatever stands before it in the document (Contract 8.2.8, 9.3.2)', async () => {
    const { ask, quotas } = await newCaller();
    const document = `mutation ($input: UpdateJobInput!, $key: String!) {
      foreign: updateJob(input: { mediaPublicId: "foreign", jobPublicId: "absent" }) { job { history(first: 1) { edges { cursor } } } }
      again: updateJob(input: $input, idempotencyKey: $key) { job { history(first: 1) { edges { cursor } } } }
    }`;
    const keys = { input: ids, key: `${callers}paged` };
    await ask(document, keys);
    const { read = 0 } = await quotas();
    const { body } = await ask(document, keys);
    expect(body.data?.again).not.toBeNull();
    // The other unit is that of the first question.
    expect((await quotas()).read).toBe(read - 2);
  });

  it('are refused as the first call would be, if the payload of a replay reads too much (Contract 8.4.13, 9.3.2)', async () => {
    const { ask, quotas } = await newCaller();
    const keys = { input: ids, a: `${callers}lists`, b: `${callers}plain` };
    expect((await ask(listing(8), keys)).body.errors).toBeUndefined();
    const tooMany = await ask(listing(11), keys);
    expect(tooMany.body.errors?.[0]).toMatchObject({
      path: ['a'],
      extensions: { error: 'validation-failed', fields: [{ code: 'cost-too-long', path: [] }] },
    });
    for (let left = (await quotas()).read!; left >= 10; left -= 10) await ask(listing(8), keys);
    const { body } = await ask(listing(8), keys);
    expect(body.errors).toMatchObject([{ path: ['a'], extensions: { error: 'rate-limit-exceeded' } }]);
    expect(body.data).toMatchObject({ a: null, b: { job: {} } });
  });

  it('spend a unit each if their idempotency key is refused (Contract 8.2.6)', async () => {
    const { ask, quotas } = await newCaller();
    const update = (name: string, key: string) =>
      `${name}: updateJob(input: $input, idempotencyKey: "${key}") { job { version } }`;
    const calls = [update('done', `${callers}`), update('a', 'é'), update('b', 'é')].join(' ');
    const { body } = await ask(`mutation ($input: UpdateJobInput!) { ${calls} }`, { input: ids });
    expect(body.data?.done).toMatchObject({ job: {} });
    expect(body.errors?.map(({ path, extensions: { error } }) => [path, error])).toEqual(
      ['a', 'b'].map((name) => [[name], 'validation-failed']),
    );
    expect((await quotas()).updateJob).toBe(1);
  });
});

describe('RateLimit-Cost (Contract 8.2.9)', () => {
  const costOf = ({ headers }: { headers: Headers }) => headers.get('ratelimit-cost');

  it('is on 200, 304, dry runs and replays, and pages of CORS_ORIGINS can read it', async () => {
    const { token } = await newCaller();
    const origin = { origin: 'https://app.example.com' };
    const read = (headers = {}) =>
      rest(gateway, 'GET', `/jobs/${job}`, undefined, { token, headers: { ...origin, ...headers } });
    const first = await read();
    expect([costOf(first), first.headers.get('access-control-expose-headers')]).toEqual([
      '2',
      expect.stringContaining('RateLimit-Cost'),
    ]);
    const known = await read({ 'if-none-match': first.headers.get('etag') ?? '' });
    expect([known.status, costOf(known)]).toEqual([304, '2']);
    const update = (headers: Record<string, string>) =>
      rest(gateway, 'PATCH', `/jobs/${job}`, { json: { salary: '9' } }, { token, headers });
    expect(costOf(await update({ prefer: 'validate-only' }))).toBe('5');
    const keyed = [
      await update({ 'idempotency-key': `cost-${callers}` }),
      await update({ 'idempotency-key': `cost-${callers}` }),
    ];
    expect(keyed.map(costOf)).toEqual(['1', '0']);
    expect(costOf(await rest(gateway, 'GET', `/jobs/${job}`, undefined))).toBeNull();
  });
});

it('an operation that costs more than a whole bucket is 422, spends one unit, and runs nothing (Contract 8.2.10)', async () => {
  const { ask, quotas } = await newCaller();
  const fields = Array.from(
    { length: 5 },
    (_, at) => `f${at}: updateJob(input: $input) { job { version } }`,
  ).join(' ');
  const { status, body } = await ask(`mutation ($input: UpdateJobInput!) { ${fields} }`, { input: ids });
  expect(status).toBe(200);
  expect(body.errors).toHaveLength(1);
  expect(body.errors?.[0]).not.toHaveProperty('path');
  expect(body.errors?.[0]).toMatchObject({
    message:
      'The operation costs 5 units of the quota updateJob, which has only 4: split it into several operations.',
    extensions: {
      error: 'validation-failed',
      status: 422,
      fields: [{ path: [], code: 'cost-too-long' }],
    },
  });
  expect((await quotas()).updateJob).toBe(3);
});
