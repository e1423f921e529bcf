import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { silentLog, startTestGateway, type TestGateway } from '../support/gateway.js';
import { graphql, rest } from '../support/requests.js';

const job = 'acme-backend-engineer';
const ids = { jobPublicId: job };
const updateJob = (selection: string, more = '') =>
  `mutation ($input: UpdateJobInput!) { updateJob(input: $input${more}) { job { ${selection} } } }`;
const jobs = (first: number, selection: string) =>
  `jobs(mediaPublicId: "demo-media", first: ${first}) { edges { node { ${selection} } } }`;
/** 39 800 of the 40 000 that are allowed. */
const largest = `{ ${jobs(96, `publicId ${Array.from({ length: 8 }, (_, at) => `p${at}: jobPosting`).join(' ')}`)} }`;

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

describe('the units of an operation (Contract 8.2.2, 8.2.3)', () => {
  it.each<[string, Record<string, unknown>, Record<string, number>]>([
    [`{ job(publicId: "${job}") { publicId name } }`, {}, { read: 1 }],
    [`{ a: job(publicId: "${job}") { name } b: job(publicId: "${job}") { name } }`, {}, { read: 2 }],
    ['{ a: viewer { subject } b: viewer { subject } }', {}, { read: 2 }],
    ['{ a: viewer { subject } b: viewer { subject } c: viewer { subject } }', {}, { read: 2 }],
    [`{ ${jobs(100, 'publicId name')} }`, {}, { read: 2 }],
    [
      `query ($first: Int) { jobs(mediaPublicId: "demo-media", first: $first) { edges { node { name questions { questionId name } } } } }`,
      { first: 40 },
      { read: 5 },
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
      { updateJob: 1, read: 2 },
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
});

describe('an operation that its quota refuses (Contract 8.1.1)', () => {
  it('spends nothing, so cheaper operations pass in the same second, in every process', async () => {
    const { ask, quotas } = await newCaller();
    expect((await ask(largest)).body.errors).toBeUndefined();
    for (const at of [gateway, other, gateway]) {
      const { status, headers, body } = await ask(largest, {}, at);
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(body.errors?.[0]?.message).toBe('Too many requests. Please try again later.');
      expect(body.extensions).toMatchObject({ rateLimit: { limit: 50, remaining: 10 }, cost: { units: 40 } });
    }
    const cheap = `{ job(publicId: "${job}") { name } }`;
    expect((await ask(cheap, {}, other)).body.extensions?.rateLimit?.remaining).toBe(9);
    expect((await ask(cheap)).body.extensions?.rateLimit?.remaining).toBe(8);
    expect((await quotas()).read).toBe(8);
  });

  it('spends nothing of any bucket if one of them refuses it', async () => {
    const { ask, quotas } = await newCaller();
    const company = `updateCompany(input: { mediaPublicId: "demo-media", companyPublicId: "acme" }) { company { version } }`;
    for (let count = 0; count < 3; count += 1) await ask(`mutation { ${company} }`);
    const both = `mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } ${company} }`;
    expect((await ask(both, { input: ids })).status).toBe(429);
    expect(await quotas()).toEqual({ updateJob: 4, mutation: 0, read: 50 });
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
});

describe('simultaneous operations of one caller through two processes', () => {
  it('spend together at most the quota, and as much of it as fits (Contract 8.1.1)', async () => {
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

describe('root fields that end before the quota (Contract 7.1)', () => {
  it('are charged with those that run, and spend nothing alone', async () => {
    const { ask, quotas } = await newCaller();
    const foreign = 'foreign: jobs(mediaPublicId: "other-media") { edges { cursor } }';
    expect((await ask(`{ ${foreign} }`)).body.extensions?.cost?.units).toBe(0);
    const { body } = await ask(`{ own: job(publicId: "${job}") { name } ${foreign} }`);
    expect(body.errors).toMatchObject([
      { path: ['foreign'], extensions: { error: 'unauthorized-limitation' } },
    ]);
    expect(body.extensions?.cost?.units).toBe(2);
    expect((await quotas()).read).toBe(48);
  });

  const keyed = (...keys: string[]) =>
    `mutation ($input: UpdateJobInput!) { ${keys
      .map(
        (key, at) => `a${at}: updateJob(input: $input, idempotencyKey: "${callers}${key}") { job {
        history(first: 100) { edges { node { at changes { field } } } } } }`,
      )
      .join(' ')} }`;

  it('spend what reading costs if they are a lone repeated mutation, and otherwise what the document says', async () => {
    const { ask, quotas } = await newCaller();
    const spent = async (document: string) => {
      const before = await quotas();
      expect((await ask(document, { input: ids })).body.errors).toBeUndefined();
      const { updateJob = 0, read = 0 } = await quotas();
      return [before.updateJob! - updateJob, before.read! - read - 1];
    };
    expect(await spent(keyed('one'))).toEqual([1, 2]);
    expect(await spent(keyed('one'))).toEqual([0, 3]);
    expect(await spent(keyed('one', 'two'))).toEqual([2, 4]);
  });

  it('are refused if too few units are left to read a repetition', async () => {
    const { ask } = await newCaller();
    expect((await ask(keyed('again'), { input: ids })).body.errors).toBeUndefined();
    for (let count = 0; count < 2; count += 1) await ask(largest);
    await ask(`{ ${jobs(93, 'questions { questionId }')} }`);
    const { status, body } = await ask(keyed('again'), { input: ids });
    expect([status, body.errors?.[0]?.extensions.error]).toEqual([429, 'rate-limit-exceeded']);
  });

  it('spend a unit of their bucket if their idempotency key is refused (Contract 8.2.4)', async () => {
    const { ask, quotas } = await newCaller();
    const { body } = await ask(keyed('é'), { input: ids });
    expect(body.errors?.[0]?.extensions.error).toBe('validation-failed');
    expect(await quotas()).toEqual({ updateJob: 3, mutation: 3, read: 50 });
  });
});

describe('RateLimit-Cost (Contract 8.2.6)', () => {
  const costOf = ({ headers }: { headers: Headers }) => headers.get('ratelimit-cost');

  it('is on 200, 304, dry runs and replays, and pages of CORS_ORIGINS can read it', async () => {
    const { token } = await newCaller();
    const origin = { origin: 'https://app.example.com' };
    const read = (headers = {}) =>
      rest(gateway, 'GET', `/jobs/${job}`, undefined, { token, headers: { ...origin, ...headers } });
    const first = await read();
    expect([costOf(first), first.headers.get('access-control-expose-headers')]).toEqual([
      '1',
      expect.stringContaining('RateLimit-Cost'),
    ]);
    const known = await read({ 'if-none-match': first.headers.get('etag') ?? '' });
    expect([known.status, costOf(known)]).toEqual([304, '1']);
    const update = (headers: Record<string, string>) =>
      rest(gateway, 'PATCH', `/jobs/${job}`, { json: { salary: '9' } }, { token, headers });
    expect(costOf(await update({ prefer: 'validate-only' }))).toBe('5');
    const keyed = [
      await update({ 'idempotency-key': `cost-${callers}` }),
      await update({ 'idempotency-key': `cost-${callers}` }),
    ];
    expect(keyed.map(costOf)).toEqual(['1', '1']);
    expect(costOf(await rest(gateway, 'GET', `/jobs/${job}`, undefined))).toBeNull();
  });
});

it('an operation that costs more than a whole bucket is 422, spends one unit, and runs nothing (Contract 8.2.5)', async () => {
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
