import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, type GraphQLBody, type Reply, rest, type RestBody } from '../support/requests.js';
import { parseSettings } from '../../src/settings/settings.js';
import { startTestGateway } from '../support/gateway.js';
import { openSeverableDatabase } from '../support/severable.js';
import { badTokens, tokenFactory } from '../support/tokens.js';
import { until } from '../support/until.js';

describe('authentication', () => {
  const gateway = ownGateway();
  let token: string;
  beforeAll(async () => void (token = await gateway.token()));
  beforeEach(() => gateway.reset());

  const ids = { media_public_id: 'demo-media', company_public_id: 'acme' };
  const jobPath = '/jobs/acme-backend-engineer';

  describe('a token', () => {
    it('is ignored in a query string (Contract 3.1.1)', async () => {
      for (const name of ['access_token', 'token', 'authorization']) {
        const { status } = await rest(gateway, 'POST', `${jobPath}?${name}=${token}`, { form: ids });
        expect(status).toBe(401);
      }
    });

    it('may be missing for unguarded GraphQL fields, but an invalid token fails every field (Contract 3.1.8)', async () => {
      const query = '{ __typename viewer { subject } }';
      const missing = await graphql(gateway, query);
      expect(missing.body.data).toEqual({ __typename: 'Query', viewer: null });
      expect(missing.body.errors?.map(({ path, extensions: { code } }) => [path, code])).toEqual([
        [['viewer'], 'UNAUTHENTICATED'],
      ]);
      const bad = await graphql(gateway, query, {}, { token: `${token}x` });
      expect(bad.status).toBe(401);
      expect(bad.body.data).toBeUndefined();
      expect(bad.body.errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
    });
  });
});

it('JWT_ISSUER and JWT_AUDIENCE say whose tokens count, and for whom (Contract 3.1.2)', async () => {
  const gateway = await startTestGateway({ JWT_ISSUER: 'urn:own', JWT_AUDIENCE: 'urn:us' });
  const { wrongIssuer, wrongAudience } = await badTokens(gateway.settings);
  const { jwtIssuer, jwtAudience } = parseSettings({});
  const [ofDefaultIssuer, forDefaultAudience] = await Promise.all(
    [{ jwtIssuer }, { jwtAudience }].map(async (other) =>
      (await tokenFactory({ ...gateway.settings, ...other }))(),
    ),
  );
  const statusOf = async (token: string) =>
    (await graphql(gateway, '{ viewer { subject } }', {}, { token })).status;
  expect(await statusOf(await gateway.token())).toBe(200);
  for (const token of [wrongIssuer, wrongAudience, ofDefaultIssuer, forDefaultAudience])
    expect(await statusOf(token!)).toBe(401);
  await gateway.stop();
});

describe('the limit on failed authentications', () => {
  const form = { media_public_id: 'demo-media', company_public_id: 'acme' };

  /** With CORS_ORIGINS, the CORS plugin routes every OPTIONS request. */
  const proxied = ownGateway({
    AUTH_FAILURE_QUOTA: '3/1m',
    CORS_ORIGINS: 'https://front.example',
    TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
  });
  let gateway = proxied;
  let from: Record<string, string>;
  let addresses = 0;
  beforeEach(() => {
    gateway = proxied;
    from = { 'x-forwarded-for': `198.51.100.${(addresses += 1)}` };
  });

  const viaRest = (token?: string, headers = from) =>
    rest(gateway, 'PATCH', '/companies', { form }, { token, headers });
  const viaGraphQL = (token?: string, headers = from) =>
    graphql(gateway, '{ viewer { subject } }', {}, { token, headers });

  describe('for one address', () => {
    it('counts missing, malformed, expired and badly signed tokens over both APIs together (Contract 8.1.3)', async () => {
      const { expired, wrongKey } = await badTokens(gateway.settings);
      const taken: Reply<RestBody | GraphQLBody>[] = [
        await viaRest(),
        await viaGraphQL(expired),
        await viaGraphQL(),
      ];
      expect(taken.map(({ status }) => status)).toEqual([401, 401, 401]);
      for (const headers of taken.map((reply) => reply.headers)) {
        expect(headers.has('retry-after')).toBe(false);
        expect(headers.has('ratelimit-limit')).toBe(false);
      }

      const overRest = [await viaRest(), await viaRest(wrongKey), await viaRest('no token at all')];
      for (const { status, headers, body } of overRest) {
        expect(status).toBe(429);
        expect(body).toEqual({
          status: 429,
          error: 'rate-limit-exceeded',
          errorMessage: 'Too many requests. Please try again later.',
        });
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
      }
      for (const { status, headers, body } of [await viaGraphQL(expired), await viaGraphQL()]) {
        expect(status).toBe(429);
        expect(body.errors).toMatchObject([
          {
            extensions: {
              code: 'RATE_LIMITED',
              error: 'rate-limit-exceeded',
              status: 429,
              requestId: headers.get('x-request-id'),
            },
          },
        ]);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
      }
    });

    it('never blocks a valid token, or a request that needs no token (Contract 8.1.3)', async () => {
      for (let failure = 0; failure < 10; failure += 1) await viaRest();
      const token = await gateway.token();
      expect((await viaRest(token)).status).toBe(201);
      expect((await viaGraphQL(token)).status).toBe(200);
      expect((await graphql(gateway, '{ __typename }', {}, { headers: from })).status).toBe(200);
      // Too little scope is a failure of the subject, not of the address.
      expect((await viaRest(await gateway.token({ scope: '' }))).status).toBe(401);
    });

    it('counts a document once, however many fields need a token (Contract 8.1.3)', async () => {
      const query = '{ a: viewer { subject } b: viewer { subject } c: viewer { subject } }';
      const ask = async () => (await graphql(gateway, query, {}, { headers: from })).status;
      for (let turn = 0; turn < 3; turn += 1) expect(await ask()).toBe(401);
      expect(await ask()).toBe(429);
    });

    it('counts a refused field even if another field has spent a unit, and runs the other field (Contract 8.1.3)', async () => {
      // Such refusals count by subject. No other test uses this subject.
      const token = await gateway.token({ sub: 'spender', media: ['demo-media'] });
      const update = (media: string) =>
        `updateCompany(input: { mediaPublicId: "${media}", companyPublicId: "acme" }) { company { name } }`;
      for (let count = 1; count <= 5; count += 1) {
        const mutation = `mutation { spends: ${update('demo-media')} refused: ${update('elsewhere')} }`;
        const { body } = await graphql(gateway, mutation, {}, { token, headers: from });
        expect(body.data).toMatchObject({ spends: { company: { name: 'Acme' } }, refused: null });
        expect(body.errors?.map(({ extensions }) => extensions.error)).toEqual([
          count <= 3 ? 'unauthorized-limitation' : 'rate-limit-exceeded',
        ]);
      }
    });
  });

  describe('without a proxy', () => {
    beforeEach(async () => {
      gateway = await startTestGateway({ AUTH_FAILURE_QUOTA: '3/1m' });
      from = {};
    });
    afterEach(() => gateway.stop());

    it('counts a caller who hangs up within a body, although the socket has lost its address (Contract 8.1.3, 8.2.4)', async () => {
      const { hostname, port } = new URL(gateway.url);
      for (let turn = 0; turn < 3; turn += 1) {
        const socket = connect(Number(port), hostname);
        const head = `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`;
        await new Promise((written) => socket.write(head, written));
        await sleep(50);
        socket.destroy();
      }
      await until(async () => (await viaGraphQL()).status === 429);
    });

    it('ignores an X-Forwarded-For that no trusted proxy has set (Contract 8.1.3)', async () => {
      const claim = (address: string) => ({ 'x-forwarded-for': address });
      for (let turn = 0; turn < 3; turn += 1) await viaRest(undefined, claim(`192.0.2.${turn}`));
      expect((await viaRest(undefined, claim('192.0.2.9'))).status).toBe(429);
    });
  });

  describe('for paths and methods that do not exist', () => {
    it.each([
      ['a missing path', 'GET', '/nowhere', 404],
      ['a missing logo', 'GET', `/logos/${'0'.repeat(64)}`, 404],
      ['an unsupported method over GraphQL', 'PUT', '/graphql', 405],
    ])(
      'counts %s: the fourth %s %s gets 429 instead of %d, and valid requests pass (Contract 8.1.3)',
      async (_name, method, path, status) => {
        const token = await gateway.token();
        const ask = async () => {
          const reply = await fetch(gateway.url + path, {
            method,
            headers: { authorization: `Bearer ${token}`, ...from },
          });
          return { reply, text: await reply.text() };
        };
        for (let turn = 0; turn < 3; turn += 1) expect((await ask()).reply.status).toBe(status);
        const { reply, text } = await ask();
        expect([reply.status, Number(reply.headers.get('retry-after')) > 50]).toEqual([429, true]);
        expect(text).toContain('rate-limit-exceeded');
        expect((await viaRest(undefined, from)).status).toBe(429);
        expect((await viaRest(token, from)).status).toBe(201);
        expect((await fetch(`${gateway.url}/health`, { headers: from })).status).toBe(200);
      },
    );
  });

  describe('behind a trusted proxy', () => {
    it('counts by the last address in X-Forwarded-For that is not a proxy (Contract 8.1.3)', async () => {
      const from = (address: string) => ({ 'x-forwarded-for': address });
      for (let turn = 0; turn < 3; turn += 1)
        await viaRest(undefined, from(`203.0.113.${turn}, 192.0.2.1, 10.1.2.3`));
      expect((await viaRest(undefined, from('192.0.2.1'))).status).toBe(429);
      expect((await viaRest(undefined, from('192.0.2.2, 10.1.2.3'))).status).toBe(401);
      expect((await viaGraphQL(undefined, from('192.0.2.1'))).status).toBe(429);
    });
  });
});

it('while the database is away, a call gets 401 without a token and 503 with a token (Contract 3.3.6, 7.1.1)', async () => {
  const database = await openSeverableDatabase();
  const gateway = await startTestGateway({ ARCHIVER: 'off' }, { database });
  try {
    const token = await gateway.token();
    const statusesOf = async (options: { token?: string }) => {
      const replies = await Promise.all([
        graphql(gateway, '{ job(publicId: "acme-backend-engineer") { name } }', {}, options),
        rest(gateway, 'GET', '/jobs/acme-backend-engineer', undefined, options),
      ]);
      return replies.map(({ status }) => status);
    };
    expect(await statusesOf({ token })).toEqual([200, 200]);
    database.way.sever();
    await until(async () => (await statusesOf({ token })).every((status) => status === 503));
    expect(await statusesOf({})).toEqual([401, 401]);
  } finally {
    await gateway.stop();
  }
});
