import { beforeAll, describe, expect, it } from '@jest/globals';
import { catalogue } from '../../src/errors/catalogue.js';
import { version } from '../../src/settings/version.js';
import { assertDocumented } from '../support/documented-reply.js';
import { ownGateway } from '../support/own-gateway.js';
import { type GraphQLBody } from '../support/requests.js';

const gateway = ownGateway({ NODE_ENV: 'development', AUTH_FAILURE_QUOTA: '1000/1s' });
let token: string;
beforeAll(async () => void (token = await gateway.token()));

async function get(path: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(gateway.url + path);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('operational endpoints', () => {
  it('need no token (Contract 3.1.7, 9.3.1)', async () => {
    const pages = ['/', '/docs', '/explorer', '/contract'];
    for (const path of ['/health', '/ready', '/metrics', '/openapi.json', '/schema.graphql', ...pages])
      expect((await get(path)).status).toBe(200);
    expect((await get(`/logos/${'0'.repeat(64)}`)).status).toBe(404);
  });

  it('/health says that the process is serving, and which version (Contract 9.3.1)', async () => {
    expect((await get('/health')).text).toBe(JSON.stringify({ status: 'ok', version }));
  });

  it('/ready lists each check, and says whether all passed (Contract 9.3.1)', async () => {
    const { status, headers, text } = await get('/ready');
    const body = JSON.parse(text) as { status: string; checks: Record<string, boolean> };
    assertDocumented({ method: 'GET', path: '/ready' }, { status, headers, body });
    expect(body.status).toBe('ready');
    expect(body.checks).toEqual({ accepting: true, database: true, keys: true, archiver: true });
  });

  it('/metrics counts by route, never by the requested path (Contract 9.3.1)', async () => {
    await get('/logos/secret-name');
    const { headers, text } = await get('/metrics');
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    for (const name of [
      'gateway_request_duration_seconds_bucket',
      'gateway_quota_refusals_total',
      'gateway_archiver_lag_seconds',
      `gateway_build_info{version="${version}"} 1`,
      'process_cpu_seconds_total',
    ])
      expect(text).toContain(name);
    expect(text).toContain('route="/logos/:hash"');
    expect(text).not.toContain('secret-name');
  });
});

const { message } = catalogue['method-not-allowed'];
const french = { 'accept-language': 'fr' };

describe('method that a path does not accept', () => {
  it.each([
    ['/health', 'GET, HEAD'],
    ['/ready', 'GET, HEAD'],
    ['/metrics', 'GET, HEAD'],
    ['/openapi.json', 'GET, HEAD'],
    ['/schema.graphql', 'GET, HEAD'],
    [`/logos/${'0'.repeat(64)}`, 'GET, HEAD'],
    ['/docs', 'GET, HEAD'],
    ['/explorer', 'GET, HEAD'],
    ['/companies', 'GET, HEAD, PATCH, POST'],
    ['/jobs/any', 'GET, HEAD, POST, PATCH'],
    ['/references/contract', 'GET, HEAD'],
    ['/references/any', 'GET, HEAD'],
  ])('gets 405 on %s with a REST error and Allow: %s (Contract 7.2.1, 7.2.3)', async (path, allow) => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const reply = await fetch(gateway.url + path, { method, headers: french });
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, allow]);
      expect(await reply.json()).toEqual({
        status: 405,
        error: 'method-not-allowed',
        errorMessage: message.fr,
      });
    }
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s on /graphql gets 405 with a GraphQL error (Contract 7.2.3, 7.2.4, 7.3.1)',
    async (method) => {
      const reply = await fetch(`${gateway.url}/graphql`, { method, headers: french });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, POST']);
      const { errors } = (await reply.json()) as GraphQLBody;
      expect(errors).toEqual([
        {
          message: message.fr,
          extensions: {
            code: 'BAD_USER_INPUT',
            error: 'method-not-allowed',
            status: 405,
            requestId: reply.headers.get('x-request-id'),
            help: `${gateway.url}/errors#method-not-allowed`,
          },
        },
      ]);
    },
  );

  it('HEAD on /graphql gets 405 without a body (Contract 7.2.3)', async () => {
    const reply = await fetch(`${gateway.url}/graphql`, { method: 'HEAD' });
    expect([reply.status, reply.headers.get('allow'), await reply.text()]).toEqual([405, 'GET, POST', '']);
  });
});

const form = 'media_public_id=demo-media&company_public_id=acme';
const job = '/jobs/acme-backend-engineer';
const viewer = `/graphql?query=${encodeURIComponent('{ viewer { subject } }')}`;

async function send(path: string, { body, ...headers }: Record<string, string> = {}): Promise<Headers> {
  const response = await fetch(gateway.url + path, {
    ...(body !== undefined && { method: 'POST', body }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(path.startsWith('/graphql') && { 'apollo-require-preflight': '1' }),
      ...headers,
    },
  });
  await response.arrayBuffer();
  return response.headers;
}

describe('cache-control of a reply to a caller with a token (Contract 4.4.7)', () => {
  it.each([
    ['an updated record with its ETag', job, { body: form }, 'private, no-cache'],
    ['a record that was read', job, {}, 'private, no-cache'],
    ['the result of a dry run', job, { body: form, prefer: 'validate-only' }, 'private, no-store'],
    ['a refused update', job, { body: 'media_public_id=' }, 'private, no-store'],
    [
      'the error for an unreadable body',
      job,
      { body: '%zz', 'content-type': 'application/json' },
      'private, no-store',
    ],
    ['GraphQL data', viewer, {}, 'private, no-store'],
    ['a GraphQL error', '/graphql?query={', {}, 'private, no-store'],
    ['the 404 of an unknown path', '/nothing', {}, 'private, no-store'],
    ['the 405 of a known path', '/references/size', { body: form }, 'private, no-store'],
    ['the error for an invalid token', job, { body: form, authorization: 'Bearer x' }, 'private, no-store'],
  ] as [string, string, Record<string, string>, string][])(
    'keeps %s out of shared caches',
    async (_, path, sent, expected) => {
      expect((await send(path, sent)).get('cache-control')).toBe(expected);
    },
  );

  it.each(['/health', '/metrics'])('is absent on %s, which is public', async (path) => {
    expect((await send(path)).get('cache-control')).toBeNull();
  });
});

describe('reply of /graphql (Contract 4.4.7)', () => {
  it.each([viewer, '/graphql?query={', '/graphql'])('varies by Accept: %s', async (path) => {
    expect((await send(path)).get('vary')).toMatch(/\baccept\b(?!-)/i);
    expect((await send(path, { accept: 'text/html' })).get('vary')).toMatch(/\baccept\b(?!-)/i);
    const refused = await fetch(gateway.url + path, { method: 'DELETE' });
    expect([refused.status, refused.headers.get('vary')]).toEqual([
      405,
      expect.stringMatching(/\baccept\b(?!-)/i),
    ]);
  });
});
