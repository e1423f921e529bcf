import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNginx } from '../support/nginx.js';
import { has } from '../support/process.js';
import { until } from '../support/until.js';

/** What a test has started and must end, also when it fails: the last first. */
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end();
});

/** A port that answers no connection, not even by refusing it, as the address of a container that is gone. */
async function silentPort(): Promise<number> {
  // The system accepts connections for a process that takes none, until the queue is full.
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

(has('nginx') ? describe : describe.skip)('the proxy of deploy/', () => {
  it('asks the other gateway at once where the address of one is silent: each second request took a second more', async () => {
    const other = createServer((_request, response) => response.end('answered')).listen(0, '127.0.0.1');
    undo.push(() => other.close());
    await once(other, 'listening');
    const { url, end } = await startNginx([await silentPort(), (other.address() as AddressInfo).port]);
    undo.push(end);
    const ask = () => fetch(url, { method: 'POST', body: 'update' }).then((reply) => reply.text());
    await until(() => ask().then(Boolean, () => false));
    const startedMs = performance.now();
    for (let call = 0; call < 16; call += 1) expect(await ask()).toBe('answered');
    // Every second one would have waited a second.
    expect(performance.now() - startedMs).toBeLessThan(8_000);
  }, 60_000);
});
