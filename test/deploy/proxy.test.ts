import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogue, graphqlCodeOf } from '../../src/errors/catalogue.js';
import { startTestGateway } from '../support/gateway.js';
import { startNginx } from '../support/nginx.js';
import { sendRaw } from '../support/raw-http.js';
import { has, root } from '../support/process.js';
import { until } from '../support/until.js';
import { ownFolder } from '../support/own-folder.js';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end();
});

/** A port that neither accepts nor refuses connections, like the address of a removed container. */
async function silentPort(): Promise<number> {
  // The system queues connections, so the port goes silent only once the queue is full.
  const script = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    fs.writeSync(1, String(this.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  })`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  undo.push(() => child.kill('SIGKILL'));
  const port = Number(String((await once(child.stdout, 'data'))[0]));
  for (let isTaken = true; isTaken;) {
    const socket: Socket = connect(port, '127.0.0.1').on('error', () => undefined);
    undo.push(() => socket.destroy());
    isTaken = await Promise.race([once(socket, 'connect').then(() => true), sleep(1_000, false)]);
  }
  return port;
}

/** Starts a server in the place of a gateway. Returns its port. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  undo.push(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts nginx in front of gateways, and waits until it answers. Returns its URL. */
async function proxyOf(ports: Parameters<typeof startNginx>[0], change?: string): Promise<string> {
  const { url, end } = await startNginx(ports, change);
  undo.push(end);
  await until(() => fetch(url, { method: 'HEAD' }).then(Boolean, () => false));
  return url;
}

(has('nginx') ? describe : describe.skip)('proxy of deploy/', () => {
  const folder = ownFolder();

  it('uses the other gateway within a second if one address is silent', async () => {
    const other = await serve((_request, response) => response.end('answered'));
    const url = await proxyOf([await silentPort(), other]);
    const ask = () => fetch(url, { method: 'POST', body: 'update' }).then((reply) => reply.text());
    const startedMs = performance.now();
    for (let call = 0; call < 16; call += 1) expect(await ask()).toBe('answered');
    // Every second request tries the silent address first. With a wait of a second each time, the calls would take 8 s.
    expect(performance.now() - startedMs).toBeLessThan(8_000);
  }, 60_000);

  it('logs refusals and slow replies, with the request id, and neither other replies nor queries', async () => {
    const port = await serve(({ url }, response) => {
      response.writeHead(url?.startsWith('/refused') ? 401 : 200, { 'x-request-id': 'r-1' });
      setTimeout(() => response.end(), url?.startsWith('/slow') ? 300 : 0);
    });
    const file = join(folder, 'access.log');
    const url = await proxyOf([port, port], `sed -i 's#[^ ]*access[.]log#${file}#' nginx.conf`);
    for (const path of ['/quick', '/slow', '/refused?key=secret', '/metrics'])
      await (await fetch(`${url}${path}`)).text();
    const logged = async () =>
      (await readFile(file, 'utf8'))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { path: string; status: number; seconds: number });
    // Each worker of nginx writes its own lines, so they can stand in another order than the calls.
    const expected = [
      { method: 'GET', path: '/slow', status: 200, requestId: 'r-1', address: '127.0.0.1' },
      { path: '/refused', status: 401 },
      { path: '/metrics', status: 404 },
    ];
    await until(async () => {
      const paths = (await logged()).map(({ path }) => path);
      return expected.every(({ path }) => paths.includes(path));
    });
    const lines = await logged();
    expect(lines).toEqual(expect.arrayContaining(expected.map((line) => expect.objectContaining(line))));
    // On a busy machine, any call can be slow, or come before nginx is ready.
    for (const line of lines)
      expect([line, line.status >= 400 || line.seconds >= 0.25]).toEqual([line, true]);
    expect(await readFile(file, 'utf8')).not.toContain('secret');
  }, 60_000);

  it('serves the gateways under a path, exposes no metrics, and ignores the address that a caller claims', async () => {
    const port = await serve(({ url, headers }, response) =>
      response.end(`${url} for ${String(headers['x-forwarded-for'])}`),
    );
    const handbook = await readFile(join(root, 'deploy/README.md'), 'utf8');
    const [, change = ''] = /`(sed .*nginx\.conf)`/.exec(handbook) ?? [];
    const url = await proxyOf([port, port], change);
    const ask = async (path: string) => {
      const reply = await fetch(url + path, { headers: { 'x-forwarded-for': '192.0.2.1' } });
      return reply.status === 200 ? reply.text() : reply.status;
    };
    expect(await ask('/gateway/docs')).toBe('/docs for 127.0.0.1');
    const metadata = '/.well-known/oauth-protected-resource';
    expect(await ask(`${metadata}/gateway`)).toBe(`${metadata} for 127.0.0.1`);
    expect([await ask(metadata), await ask(`${metadata}/other`)]).toEqual([404, 404]);
    const escaped = '/jobs/a%2Fb%20%c3%a9?after=%2F';
    expect(await ask(`/gateway${escaped}`)).toBe(`${escaped} for 127.0.0.1`);
    for (const path of [
      '//gateway/metrics',
      '/gateway//metrics',
      '/gateway/%6detrics',
      '/gateway/a/../metrics?x',
    ])
      expect([path, await ask(path)]).toEqual([path, 404]);
    expect([await ask('/gateway/metrics'), await ask('/metrics')]).toEqual([404, 404]);
  }, 60_000);

  it('compresses replies, and conditional requests work with what callers get', async () => {
    const gateway = await startTestGateway({});
    undo.push(() => gateway.stop());
    const port = Number(new URL(gateway.url).port);
    const url = await proxyOf([port, port]);
    const authorization = `Bearer ${await gateway.token()}`;
    const job = (method: string, headers: Record<string, string> = {}) =>
      fetch(`${url}/jobs/acme-backend-engineer`, {
        method,
        headers: { authorization, 'accept-encoding': 'gzip', ...headers },
        ...(method === 'POST' && { body: new URLSearchParams({ salary: '1' }) }),
      });
    const read = await job('GET');
    const etag = read.headers.get('etag') ?? '';
    expect([read.headers.get('content-encoding'), etag.slice(0, 3)]).toEqual(['gzip', 'W/"']);
    expect(read.headers.get('vary')).toContain('Accept-Encoding');
    expect(await read.json()).toHaveProperty('data.name', 'Backend Engineer');
    expect((await job('GET', { 'if-none-match': etag })).status).toBe(304);

    const updated = await job('POST', { 'if-match': etag });
    expect([updated.status, updated.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect((await job('POST', { 'if-match': etag })).status).toBe(412);
    expect((await job('GET', { 'if-none-match': etag })).status).toBe(200);

    const operation = { query: '{ __schema { types { name description } } }' };
    const graph = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(operation),
    });
    expect(graph.headers.get('content-encoding')).toBe('gzip');
    const contract = await fetch(`${url}/contract`, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(contract.headers.get('content-encoding')).toBe('br');
    expect(contract.headers.get('vary')?.match(/Accept-Encoding/g)).toHaveLength(1);
    expect(await (await fetch(`${url}/explorer`)).text()).not.toMatch(/eyJ[\w-]+\./);
  }, 60_000);

  it('answers in the documented form what no gateway answers, with the request id that it logs (Contract 7.2.2, 7.3.1, 8.4.3)', async () => {
    const silent = await serve(() => undefined);
    const file = join(folder, 'own-answers.log');
    const log = `sed -i 's#[^ ]*access[.]log#${file}#; s#proxy_read_timeout 65s#proxy_read_timeout 300ms#' nginx.conf`;
    // Nothing listens at port 1.
    const [slow, refusing] = [await proxyOf([silent, silent], log), await proxyOf([1, 1])];
    const expected = async (
      reply: Response,
      path: string,
      code: 'body-format-error' | 'payload-too-large' | 'service-unavailable',
    ) => {
      const { status, message } = catalogue[code];
      const requestId = reply.headers.get('x-request-id');
      expect([reply.status, reply.headers.get('content-type')]).toEqual([
        status,
        'application/json; charset=utf-8',
      ]);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'cache-control': 'private, no-store',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Retry-After, X-Request-Id',
      });
      expect(reply.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
      const text = expect.stringMatching(`^${message.en.replace(/\.$/, '')}[.:]`);
      expect(await reply.json()).toEqual(
        path.startsWith('/graphql')
          ? {
              errors: [
                {
                  message: text,
                  extensions: { code: graphqlCodeOf(code), error: code, status, requestId },
                },
              ],
            }
          : { status, error: code, errorMessage: text },
      );
      return requestId;
    };
    const ids: (string | null)[] = [];
    for (const path of ['/jobs/a', '/graphql']) {
      const body = 'x'.repeat(9 * 2 ** 20);
      ids.push(await expected(await fetch(slow + path, { method: 'POST', body }), path, 'payload-too-large'));
      ids.push(await expected(await fetch(slow + path), path, 'service-unavailable'));
      await expected(await fetch(refusing + path), path, 'service-unavailable');
      const long = 'x'.repeat(33_000);
      await expected(await fetch(slow + path, { headers: { long } }), path, 'body-format-error');
      await expected(await fetch(`${slow}${path}?${long}`), '', 'body-format-error');
    }
    await until(async () => {
      const lines = await readFile(file, 'utf8');
      return ids.every((id) => id !== null && lines.includes(id));
    });
  }, 60_000);

  it('passes on the refusals of a gateway as they are', async () => {
    const port = await serve(({ url }, response) => {
      response.writeHead(Number(url?.slice(1)) || 200, { 'retry-after': '5' }).end('of the gateway');
    });
    const url = await proxyOf([port, port]);
    for (const status of [413, 502, 503, 504]) {
      const reply = await fetch(`${url}/${status}`, { method: 'POST' });
      expect([reply.status, reply.headers.get('retry-after'), await reply.text()]).toEqual([
        status,
        '5',
        'of the gateway',
      ]);
    }
  }, 60_000);

  it('takes what the gateway takes: the longest token, a page of 100 ids, and a health check over HTTP/1.0 without a host', async () => {
    const gateway = await startTestGateway({ AUTH_FAILURE_QUOTA: '1000/1s' });
    undo.push(() => gateway.stop());
    const port = Number(new URL(gateway.url).port);
    const url = await proxyOf([port, port]);
    const shortest = await gateway.token();
    // Three letters of a claim are four characters of the token.
    const letters = Math.floor(((12_288 - shortest.length) * 3) / 4) - 9;
    const token = await gateway.token({ media: ['demo-media', 'm'.repeat(letters)] });
    expect(token.length).toBeGreaterThan(12_270);
    const ids = Array.from({ length: 100 }, (_, id) => `public-id=${String(id).padStart(80, 'x')}`).join('&');
    const list = `/jobs?media-public-id=demo-media&${ids}`;
    for (const base of [gateway.url, url]) {
      const reply = await fetch(base + list, { headers: { authorization: `Bearer ${token}` } });
      expect([base, reply.status]).toEqual([base, 200]);
      const raw = await sendRaw({ url: base }, 'GET /health HTTP/1.0\r\n\r\n');
      expect([base, raw.status]).toEqual([base, 200]);
    }
  }, 60_000);

  it('passes a path on as it was sent, so that the %2F of an id is not a slash', async () => {
    const port = await serve(({ url }, response) => response.end(url));
    const url = await proxyOf([port, port]);
    const ask = (path: string) => fetch(url + path).then((reply) => reply.text());
    expect(await ask('/jobs/a%2Fb?after=%2F')).toBe('/jobs/a%2Fb?after=%2F');
  }, 60_000);

  describe('shields the gateway from slow callers and pipelining', () => {
    const seen = { now: 0, ever: 0, requests: 0, written: 0 };
    const longReply = Buffer.alloc(4 * 2 ** 20);

    /** Connects to a proxy with timeouts of 1 s, in front of a server that counts requests. */
    async function behindProxy() {
      Object.assign(seen, { now: 0, ever: 0, requests: 0, written: 0 });
      const port = await serve((request, response) => {
        seen.requests += 1;
        seen.now += 1;
        seen.ever = Math.max(seen.ever, seen.now);
        response.once('close', () => (seen.now -= 1));
        response.once('finish', () => (seen.written += 1));
        request.resume();
        setTimeout(() => response.end(request.url === '/long' ? longReply : 'answered'), 50);
      });
      const url = await proxyOf([port, port], "sed -i 's/_timeout 10s/_timeout 1s/' nginx.conf");
      Object.assign(seen, { ever: 0, requests: 0, written: 0 });
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      undo.push(() => socket.destroy());
      let received = '';
      socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
      socket.on('error', () => undefined);
      const closed = once(socket, 'close');
      return { socket, closed, received: () => received };
    }

    it.each([
      ['sends nothing', ''],
      ['stops within the headers', 'GET / HTTP/1.1\r\nHost: a\r\n'],
      ['stops within the body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{'],
    ])(
      'cuts off a caller who %s, and passes no request on',
      async (_what, bytes) => {
        const { socket, closed } = await behindProxy();
        socket.write(bytes);
        await closed;
        expect(seen.requests).toBe(0);
      },
      60_000,
    );
  });
});
