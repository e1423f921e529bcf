import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { silentLog, startTestGateway, type TestGateway } from '../support/gateway.js';
import { graphql, rest } from '../support/requests.js';
import { names, ofJob } from '../support/updates.js';

const updateJob = `mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { salary } } }`;
const jobPath = '/jobs/acme-backend-engineer';

describe('a quota of 2 updateJob calls in 60 s, shared by three gateways on one database', () => {
  let first: TestGateway;
  let others: Gateway[];

  beforeAll(async () => {
    first = await startTestGateway({
      // On a busy machine, 200 calls at once can exceed the default timeout.
      DATABASE_TIMEOUT: '20s',
      UPDATE_JOB_QUOTA: '2/60s',
      MUTATION_QUOTA: '3/60s',
      READ_QUOTA: '4/60s',
    });
    const start = () => startGateway(first.settings, { log: silentLog });
    others = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all(others.map((gateway) => gateway.stop()));
    await first.stop();
  });
  afterEach(() => first.reset());

  const apis: ((
    url: string,
    token: string,
    salary: string,
  ) => Promise<{ passed: number; refused: number }>)[] = [
    async (url, token, salary) => {
      const { body } = await graphql({ url }, updateJob, { input: { ...ofJob, salary } }, { token });
      return body.errors ? refused(body.errors[0]?.extensions.error, 1) : { passed: 1, refused: 0 };
    },
    async (url, token, salary) => {
      const aliases = ['a', 'b'].map((name) => `${name}: updateJob(input: $input) { job { salary } }`);
      const query = `mutation ($input: UpdateJobInput!) { ${aliases.join(' ')} }`;
      const { body } = await graphql({ url }, query, { input: { ...ofJob, salary } }, { token });
      // Root fields that are refused together have one error.
      for (const { extensions } of body.errors ?? []) refused(extensions.error, 1);
      const passed = Object.values(body.data ?? {}).filter((payload) => payload !== null).length;
      return { passed, refused: 2 - passed };
    },
    async (url, token, salary) => {
      const form = { ...names, salary };
      const { status, body } = await rest({ url }, 'POST', jobPath, { form }, { token });
      return status === 200 ? { passed: 1, refused: 0 } : refused(body.error, 1);
    },
    async (url, token, salary) => {
      const json = { ...names, salary };
      const { status, body } = await rest({ url }, 'PATCH', jobPath, { json }, { token });
      return status === 200 ? { passed: 1, refused: 0 } : refused(body.error, 1);
    },
  ];

  function refused(code: string | undefined, count: number) {
    expect(code).toBe('rate-limit-exceeded');
    return { passed: 0, refused: count };
  }

  it('lets exactly 2 of 200 parallel calls of one caller pass over both APIs, and leaves another caller alone (Contract 8.1.1)', async () => {
    const token = await first.token({ sub: 'greedy' });
    const otherToken = await first.token({ sub: 'modest' });
    const urls = [first.url, ...others.map(({ url }) => url)];
    // One of the four functions makes two calls in a request, so 160 requests are 200 calls.
    const requests = Array.from({ length: 160 }, async (_, index) =>
      apis[index % apis.length]?.(urls[index % urls.length] ?? '', token, `${index} €`),
    );
    const modest = [1, 2].map(async (index) => apis[0]?.(urls[index] ?? '', otherToken, `modest ${index}`));
    const results = await Promise.all(requests);
    const total = (key: 'passed' | 'refused') =>
      results.reduce((sum, result) => sum + (result?.[key] ?? 0), 0);
    expect({ passed: total('passed'), refused: total('refused') }).toEqual({ passed: 2, refused: 198 });
    expect(await Promise.all(modest)).toEqual([
      { passed: 1, refused: 0 },
      { passed: 1, refused: 0 },
    ]);
  });

  it('spends no unit for a call that lacks a role, a scope or a media, but spends one for a call that probes for records (Contract 8.1.3)', async () => {
    const form = { ...names, salary: 'x' };
    const ask = async (claims: Parameters<typeof first.token>[0], path = jobPath, over = {}) =>
      rest(
        first,
        'POST',
        path,
        { form: { ...form, ...over } },
        { token: await first.token({ sub: 'stranger', ...claims }) },
      );
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await ask({ roles: [] })).status).toBe(401);
      expect((await ask({ scope: 'r_jobs' })).status).toBe(401);
      expect((await ask({}, jobPath, { media_public_id: 'other-media' })).status).toBe(401);
    }
    for (const remaining of ['1', '0']) {
      const late = await ask({ roles: ['media_partner'] }, remaining === '1' ? jobPath : '/jobs/none');
      expect(late.status).toBe(401);
      expect(late.headers.get('ratelimit-remaining')).toBe(remaining);
    }
    expect((await ask({ roles: ['media_partner'] })).status).toBe(429);
    expect((await ask({})).status).toBe(429);
  });

  it('is separate from the quota of queries: a GraphQL reply shows the tightest bucket that the request used (Contract 8.1.2)', async () => {
    const token = await first.token({ sub: 'counted' });
    const query = '{ viewer { subject } references(kind: size) { publicId } }';
    const read = await graphql(first, query, {}, { token });
    expect(read.body.extensions?.rateLimit).toEqual({
      limit: 4,
      remaining: 2,
      resetSeconds: expect.any(Number),
    });
    expect(read.headers.get('ratelimit-remaining')).toBe('2');
    await graphql(first, query, {}, { token });
    const refusal = await graphql(first, '{ viewer { subject } }', {}, { token });
    expect(refusal.status).toBe(429);
    expect(refusal.body.data).toBeUndefined();
    expect(refusal.body.errors).toMatchObject([
      { extensions: { code: 'RATE_LIMITED', error: 'rate-limit-exceeded', status: 429 } },
    ]);
    expect(refusal.headers.get('retry-after')).toBe(refusal.headers.get('ratelimit-reset'));
    expect(refusal.body.extensions?.rateLimit).toMatchObject({ limit: 4, remaining: 0 });
    const none = await graphql(first, '{ __typename }', {}, { token });
    expect(none.headers.has('ratelimit-limit')).toBe(false);
    expect(none.body.extensions).toEqual({ cost: { complexity: 0, units: 0 } });
  });

  it('is separate from the quota of updateCompany, which both APIs share (Contract 8.1.1)', async () => {
    const token = await first.token({ sub: 'of-both' });
    const send = () => rest(first, 'PATCH', '/companies', { form: names }, { token });
    const mutation = `mutation { updateCompany(input: { mediaPublicId: "demo-media", companyPublicId: "acme" }) { company { name } } }`;
    const statuses = [
      (await send()).status,
      (await graphql(first, mutation, {}, { token })).status,
      (await send()).status,
      (await send()).status,
    ];
    expect(statuses).toEqual([201, 200, 201, 429]);
    expect((await rest(first, 'POST', jobPath, { form: { ...names, salary: 'x' } }, { token })).status).toBe(
      200,
    );
  });
});
