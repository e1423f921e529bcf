import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { once } from 'node:events';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parse, validate } from 'graphql';
import { ensureDevelopmentKey } from '../../src/tokens/key-development.js';
import { catalogue, errorCodes } from '../../src/errors/catalogue.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { readExamples } from '../../src/pages/example-operations.js';
import { readGatewayError } from '../../schema/client/src/gateway-error.js';
import { type TestGateway } from '../support/gateway.js';
import { root } from '../support/process.js';
import { ownGateways } from '../support/own-gateway.js';
import { type PrefixProxy, startPrefixProxy } from '../support/prefix.js';
import { graphql } from '../support/requests.js';
import { ownFolder } from '../support/own-folder.js';

const folder = ownFolder();

const gatewayOf = ownGateways();
const start = async (environment: Record<string, string>): Promise<string> =>
  (await gatewayOf(environment)).url;

async function startInProduction(environment: Record<string, string> = {}): Promise<string> {
  return start({ NODE_ENV: 'production', JWT_KEY_FILE: await ensureDevelopmentKey(folder), ...environment });
}

/** Sends headers that fetch would drop. */
async function open(url: string, headers: Record<string, string> = {}) {
  const sent = request(url, { headers: { accept: 'text/html', ...headers } }).end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: reply.statusCode, headers: reply.headers, text: await text(reply) };
}

const pages = ['/graphql', '/explorer', '/docs'];

const addressesIn = (html: string, page: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, address = '']) => new URL(address, page).href);
const links = /<a href="([^"]+)"/g;
const files = /<(?:script|link)[^>]* (?:src|href)="(?!data:)([^"]+)"/g;
const tokenPattern = /eyJ[\w-]+\.[\w-]+\./;

describe('token in a page', () => {
  it('is included in development on a loopback address, under any name of this machine', async () => {
    const url = await start({ NODE_ENV: 'development' });
    for (const page of pages) {
      expect((await open(url + page)).text).toMatch(tokenPattern);
      expect((await open(url + page, { host: 'localhost:4000' })).text).toMatch(tokenPattern);
    }
  });

  it.each([
    ['under a foreign host name of this machine', { host: 'evil.example' }],
    ['for a script of another origin', { origin: 'https://studio.apollographql.com' }],
    ['through a proxy', { 'x-forwarded-for': '192.0.2.1' }],
  ])('is left out %s', async (_name, headers) => {
    const url = await start({ NODE_ENV: 'development' });
    for (const page of pages) {
      const { status, text: html } = await open(url + page, headers);
      expect(status).toBe(200);
      expect(html).not.toMatch(tokenPattern);
    }
  });

  it.each([
    ['when others can reach HOST', { NODE_ENV: 'development', HOST: '0.0.0.0' }],
    ['when others can reach PUBLIC_URL', { NODE_ENV: 'development', PUBLIC_URL: 'https://gateway.example' }],
    ['outside development', { NODE_ENV: 'test' }],
  ])('is left out %s', async (_name, environment) => {
    const url = (await start(environment)).replace('0.0.0.0', '127.0.0.1');
    for (const page of pages) expect((await open(url + page)).text).not.toMatch(tokenPattern);
  });
});

describe('pages in production', () => {
  it('include only pages that need no introspection, and contain no token', async () => {
    const url = await startInProduction();
    for (const path of ['/', '/docs', '/errors', '/contract', '/handbook', '/client', '/changelog']) {
      const page = await open(url + path);
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(tokenPattern);
    }
    expect((await open(`${url}/explorer`)).status).toBe(404);
    expect((await open(`${url}/schema.graphql`)).status).toBe(404);
    const sandbox = await open(`${url}/graphql`);
    expect(sandbox.headers['content-type']).toMatch(/^application\/json/);
    expect(sandbox.status).toBe(400);
  });

  it('include the explorer if introspection is on, but not Sandbox', async () => {
    const url = await startInProduction({ INTROSPECTION: 'on' });
    const explorer = await open(`${url}/explorer`);
    expect(explorer.status).toBe(200);
    expect(explorer.text).not.toMatch(tokenPattern);
    expect((await open(`${url}/graphql`)).status).toBe(400);
  });
});

