import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundReplyTime } from '../../src/http/time-outs.js';
import { until } from '../support/until.js';

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  boundReplyTime(app, 600_000);
  app.get('/', (_request, reply) => {
    const file = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(2 ** 18)));
    return reply.header('content-length', 100 * 2 ** 18).send(file);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)));

/** Asks for the file over so many connections, and reads nothing of it. */
function ask(clients: number): Socket[] {
  const { port } = app.server.address() as AddressInfo;
  return Array.from({ length: clients }, () => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: gateway\r\n\r\n');
    return socket;
  });
}

it('of many who ask for a file and read nothing, all but a few are cut off after a second (Contract 8.6.3)', async () => {
  const few = ask(10);
  await sleep(3_000);
  expect(await connections()).toBe(10);
  const many = ask(30);
  await until(async () => (await connections()) <= 16);
  expect(await connections()).toBe(16);
  for (const socket of [...few, ...many]) socket.destroy();
});
