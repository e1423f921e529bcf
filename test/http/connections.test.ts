import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fastify, type FastifyInstance } from 'fastify';
import { inLargerPieces } from '../../src/text/read-json.js';
import { boundUnread } from '../../src/http/replies.js';
import { ownGateway } from '../support/own-gateway.js';
import { openClient } from '../support/raw-http.js';
import { until } from '../support/until.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

const multipart = 'multipart/form-data; boundary=x';
const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
describe('query string of a URL', () => {
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'yes' };
    const response = await fetch(gateway.url + path, { headers });
    return { status: response.status, text: await response.text() };
  };
  const companies = '/companies?media-public-id=demo-media&company-public-id=';
  const named = (name: string) =>
    `/graphql?query=${encodeURIComponent('query ($name: String) { companies(mediaPublicId: "demo-media", filter: { name: $name }) { edges { cursor } } }')}` +
    `&variables=%7B%22name%22:%22${name}%22%7D`;

  it.each([companies, named('')])(
    'that is not UTF-8 is refused as body-format-error: %s (Contract 4.3.5)',
    async (path) => {
      const { status, text } = await get(path.includes('%22%22') ? named('caf%e9') : `${path}acm%ff`);
      expect(status).toBe(400);
      expect(text).toContain('"error":"body-format-error"');
    },
  );

  it('is accepted with a percent sign that begins no escape, and with escaped UTF-8', async () => {
    expect((await get(`${companies}100%zz`)).status).toBe(404);
    expect((await get(named('caf%C3%A9'))).status).toBe(200);
  });
});

