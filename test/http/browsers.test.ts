import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../../src/errors/catalogue.js';
import { printOpenApi } from '../../src/rest/openapi.js';
import { type TestGateway } from '../support/gateway.js';
import { ownGateways } from '../support/own-gateway.js';
import { until } from '../support/until.js';

let gateway: TestGateway;
const gatewayOf = ownGateways();
const start = async (environment?: Record<string, string>) => {
  gateway = await gatewayOf(environment);
  return gateway.url;
};

/** The headers in the OpenAPI document, except Cache-Control, which pages may always read. */
const { paths } = JSON.parse(printOpenApi()) as {
  paths: Record<string, Record<string, { responses?: Record<string, { headers?: object }> }>>;
};
const documented = {
  answered: Object.values(paths)
    .flatMap((operations) =>
      Object.values(operations).flatMap(({ responses = {} }) => Object.values(responses)),
    )
    .flatMap(({ headers = {} }) => Object.keys(headers).map((name) => name.toLowerCase()))
    .filter((name) => name !== 'cache-control'),
};

/** The tracer of a page adds `baggage` and `sentry-trace`. */
const asked =
  'apollographql-client-name,authorization,baggage,content-type,idempotency-key,if-match,prefer,sentry-trace,traceparent';

const preflight = (url: string, origin: string, method = 'POST') =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': asked,
    },
  });

describe('web page (Contract 8.4.4)', () => {
  it('from a configured origin may call both APIs and read the documented headers', async () => {
    const url = await start({ CORS_ORIGINS: 'https://front.example/, https://other.example' });
    for (const [path, method] of [
      ['/graphql', 'POST'],
      ['/companies', 'PATCH'],
      ['/jobs/acme-backend-engineer', 'POST'],
      ['/jobs/acme-backend-engineer', 'GET'],
    ] as const) {
      const reply = await preflight(url + path, 'https://front.example', method);
      expect(reply.status).toBe(204);
      expect(reply.headers.get('access-control-allow-origin')).toBe('https://front.example');
      expect(reply.headers.get('access-control-allow-methods')).toContain(method);
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
      expect(reply.headers.get('access-control-allow-headers')).toBe(asked);
      expect(reply.headers.get('vary')?.toLowerCase().split(', ')).toEqual(
        expect.arrayContaining(['origin', 'access-control-request-headers']),
      );
    }
    const form = new URLSearchParams({ media_public_id: 'demo-media', company_public_id: 'acme' });
    const { headers } = await fetch(`${url}/companies`, {
      method: 'PATCH',
      body: form,
      headers: { origin: 'https://front.example', authorization: `Bearer ${await gateway.token()}` },
    });
    expect(headers.get('access-control-allow-origin')).toBe('https://front.example');
    expect(headers.get('vary')?.toLowerCase().split(', ').sort()).toEqual(['accept-language', 'origin']);
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
    expect(exposed).toEqual(expect.arrayContaining(documented.answered));
  });

  it.each([
    ['an origin that is not configured', { CORS_ORIGINS: 'https://front.example' }, 'https://evil.example'],
    ['a longer host', { CORS_ORIGINS: 'https://front.example' }, 'https://front.example.evil.example'],
    ['another scheme', { CORS_ORIGINS: 'https://front.example' }, 'http://front.example'],
    ['the origin null', { CORS_ORIGINS: 'https://front.example' }, 'null'],
    ['any origin if none is configured', {}, 'https://front.example'],
    ['Apollo’s studio outside development', {}, 'https://studio.apollographql.com'],
  ])('may not call from %s', async (_name, environment, origin) => {
    const url = await start(environment);
    for (const path of ['/graphql', '/companies', '/jobs/any', '/health']) {
      const { headers } = await preflight(url + path, origin);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    const simple = await fetch(`${url}/health`, { headers: { origin } });
    expect(simple.headers.has('access-control-allow-origin')).toBe(false);
  });

  it.each([
    'http://localhost:3000',
    'https://localhost',
    'http://127.0.0.1:5173',
    'http://[::1]:8080',
    'http://app.localhost:1',
  ])('may call from %s only in development', async (origin) => {
    for (const environment of ['development', 'test']) {
      const url = await start({ NODE_ENV: environment });
      const { headers } = await preflight(`${url}/companies`, origin, 'PATCH');
      const expected = environment === 'development' ? origin : null;
      expect(headers.get('access-control-allow-origin')).toBe(expected);
    }
  });

  it.each([{}, { origin: 'https://evil.example', 'access-control-request-method': 'GET' }])(
    'gets 404 for OPTIONS with %j on an unknown path (Contract 7.2.2, 7.2.4)',
    async (headers) => {
      const url = await start({ CORS_ORIGINS: 'https://front.example' });
      const { fr } = catalogue['not-found'].message;
      const counted = async () => {
        const series = 'gateway_request_duration_seconds_count{method="OPTIONS",route="*",status="404"} ';
        const metrics = await (await fetch(`${url}/metrics`)).text();
        return Number(metrics.split(series)[1]?.split('\n')[0] ?? 0);
      };
      const before = await counted();
      const ask = async (path: string) => {
        const reply = await fetch(url + path, {
          method: 'OPTIONS',
          headers: { ...headers, 'accept-language': 'fr', 'content-type': 'application/json' },
          body: '{bad',
        });
        return reply.json();
      };
      const answer = { status: 404, error: 'not-found', errorMessage: fr };
      expect(await ask(`/nope?${'x'.repeat(10_000)}`)).toEqual(answer);
      await until(async () => (await counted()) >= before + 1);
      expect(await counted()).toBe(before + 1);
    },
  );

  it('may read the 404 of an unknown path (Contract 7.2.2)', async () => {
    const url = await start({ CORS_ORIGINS: 'https://front.example' });
    expect((await preflight(`${url}/nope`, 'https://front.example', 'GET')).status).toBe(204);
    const reply = await fetch(`${url}/nope`, { headers: { origin: 'https://front.example' } });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([
      404,
      'https://front.example',
    ]);
  });
});

describe('every reply (Contract 8.4.4)', () => {
  it('forbids browsers to frame it, sniff its type or send a referrer', async () => {
    const url = await start();
    for (const path of ['/health', '/graphql?query={__typename}', '/nowhere', '/companies', '/logos/none']) {
      const { headers } = await fetch(url + path, { headers: { 'apollo-require-preflight': 'yes' } });
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.has('strict-transport-security')).toBe(false);
      expect(headers.has('x-powered-by')).toBe(false);
      expect(headers.has('server')).toBe(false);
    }
  });

  it('has HSTS if PUBLIC_URL begins with https:', async () => {
    const url = await start({ PUBLIC_URL: 'https://gateway.example' });
    const { headers } = await fetch(`${url}/health`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });
});