describe('text pages', () => {
  it('/ links to exactly the pages and APIs that are on', async () => {
    const url = await start({ NODE_ENV: 'development' });
    const { status, headers, text: html } = await open(`${url}/`);
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const addresses = addressesIn(html, `${url}/`, links);
    const sites = ['/', '/explorer', '/docs', '/errors', '/contract', '/client', '/handbook', '/changelog'];
    const others = ['/graphql', '/openapi.json', '/schema.graphql'];
    const named = addresses.filter((address) => !address.includes('/assets/licences-'));
    expect(new Set(named.map((address) => address.replace(/#.*/, '')))).toEqual(
      new Set([...sites, ...others].map((path) => url + path)),
    );
    for (const address of addresses) expect((await open(address)).status).toBe(200);
  });

  it.each([{}, { INTROSPECTION: 'on' }])(
    '/ marks the place of the token, and its links work, in production with %j',
    async (environment) => {
      const url = await startInProduction(environment);
      const { text: html } = await open(`${url}/`);
      expect(html).toContain('<mark>$TOKEN</mark>');
      expect(html.includes('/explorer')).toBe('INTROSPECTION' in environment);
      const addresses = addressesIn(html, `${url}/`, links);
      expect(addresses).toContain(`${url}/docs`);
      for (const address of addresses)
        expect([address, (await open(address)).status]).toEqual([address, 200]);
    },
  );

  it('/contract has each statement, with its number as id', async () => {
    const url = await start({});
    const { text: html } = await open(`${url}/contract`);
    const ids = [...html.matchAll(/ id="([\d.]+)"/g)].map(([, id = '']) => id);
    const stated = [
      ...(await readFile(join(root, 'schema/contract.md'), 'utf8')).matchAll(/^- \*\*([\d.]+)\*\*/gm),
    ];
    expect(stated.length).toBeGreaterThan(150);
    expect(ids).toEqual(expect.arrayContaining(stated.map(([, number]) => number)));
  });

  it.each(['/errors', '/contract', '/handbook', '/client'])(
    '%s has contents, and each link leads somewhere',
    async (page) => {
      const url = await start({});
      const { text: html } = await open(url + page);
      expect(html).toContain('<nav class="contents" aria-label="Contents">');
      const { text: contract } = await open(`${url}/contract`);
      const hrefs = [...html.matchAll(links)].map(([, href = '']) => href);
      expect(hrefs.length).toBeGreaterThan(3);
      for (const href of hrefs) {
        const [path, id] = href.split('#');
        if (/^https?:/.test(href)) continue;
        if (path) expect([href, (await open(new URL(path, url + page).href)).status]).toEqual([href, 200]);
        const target = path === './contract' ? contract : html;
        if (id && (!path || path === './contract'))
          expect([href, target.includes(` id="${id}"`)]).toEqual([href, true]);
      }
    },
  );

  it.each(['/contract', '/handbook', '/client', '/openapi.json', '/schema.graphql'])(
    '%s is compressed, and is 304 to those that have it',
    async (path) => {
      const url = await start({ NODE_ENV: 'development' });
      const { headers: plain, text: whole } = await open(url + path);
      expect(plain['content-encoding']).toBeUndefined();
      expect(plain.vary).toMatch(/Accept-Encoding/);
      for (const [accepted, encoding, decode] of [
        ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
        ['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
      ] as const) {
        const sent = request(url + path, { headers: { 'accept-encoding': accepted } }).end();
        const [message] = (await once(sent, 'response')) as [IncomingMessage];
        expect(message.headers).toMatchObject({ 'content-encoding': encoding, etag: plain.etag });
        expect(decode(await buffer(message)).toString()).toBe(whole);
      }
      expect(await open(url + path, { 'if-none-match': String(plain.etag) })).toMatchObject({
        status: 304,
        text: '',
      });
    },
  );

  it('answers a browser that asks for an unknown path with a page, and others as documented', async () => {
    const url = await start({});
    for (const path of ['/no', '/no/such/page']) {
      const { status, headers, text: html } = await open(url + path);
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      for (const address of [
        ...addressesIn(html, url + path, links),
        ...addressesIn(html, url + path, files),
      ])
        expect([address, (await open(address)).status]).toEqual([address, 200]);
      for (const accept of ['*/*', 'application/json'])
        expect(JSON.parse((await open(url + path, { accept })).text)).toMatchObject({ error: 'not-found' });
    }
    expect(JSON.parse((await open(`${url}/logos/none`)).text)).toMatchObject({ error: 'not-found' });
  });

  it.each(['schema.graphql', 'openapi.json', 'records.schema.json'])(
    '%s cites no statement of the contract',
    async (name) => {
      expect(await readFile(join(root, 'schema', name), 'utf8')).not.toMatch(/\bContract \d/);
    },
  );
});

describe('/errors', () => {
  it.each(errorCodes)(
    'says what causes %s, what to do, whether to repeat, and shows a call',
    async (code) => {
      const { text: html } = await open(`${await start({})}/errors`);
      const [chapter = ''] = html.split(`<h2 id="${code}">`)[1]?.split('</section>') ?? [];
      expect(chapter).toContain(`<b>${catalogue[code].status}</b> ${catalogue[code].message.en}`);
      for (const part of ['Cause:', 'What to do:', 'Repeat it?'])
        expect(chapter).toContain(`<strong>${part}</strong>`);
      const [request = '', reply = ''] = [...chapter.matchAll(/<pre[^]*?<\/pre>/g)].map(([each]) =>
        each.replace(/<[^>]*>/g, ''),
      );
      expect(request).toMatch(/^(GET|POST|PATCH|DELETE) \$BASE_URL\//m);
      expect(reply).toContain(`HTTP/1.1 ${catalogue[code].status}`);
      expect(reply).toContain(`"error": "${code}"`);
    },
  );

  it('is where each refusal of a development server leads, over REST by a header', async () => {
    const url = await start({ NODE_ENV: 'development' });
    for (const [path, code] of [
      ['/companies', 'unauthorized-limitation'],
      ['/nowhere', 'not-found'],
      ['/health?a=%FF', 'body-format-error'],
    ] as const) {
      const { headers, text: body } = await open(url + path, { accept: 'application/json' });
      expect(headers.link).toBe(`<${url}/errors#${code}>; rel="help"`);
      expect(Object.keys(JSON.parse(body) as object)).toEqual(['status', 'error', 'errorMessage']);
    }
    expect((await open(`${url}/errors`)).status).toBe(200);
  });

  it('is where each refusal of a development server leads, over GraphQL by extensions.help', async () => {
    const gateway = await gatewayOf({ NODE_ENV: 'development' });
    for (const [query, code] of [
      ['{ viewer { subject } }', 'unauthorized-limitation'],
      ['{ nothing }', 'validation-failed'],
    ] as const) {
      const { body } = await graphql(gateway, query);
      const help = `${gateway.url}/errors#${code}`;
      expect(body.errors).toMatchObject([{ extensions: { help } }]);
      expect(readGatewayError(body.errors?.[0])).toMatchObject({ error: code, help });
    }
  });

  it.each([{}, { NODE_ENV: 'production' }])('is not named by refusals elsewhere: %j', async (environment) => {
    const url = await ('NODE_ENV' in environment ? startInProduction() : start({}));
    expect((await open(`${url}/companies`)).headers.link).toBeUndefined();
    const sent = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ viewer { subject } }"}',
    });
    expect(readGatewayError(((await sent.json()) as { errors: unknown[] }).errors[0])).toMatchObject({
      error: 'unauthorized-limitation',
      help: null,
    });
  });
});

describe('pages built from installed packages', () => {
  it.each(['/explorer', '/docs'])(
    '%s blocks content from other machines, and its files are compressed and cached',
    async (page) => {
      const url = await start({});
      const { headers, text: html } = await open(url + page);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe('no-store');
      // The only inline script is data.
      expect(html.match(/<script(?![^>]*src=)[^>]*>/g)).toEqual([
        '<script type="application/json" id="page-data">',
      ]);
      const assets = addressesIn(html, url + page, files);
      expect(assets.length).toBeGreaterThan(1);
      for (const address of assets) {
        const asset = await fetch(address, { headers: { 'accept-encoding': 'br' } });
        expect(asset.status).toBe(200);
        expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
        expect(asset.headers.get('content-encoding')).toBe('br');
        await asset.arrayBuffer();
      }
    },
  );

  it('/assets/ answers range and conditional requests as documented (Contract 7.2.2)', async () => {
    const url = await start({});
    const { text: html } = await open(`${url}/docs`);
    const [asset = ''] = addressesIn(html, `${url}/docs`, /src="([^"]+)"/g);
    const whole = (await open(asset)).text.length;
    for (const range of ['bytes=0-9', 'bytes=99999999-']) {
      const { status, headers, text: content } = await open(asset, { range });
      expect([status, headers['accept-ranges'], content.length]).toEqual([200, undefined, whole]);
    }
    for (const condition of [
      { 'if-match': '"x"' },
      { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ])
      expect(JSON.parse((await open(asset, condition)).text)).toEqual({
        status: 412,
        error: 'version-conflict',
        errorMessage: catalogue['version-conflict'].message.en,
      });
  });

  it('/assets/ answers not-found for any path but its files', async () => {
    const url = await start({});
    for (const path of [
      '/assets/',
      '/assets/none.js',
      '/assets/..%2fassets.json',
      '/assets/%2e%2e/assets.json',
    ]) {
      const { status, text: body } = await open(url + path, { accept: '*/*' });
      expect({ path, status, error: (JSON.parse(body) as { error: string }).error }).toEqual({
        path,
        status: 404,
        error: 'not-found',
      });
    }
  });
});

describe('pages behind a proxy that serves the gateway under a path', () => {
  let proxy: PrefixProxy;
  let gatewayUrl: string;
  beforeAll(async () => {
    proxy = await startPrefixProxy(() => gatewayUrl);
    gatewayUrl = await start({ NODE_ENV: 'development', PUBLIC_URL: proxy.url });
  });
  afterAll(() => proxy.stop());

  it.each([
    '/',
    '/errors',
    '/contract',
    '/handbook',
    '/client',
    '/docs',
    '/explorer',
    '/graphql',
    '/no/page',
  ])('each link and file of %s lies under that path and exists', async (path) => {
    const page = proxy.url + path;
    const { status, text: html } = await open(page);
    expect(status).toBe(path === '/no/page' ? 404 : 200);
    const own = [...addressesIn(html, page, links), ...addressesIn(html, page, files)].filter(
      (address) => new URL(address).origin === new URL(proxy.url).origin,
    );
    expect(own.length).toBeGreaterThan(0);
    for (const address of new Set(own.map((each) => each.split('#')[0] ?? '')))
      expect([address, (await open(address)).status]).toEqual([address, 200]);
    expect(proxy.strayed).toEqual([]);
  });

  it('/ names the address that callers use', async () => {
    const { text: html } = await open(`${proxy.url}/`);
    expect(html).toContain(`<code>${proxy.url}</code>`);
  });

  it('/openapi.json is the committed file with PUBLIC_URL as its server (Contract 1.4)', async () => {
    const served = JSON.parse((await open(`${proxy.url}/openapi.json`)).text) as { servers: object[] };
    const committed = JSON.parse(await readFile(join(root, 'schema/openapi.json'), 'utf8')) as {
      servers: object[];
    };
    expect(served).toEqual({ ...committed, servers: [{ ...committed.servers[0], url: proxy.url }] });
  });
});

/** Chromium's Accept header when it opens an address. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';

interface SandboxConfig {
  initialState: { document: string; variables: Record<string, unknown>; headers?: Record<string, string> };
  runTelemetry: boolean;
}

const configOf = (html: string): SandboxConfig =>
  JSON.parse(/embeddedSandboxConfig = (.*);/.exec(html)?.[1] ?? '') as SandboxConfig;

describe('GET /graphql in a browser', () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await gatewayOf({ NODE_ENV: 'development' })));

  it('shows Apollo Sandbox with the examples, their variables and a working token', async () => {
    const reply = await fetch(`${gateway.url}/graphql`, { headers: { accept } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('vary')?.toLowerCase().split(', ')).toContain('accept');
    const { initialState, runTelemetry } = configOf(await reply.text());
    const { document, variables, operations } = readExamples();
    expect(initialState).toMatchObject({ document, variables });
    expect(runTelemetry).toBe(false);

    const token = initialState.headers?.Authorization?.replace(/^Bearer /, '');
    for (const { document: operation, variables: own } of operations) {
      const { body } = await graphql(gateway, operation, own, { token });
      expect(body.errors).toBeUndefined();
    }
  });

  it('shows a valid document of named operations', () => {
    const { document, operations } = readExamples();
    expect(validate(buildSchema(), parse(document))).toEqual([]);
    expect(operations.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['UpdateJob', 'UpdateCompany', 'Jobs', 'Viewer']),
    );
    // A narrow editor hides the end of longer lines.
    expect(document.split('\n').filter((line) => line.length > 40)).toEqual([]);
  });

  it('still answers operations, behind the CSRF guard', async () => {
    const headers = { accept, 'apollo-require-preflight': 'yes' };
    const operation = await fetch(`${gateway.url}/graphql?query={__typename}`, { headers });
    expect(await operation.json()).toMatchObject({ data: { __typename: 'Query' } });
    expect((await fetch(`${gateway.url}/graphql?query={__typename}`, { headers: { accept } })).status).toBe(
      400,
    );
  });

  it('does not show Sandbox to a caller that sends an operation in any form or prefers JSON', async () => {
    const typeOf = async (search: string, accepted: string) => {
      const headers = { accept: accepted, 'apollo-require-preflight': '1' };
      return (await fetch(`${gateway.url}/graphql${search}`, { headers })).headers.get('content-type');
    };
    const extensions = encodeURIComponent('{"persistedQuery":{"version":1,"sha256Hash":"0"}}');
    for (const search of ['?query={__typename}', '?documentId=0', `?extensions=${extensions}`])
      expect(await typeOf(search, accept)).toMatch(/^application\/json;/);
    const json = 'application/json; charset=utf-8';
    const graphqlJson = 'application/graphql-response+json; charset=utf-8';
    for (const [accepted, type] of [
      ['application/json, text/html;q=0.1', json],
      ['text/html;q=0', json],
      ['*/*', json],
      ['text/html;q=0.8, application/graphql-response+json', graphqlJson],
      ['text/html', 'text/html; charset=utf-8'],
      ['text/html, application/json;q=0.9', 'text/html; charset=utf-8'],
    ] as const)
      expect([accepted, await typeOf('', accepted)]).toEqual([accepted, type]);
  });
});