it('a text may contain U+FFFD in a multipart body, as in JSON', async () => {
  const query =
    '{ jobs(mediaPublicId: "demo-media", filter: { name: "before \uFFFD after" }) { edges { cursor } } }';
  const form = new FormData();
  form.set('operations', JSON.stringify({ query }));
  form.set('map', '{}');
  const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'yes' };
  const reply = await fetch(`${gateway.url}/graphql`, { method: 'POST', body: form, headers });
  expect(await reply.json()).toMatchObject({ data: { jobs: { edges: [] } } });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const inChunks = (text: string) => [...text].map((byte) => `1\r\n${byte}\r\n`).join('');

/** Waits until the gateway has read the beginning of a request. */
async function send(path: string, contentType: string, body: string) {
  const { socket } = openClient(gateway);
  const method = path === '/companies' ? 'PATCH' : 'POST';
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: gateway',
    `Authorization: Bearer ${token}`,
    'Apollo-Require-Preflight: yes',
    `Content-Type: ${contentType}`,
    'Transfer-Encoding: chunked',
  ];
  await new Promise((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n${inChunks(body)}`, resolve));
  await sleep(200);
  await (await fetch(`${gateway.url}/health`)).text();
  return socket;
}

const filler = 'a'.repeat(100_000);

describe('body in one-byte chunks', () => {
  it.each([
    ['JSON over GraphQL', '/graphql', 'application/json', filler],
    ['the operations over GraphQL', '/graphql', multipart, `${part('operations')}${filler}`],
    ['bytes before the operations over GraphQL', '/graphql', multipart, filler],
    ['a form over REST', '/companies', 'application/x-www-form-urlencoded', filler],
    ['a field over REST', '/companies', multipart, `${part('name')}${filler}`],
  ])(
    'of 100 kB takes less than 10 MiB of memory: %s (Contract 8.6.2)',
    async (_what, path, contentType, body) => {
      collectGarbage();
      const before = process.memoryUsage().heapUsed;
      const socket = await send(path, contentType, body);
      collectGarbage();
      const addedMib = (process.memoryUsage().heapUsed - before) / 2 ** 20;
      socket.destroy();
      expect(addedMib).toBeLessThan(10);
    },
  );
});

it('inLargerPieces joins small pieces, passes on large ones, and flushes the last', async () => {
  const joining = inLargerPieces();
  const pieces: string[] = [];
  joining.on('data', (piece: Buffer) => pieces.push(piece.toString()));
  const sent = [...'a'.repeat(600), 'b'.repeat(2_000), 'c'.repeat(3_000), 'd'];
  for (const piece of sent) joining.write(piece);
  await new Promise((resolve) => joining.end(resolve));
  await sleep(0);
  expect(pieces.map(({ length }) => length)).toEqual([512, 2_088, 3_000, 1]);
  expect(pieces.join('')).toBe(sent.join(''));
});

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: gateway\r\n\r\n`;

const underWay = async (): Promise<number> => {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  // Without the request that reads the metrics.
  return Number(/^gateway_requests_in_flight (\d+)/m.exec(text)?.[1]) - 1;
};

describe('pipelined requests (Contract 8.6.10)', () => {
  it('are answered in the order of the requests', async () => {
    const { socket, received } = openClient(gateway);
    socket.write(['/health', '/nothing', '/health'].map(request).join('').repeat(3));
    const statuses = () => [...received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    await until(() => statuses().length >= 9);
    expect(statuses()).toEqual(Array.from({ length: 3 }, () => ['200', '404', '200']).flat());
    socket.destroy();
  });

  const update = async () => {
    const body = JSON.stringify({ media_public_id: 'demo-media', company_public_id: 'acme', salary: 'kept' });
    const token = await gateway.token();
    return (
      'POST /jobs/acme-backend-engineer HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      `Authorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
  const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

  it.each([
    ['bytes that are not a request', '}\r\n\r\n'],
    ['a chunk without a size', `${chunked}zz\r\n`],
    ['headers that are too long', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])(
    'are answered even if followed by %s; then the connection closes (Contract 9.6)',
    async (_what, after) => {
      const { socket, ended, received } = openClient(gateway);
      socket.write((await update()) + after);
      await ended;
      expect(received()).toMatch(/^HTTP\/1\.1 200 [^]*"salary":"kept"/);
    },
  );

  it('no longer count as in flight once their connection is gone', async () => {
    const { socket } = openClient(gateway);
    socket.write((await update()).repeat(20));
    await until(async () => (await underWay()) > 1);
    socket.destroy();
    await until(async () => (await underWay()) === 0);
    expect(await underWay()).toBe(0);
  });

  it('get 503 after the first thousand, and the last reply closes the connection', async () => {
    const { socket, received } = openClient(gateway);
    socket.write(request('/health').repeat(1_001));
    const heads = (): string[] => received().match(/HTTP\/1\.1 \d+|Connection: close/g) ?? [];
    await until(() => heads().includes('HTTP/1.1 503'));
    const served = Array.from({ length: 1_000 }, () => 'HTTP/1.1 200');
    expect(heads()).toEqual([...served, 'Connection: close', 'HTTP/1.1 503', 'Connection: close']);
    socket.destroy();
  });
});

describe('replies that nobody reads', () => {
  let app: FastifyInstance;
  let asked = 0;
  beforeAll(async () => {
    app = fastify();
    const keepUnread = boundUnread(app.server);
    app.addHook('onSend', (_request, reply, payload, done) =>
      done(null, keepUnread(reply.raw, payload, reply.getHeader('content-length'))),
    );
    const piece = Buffer.alloc(2 ** 18);
    app.get<{ Params: { pieces: number } }>('/:pieces', ({ params: { pieces } }, reply) => {
      asked += 1;
      return reply
        .header('content-length', pieces * 2 ** 18)
        .send(Readable.from(Array(Number(pieces)).fill(piece)));
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    return app.close();
  });

  const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)));

  const portOf = ({ server }: FastifyInstance) => (server.address() as AddressInfo).port;

  const sockets: Socket[] = [];
  /** Requests a file for each client, and reads nothing. */
  function ask(clients: number): void {
    for (let opened = 0; opened < clients; opened += 1) {
      const socket = connect(portOf(app), '127.0.0.1').pause();
      socket.on('error', () => undefined).write('GET /100 HTTP/1.1\r\nHost: gateway\r\n\r\n');
      sockets.push(socket);
    }
  }

  it('are cut off when too many clients request a file and read nothing (Contract 8.6.3)', async () => {
    // These 20 MiB are read, so they must not count against the limit of 16 MiB.
    for (let read = 0; read < 20; read += 1) {
      const reply = await fetch(`http://127.0.0.1:${portOf(app)}/4`, { headers: { connection: 'close' } });
      await reply.arrayBuffer();
    }
    asked = 0;
    ask(10);
    await until(() => asked === 10);
    await sleep(3_000);
    expect(await connections()).toBe(10);
    ask(30);
    await until(() => asked === 40);
    await until(async () => (await connections()) <= 16);
    expect(await connections()).toBeGreaterThan(0);
  });
});
