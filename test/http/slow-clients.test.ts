import { beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownGateway } from '../support/own-gateway.js';
import { type Client, openClient } from '../support/raw-http.js';
import { until } from '../support/until.js';

const requestTimeoutMs = 600;
/** Generous, for busy machines: only the timeout closes these connections. */
const cutOffMs = 20 * requestTimeoutMs;
const gateway = ownGateway({
  REQUEST_TIMEOUT: `${requestTimeoutMs}ms`,
  BODY_MAX_SIZE: '64KiB',
  LOGO_MAX_SIZE: '256KiB',
  MUTATION_QUOTA: '100000/1s',
});
let token: string;
beforeAll(async () => void (token = await gateway.token()));

const open = (at: { url: string } = gateway): Client => openClient(at);

async function trickle({ socket }: Client, piece: string | Buffer, everyMs: number): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    socket.write(piece);
    await sleep(everyMs);
  }
}

const head = (method: string, path: string, headers: Record<string, string>): string =>
  `${method} ${path} HTTP/1.1\r\nHost: gateway\r\n${Object.entries({
    Authorization: `Bearer ${token}`,
    ...headers,
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

const apis: [string, string, string, Record<string, string>][] = [
  ['JSON over GraphQL', 'POST', '/graphql', { 'Content-Type': 'application/json' }],
  [
    'multipart over GraphQL',
    'POST',
    '/graphql',
    { 'Content-Type': 'multipart/form-data; boundary=x', 'Apollo-Require-Preflight': 'yes' },
  ],
  ['a form over REST', 'PATCH', '/companies', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['JSON over REST', 'POST', '/jobs/acme-backend-engineer', { 'Content-Type': 'application/json' }],
  ['multipart over REST', 'PATCH', '/companies', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ['a body for a path that needs none', 'GET', '/health', { 'Content-Type': 'application/json' }],
];

/** Requests that were too slow to reach a route. */
const unknown = 'method="other",route="none",status="408"';

const countOf = (labels: string) => valueOf(`gateway_request_duration_seconds_count{${labels}}`);

async function valueOf(series: string): Promise<number> {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  const line = metrics.split('\n').find((text) => text.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

describe('client that is too slow', () => {
  it('is cut off if it sends its headers a byte at a time (Contract 8.4.2)', async () => {
    const before = await countOf(unknown);
    const client = open();
    client.socket.write('GET /health HTTP/1.1\r\nHost: gateway\r\n');
    void trickle(client, 'X', 30);
    expect(await client.ended).toBeLessThan(cutOffMs);
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(await countOf(unknown)).toBe(before + 1);
  });

  it('is cut off if it sends nothing, and is not measured as a request (Contract 8.4.2)', async () => {
    const before = await countOf(unknown);
    const client = open();
    expect(await client.ended).toBeLessThan(cutOffMs);
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(await countOf(unknown)).toBe(before);
  });

  it.each([
    ['/graphql', 'POST', 'its body stops', 408],
    ['/graphql', 'POST', 'its chunks cannot be read', 400],
    ['/jobs/acme-backend-engineer', 'POST', 'its body stops', 408],
    ['/companies', 'PATCH', 'its chunks cannot be read', 400],
  ] as const)(
    'or sends unreadable chunks is cut off and measured under its route: %s %s when %s (Contract 7.2.2)',
    async (path, method, how, status) => {
      const route = path.replace('acme-backend-engineer', ':jobPublicId');
      const series = `method="${method}",route="${route}",status="${status}"`;
      const before = await countOf(series);
      const client = open();
      const sent = { 'Content-Type': 'application/json' };
      if (how === 'its body stops')
        client.socket.write(`${head(method, path, { ...sent, 'Content-Length': '100' })}{"query"`);
      else client.socket.write(`${head(method, path, { ...sent, 'Transfer-Encoding': 'chunked' })}none\r\n`);
      expect(await client.ended).toBeLessThan(cutOffMs);
      expect(client.received()).toMatch(
        new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\nconnection: close\r\n`, 'i'),
      );
      await until(async () => (await countOf(series)) === before + 1);
      expect(await countOf(series)).toBe(before + 1);
    },
  );

  it('may be silent for 65 s after a reply', async () => {
    const client = open();
    client.socket.write(head('GET', '/health', {}));
    await sleep(4 * requestTimeoutMs);
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nKeep-Alive: timeout=65\r\n/i);
    expect(client.socket.readyState).toBe('open');
    client.socket.destroy();
  });

  it.each(apis)(
    'is cut off if it sends %s a byte at a time (Contract 8.4.2)',
    async (_name, method, path, headers) => {
      const client = open();
      client.socket.write(head(method, path, { ...headers, 'Content-Length': '60000' }));
      void trickle(client, ' ', 30);
      expect(await client.ended).toBeLessThan(cutOffMs);
      // GET /health needs no body, so it is answered at once.
      const answer = path === '/health' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 408 /;
      expect(client.received()).toMatch(answer);
    },
  );

  it('is cut off if it requests long replies and never reads them', async () => {
    const client = open();
    client.socket.pause();
    // More than the buffers of both sockets hold.
    client.socket.write(head('GET', '/openapi.json', {}).repeat(100));
    await sleep(5 * requestTimeoutMs);
    client.socket.resume();
    expect(await client.ended).toBeLessThan(cutOffMs);
  });

  it('does not delay the replies to other clients (Contract 8.4.2)', async () => {
    const answeredFirst = async () => {
      const slow = Array.from({ length: 50 }, () => open());
      for (const client of slow) {
        client.socket.write('POST /graphql HTTP/1.1\r\n');
        void trickle(client, 'x', 100);
      }
      const ends = slow.map(({ ended }) => ended);
      const health = fetch(`${gateway.url}/health`).then(({ status }) => status);
      const first = await Promise.race([health, ...ends]);
      await Promise.all(ends);
      return first === (await health);
    };
    // Retry: if the machine stalls, the slow clients time out first.
    let isAnswered = false;
    for (let tries = 0; tries < 5 && !isAnswered; tries += 1) isAnswered = await answeredFirst();
    expect(isAnswered).toBe(true);
  });
});
