import { beforeEach, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';

let token: string;
let subjects = 0;

const gateway = ownGateway({
  AUTH_FAILURE_QUOTA: '3/1m',
  UPDATE_JOB_QUOTA: '2/1m',
  MUTATION_QUOTA: '3/1m',
  READ_QUOTA: '4/1m',
  TRUSTED_PROXIES: '127.0.0.1',
});
beforeEach(async () => {
  subjects += 1;
  token = await gateway.token({ sub: `subject-${subjects}` });
});

interface Call {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body: string;
}

const json = { 'content-type': 'application/json' };
const document = (query: string, variables = {}): Call => ({ body: JSON.stringify({ query, variables }) });
const updateJob = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { name } } }';
const jobs = '/jobs/acme-backend-engineer';
const fields = { media_public_id: 'demo-media', company_public_id: 'acme' };
const keyed = (key: string, salary: string): Call => ({
  path: jobs,
  headers: { 'idempotency-key': key },
  body: JSON.stringify({ ...fields, salary }),
});

async function statusesOf(call: Call, times: number, authorization: Record<string, string>) {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const { method = 'POST', path = '/graphql', headers, body } = call;
    const response = await fetch(gateway.url + path, {
      method,
      headers: { ...json, ...headers, ...authorization },
      body,
    });
    statuses.push(response.status);
    if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return statuses;
}

describe('a request refused before its operation runs (Contract 8.2.6)', () => {
  it.each<[string, Call]>([
    ['invalid variables', document(updateJob, { input: { nothing: 1 } })],
    ['an unknown field', document('{ nothing }')],
    ['a syntax error', document('{')],
    ['no document', { body: '{}' }],
    ['an unreadable body', { body: '{' }],
    ['a batch', { body: '[{"query":"{ __typename }"}]' }],
  ])('counts as a failed authentication of its address if it has no token: %s', async (_name, call) => {
    const from = { 'x-forwarded-for': `192.0.2.${(subjects += 1)}` };
    expect(await statusesOf(call, 5, from)).toEqual([400, 400, 400, 429, 429]);
    expect(await statusesOf(document('{ viewer { subject } }'), 1, from)).toEqual([429]);
    expect(
      await statusesOf(document('{ viewer { subject } }'), 1, { ...from, authorization: `Bearer ${token}` }),
    ).toEqual([200]);
  });

  it.each<[string, Call, number, number]>([
    ['invalid variables of updateJob', document(updateJob, { input: { x: 1 } }), 400, 2],
    [
      'invalid variables of updateCompany',
      document(
        'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }',
      ),
      400,
      3,
    ],
    ['an unknown field', document('{ nothing }'), 400, 4],
    ['an invalid literal of updateJob', document('mutation { updateJob(input: 1) { warnings } }'), 400, 2],
    [
      'an updateJob in a fragment',
      document('mutation { ...inside } fragment inside on Mutation { updateJob(input: 1) { warnings } }'),
      400,
      2,
    ],
    [
      'a recursive fragment',
      document('mutation { ...inside } fragment inside on Mutation { ...inside }'),
      400,
      3,
    ],
    ['a subscription', document('subscription { updateJob }'), 400, 4],
    [
      'null for a variable with a default',
      document(
        'mutation ($dryRun: Boolean = false) { updateJob(input: { mediaPublicId: "demo-media", companyPublicId: "acme", jobPublicId: "acme-backend-engineer" }, dryRun: $dryRun) { job { name } } }',
        {
          dryRun: null,
        },
      ),
      200,
      2,
    ],
    [
      'a GraphQL upload without its file',
      {
        headers: { 'content-type': 'multipart/form-data; boundary=x', 'apollo-require-preflight': 'yes' },
        body: [
          [
            'operations',
            JSON.stringify({
              query:
                'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }',
              variables: { input: { mediaPublicId: 'demo-media', companyPublicId: 'acme', logo: null } },
            }),
          ],
          ['map', '{"0":["variables.input.logo"]}'],
        ]
          .map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
          .join('')
          .concat('--x--\r\n'),
      },
      200,
      3,
    ],
    ['an unreadable body over GraphQL', { body: '{' }, 400, 4],
    ['a batch', { body: '[{"query":"{ __typename }"}]' }, 400, 4],
    ['an unreadable body for a job', { path: jobs, body: '{' }, 400, 2],
    ['an unreadable body for a company', { method: 'PATCH', path: '/companies', body: '[' }, 400, 3],
    [
      'an unsupported content type over GraphQL',
      { headers: { 'content-type': 'text/plain', 'apollo-require-preflight': 'yes' }, body: 'x' },
      415,
      4,
    ],
    [
      'an unsupported content type over REST',
      { path: jobs, headers: { 'content-type': 'text/plain' }, body: 'x' },
      415,
      2,
    ],
    ['a malformed idempotency key over REST', keyed('k'.repeat(256), '1'), 422, 2],
    [
      'a malformed idempotency key over GraphQL',
      document(
        'mutation ($input: UpdateJobInput!) { updateJob(input: $input, idempotencyKey: "é") { job { name } } }',
        {
          input: {
            mediaPublicId: 'demo-media',
            companyPublicId: 'acme',
            jobPublicId: 'acme-backend-engineer',
          },
        },
      ),
      200,
      2,
    ],
  ])("spends a unit of its operation's quota if it has a token: %s", async (_name, call, status, units) => {
    const authorization = { authorization: `Bearer ${token}` };
    const refused = Array<number>(units).fill(status);
    expect(await statusesOf(call, units + 2, authorization)).toEqual([...refused, 429, 429]);
  });

  it.each(['{', '[{"query":"{ __typename }"}]', '{"query":"{"}', '{}'])(
    'gets the quota bucket in the reply body: %s (Contract 8.2.4)',
    async (body) => {
      const headers = { ...json, authorization: `Bearer ${token}` };
      const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body });
      expect(await response.json()).toMatchObject({
        extensions: { rateLimit: { limit: 4, remaining: 3, resetSeconds: expect.any(Number) } },
      });
    },
  );

  it('spends a unit before its identifiers are checked (Contract 7.6.1)', async () => {
    const authorization = { authorization: `Bearer ${token}` };
    const unnamed = {
      path: jobs,
      body: JSON.stringify({ media_public_id: 'demo-media', company_public_id: '' }),
    };
    expect(await statusesOf(unnamed, 4, authorization)).toEqual([422, 422, 429, 429]);
    const nameless = {
      path: '/companies',
      method: 'PATCH',
      body: JSON.stringify({ media_public_id: 'demo-media' }),
    };
    expect(await statusesOf(nameless, 5, authorization)).toEqual([422, 422, 422, 429, 429]);
  });

  it('spends a unit if its idempotency key was used with another body', async () => {
    const authorization = { authorization: `Bearer ${token}` };
    expect(await statusesOf(keyed('once', '1'), 1, authorization)).toEqual([200]);
    expect(await statusesOf(keyed('once', '2'), 3, authorization)).toEqual([422, 429, 429]);
  });

  it('spends a unit for each call of a document, even with a refused idempotency key', async () => {
    const update = (name: string, rest = '') =>
      `${name}: updateCompany(input: { mediaPublicId: "demo-media", companyPublicId: "acme" } ${rest}) { company { name } }`;
    const refused = ['a', 'b'].map((name) => update(name, 'idempotencyKey: "é"'));
    const query = `mutation { ${update('done')} ${refused.join(' ')} }`;
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
    expect(response.headers.get('ratelimit-remaining')).toBe('0');
    expect(await response.json()).toMatchObject({
      data: { done: { company: {} } },
      errors: [
        { path: ['a'], extensions: { error: 'validation-failed' } },
        { path: ['b'], extensions: { error: 'validation-failed' } },
      ],
    });
  });

  it('gets the headers of its bucket, even once the bucket is empty', async () => {
    const remaining: (string | null)[] = [];
    for (let count = 0; count < 3; count += 1) {
      const headers = { ...json, authorization: `Bearer ${token}` };
      const response = await fetch(gateway.url + jobs, { method: 'POST', headers, body: '{' });
      remaining.push(response.headers.get('ratelimit-remaining'));
    }
    expect(remaining).toEqual(['1', '0', '0']);
  });
});

