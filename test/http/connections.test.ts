import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify, type FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import { boundReplyTime } from '../../src/http/time-outs.js';
import { ownGateway } from '../support/own-gateway.js';
import { until } from '../support/until.js';

const gateway = ownGateway();

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: gateway\r\n\r\n`;

function open() {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, closed, received: () => received };
}

const underWay = async (): Promise<number> => {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  // The request for the metrics is one.
  return Number(/^gateway_requests_in_flight (\d+)/m.exec(text)?.[1]) - 1;
};

describe('requests sent ahead on a connection (Contract 8.6.10)', () => {
  it('are answered in their order', async () => {
    const { socket, received } = open();
    socket.write(['/health', '/nothing', '/health'].map(request).join('').repeat(3));
    const statuses = () => [...received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    await until(() => statuses().length >= 9);
    expect(statuses()).toEqual(Array.from({ length: 3 }, () => ['200', '404', '200']).flat());
    socket.destroy();
  });

  it.each([
    ['bytes that are no request', '}\r\n\r\n'],
    ['a chunk without a size', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a header that is too long', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('are answered although %s came after them, and then it ends (Contract 9.6)', async (_what, after) => {
    const { socket, closed, received } = open();
    const body = JSON.stringify({ media_public_id: 'demo-media', company_public_id: 'acme', salary: 'kept' });
    const token = await gateway.token();
    socket.write(
      'POST /jobs/acme-backend-engineer HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
        `Authorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}${after}`,
    );
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 200 [^]*"salary":"kept"/);
  });

  it('may be ten beside the one under way', async () => {
    const most = open();
    most.socket.write(request('/health').repeat(11));
    await until(() => most.received().split('HTTP/1.1 200').length > 11);
    expect(most.received().split('HTTP/1.1 200')).toHaveLength(12);
    most.socket.destroy();
    const more = open();
    more.socket.write(request('/health').repeat(12));
    await more.closed;
    expect(more.received()).toBe('');
  });

  it('cut the connection when they are more than ten, and leave nothing under way', async () => {
    const { socket, closed } = open();
    socket.pause();
    socket.write(request('/openapi.json').repeat(2_000));
    await Promise.race([closed, sleep(5_000, undefined, { ref: false })]);
    expect(socket.destroyed).toBe(true);
    await until(async () => (await underWay()) === 0);
    expect(await underWay()).toBe(0);
  });
});

describe('replies that nobody reads', () => {
  let app: FastifyInstance;
  let asked = 0;
  beforeAll(async () => {
    app = fastify();
    boundReplyTime(app, 600_000);
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
  /** Asks for the file over so many connections, and reads nothing of it. */
  function ask(clients: number): void {
    for (let opened = 0; opened < clients; opened += 1) {
      const socket = connect(portOf(app), '127.0.0.1').pause();
      socket.on('error', () => undefined).write('GET /100 HTTP/1.1\r\nHost: gateway\r\n\r\n');
      sockets.push(socket);
    }
  }

  it('of many who ask for a file and read nothing, all but a few are cut off after a second (Contract 8.6.3)', async () => {
    // More than may be unread, where each file counts a MiB. What has been read counts no more: nobody who reads later has
    // only a second for it.
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
