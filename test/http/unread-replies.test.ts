import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundReplyTime } from '../../src/http/time-outs.js';

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

/** How many of so many clients that ask for the file, and read nothing of it, the server has ended after a while. */
async function cutOf(clients: number): Promise<number> {
  const { port } = app.server.address() as AddressInfo;
  const sockets = Array.from({ length: clients }, () => connect(port, '127.0.0.1').pause());
  for (const socket of sockets)
    socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: gateway\r\n\r\n');
  const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)));
  await sleep(3_000);
  const left = await connections();
  for (const socket of sockets) socket.destroy();
  return clients - left;
}

it.each([
  ['a few readers wait', 10, 0],
  ['many are ended until little memory is held', 40, 24],
])(
  'of a file that is read piece by piece, and that nobody reads, %s (Contract 8.6.3)',
  async (_what, clients, cut) => {
    expect(await cutOf(clients)).toBe(cut);
  },
);
