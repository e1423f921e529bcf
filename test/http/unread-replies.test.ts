import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundReplyTime } from '../../src/http/time-outs.js';
import { until } from '../support/until.js';

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
