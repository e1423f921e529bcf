import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { version } from '../../src/settings/version.js';
import {
  endAll,
  freePort,
  root,
  startGatewayProcess,
  startStoreProcess,
  startWithFullDisk,
} from '../support/process.js';
import { ownFolders } from '../support/own-folder.js';
import { until } from '../support/until.js';

const newFolder = ownFolders();
let dataDir: string;

beforeEach(() => void (dataDir = newFolder()));
afterEach(endAll);

it('a gateway that gets SIGTERM during its start exits with 0, and is never ready', async () => {
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir, PORT: '0', MONGODB_URI: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await until(() => output.includes('"starting"'));
  expect(output).toContain(`"version":"${version}"`);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  expect([code, output]).toEqual([0, expect.stringContaining('stopped before it had started')]);
  expect(output).not.toContain('"ready"');
});

describe('log that cannot be written (Contract 9.3.7)', () => {
  it('does not disturb the start, calls or the stop if the disk is full', async () => {
    // The store runs in another process: only the log may hit the file size limit.
    const store = await startStoreProcess(join(dataDir, 'store'));
    const log = join(dataDir, 'log');
    const port = await freePort();
    const child = spawn('bash', ['-c', `ulimit -f 1; exec "$0" dist/main.js >"${log}"`, process.execPath], {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'development',
        NODE_OPTIONS: '',
        DATA_DIR: dataDir,
        PORT: String(port),
        MONGODB_URI: store.url,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const health = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ status }) => status,
        () => child.exitCode ?? 0,
      );
    await until(async () => (await health()) !== 0);
    await until(async () => (await stat(log)).size === 1_024);
    // Wait longer than the gateway holds log lines.
    await sleep(200);
    expect(await health()).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await store.end('SIGKILL');
  });

  it('keeps lines in memory up to a limit, and then says how many are lost, as do the metrics', async () => {
    const gateway = await startGatewayProcess({ DATA_DIR: dataDir });
    const requests = 600;
    gateway.child.stdout?.pause();
    for (let i = 0; i < requests; i++) await fetch(`${gateway.url}/${'a'.repeat(16_000)}`);
    gateway.child.stdout?.resume();
    await until(() => gateway.output().includes('are lost'));
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(await gateway.end('SIGTERM')).toBe(0);
    const lines = gateway.output().match(/"path":"\/a+"/g)?.length;
    const lost = /"lines":(\d+)/.exec(gateway.output())?.[1];
    expect(lines).toBe(requests - Number(lost));
    expect(metrics).toContain(`\ngateway_log_lines_lost_total ${lost}\n`);
  });
});

describe('gateway whose disk is full', () => {
  it.each([40, 56])('names a DATA_DIR whose disk has %d KiB free, less than a start writes', async (kib) => {
    const start = startWithFullDisk({ DATA_DIR: dataDir }, kib);
    await expect(start).rejects.toThrow(
      /^fail {2}database {2}DATA_DIR .* cannot be used: the built-in store could not write.* {2}— .*free space on its disk/m,
    );
  });
});