describe('a call beyond the authority of its token', () => {
  const foreign = { ...fields, media_public_id: 'elsewhere', salary: '1' };
  it.each<[string, Call, number, string]>([
    ['a REST update in another media', { path: jobs, body: JSON.stringify(foreign) }, 401, 'r_w_jobs'],
    ['a query without its scope', document('{ references(kind: contract) { publicId } }'), 200, ''],
    [
      'a query in another media',
      document('{ jobs(mediaPublicId: "elsewhere") { edges { cursor } } }'),
      200,
      'r_jobs',
    ],
  ])(
    'counts as a failure of its subject, whatever its address, and spends no unit: %s (Contract 7.6.2, 8.3)',
    async (_name, call, status, scope) => {
      const sub = `subject-${subjects}`;
      const authorization = { authorization: `Bearer ${await gateway.token({ sub, scope })}` };
      const from = (index: number) => ({ ...authorization, 'x-forwarded-for': `198.51.100.${index}` });
      const statuses = [];
      for (let index = 0; index < 5; index += 1) statuses.push(...(await statusesOf(call, 1, from(index))));
      expect(statuses).toEqual([status, status, status, 429, 429]);
      const response = await fetch(gateway.url + (call.path ?? '/graphql'), {
        method: 'POST',
        headers: { ...json, ...authorization },
        body: call.body,
      });
      expect([response.status, response.headers.get('ratelimit-limit')]).toEqual([429, null]);
      const own = document('{ viewer { quotas { name remaining } } }');
      expect(await statusesOf(own, 4, authorization)).toEqual([200, 200, 200, 200]);
    },
  );
});
