import { expect, it } from '@jest/globals';
import Fastify from 'fastify';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { drain } from '../../src/http/draining.js';

it('drain cuts off an endless reply at the time limit, even while clients keep connecting (Contract 9.3.1)', async () => {
  const app = Fastify();
  app.get('/', (_, reply) => reply.hijack());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const endless = connect(port, '127.0.0.1', () => endless.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  endless.on('error', () => undefined);
  await once(app.server, 'request');
  let isOver = false;
  const keepConnecting = (): void => {
    if (isOver) return;
    const socket = connect(port, '127.0.0.1', () => socket.destroy());
    socket.on('error', () => undefined).on('close', () => setImmediate(keepConnecting));
  };
  for (let count = 0; count < 20; count += 1) keepConnecting();
  const times = { delayMs: 0, idleMs: 60_000, timeoutMs: 2_000 };
  const drained = drain(app, new Set(['endless']), times);
  const first = await Promise.race([drained, sleep(times.timeoutMs + 1_500, 'too late')]);
  isOver = true;
  await drained;
  expect(first).toBe(1);
});

it('drain answers requests on connections that nobody has accepted yet (Contract 9.3.1)', async () => {
  const app = Fastify();
  app.get('/', () => 'answered');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const ask = async () => {
    const socket = connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    return text(socket).catch(String);
  };
  const replies = Array.from({ length: 100 }, ask);
  await drain(app, new Set(), { delayMs: 0, idleMs: 1_000, timeoutMs: 10_000 });
  for (const reply of await Promise.all(replies)) expect(reply).toContain('answered');
});
