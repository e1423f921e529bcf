import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { execFile } from 'node:child_process';
import { startEmbeddedStore } from '../../src/database/embedded/server.js';
import { root, type Running, startGatewayProcess } from '../support/process.js';
import { until } from '../support/until.js';
import { ownFolders } from '../support/own-folder.js';

const newFolder = ownFolders();
let folder: string;
let gateway: Running | undefined;
beforeEach(() => void (folder = newFolder()));
afterEach(async () => {
  if (gateway && gateway.child.exitCode === null) await gateway.end('SIGKILL');
});

const runDoctor = (environment: Record<string, string>): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, HOME, NODE_COMPILE_CACHE, DATA_DIR: folder, ...environment };
    execFile('npm', ['run', '--silent', 'doctor'], { cwd: root, env }, (error, output) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output }),
    );
  });

describe('npm run doctor (Contract 11.8)', () => {
  it('does not check the store until the gateway has stopped', async () => {
    gateway = await startGatewayProcess({ DATA_DIR: folder });
    const { port } = new URL(gateway.url);
    const beside = await runDoctor({ PORT: port });
    expect(beside.output).toMatch(/^ok {4}port .*running gateway, which is ready$/m);
    expect(beside.output).toMatch(/^ok {4}database .*in use by a running process/m);
    expect(beside.code).toBe(0);
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200);
    // The doctor warns until the demo's expired job is archived.
    const { url } = gateway;
    await until(async () =>
      /gateway_task_runs_total\{task="archive-expired-jobs",outcome="succeeded"\} [1-9]/.test(
        await (await fetch(`${url}/metrics`)).text(),
      ),
    );
    expect(await gateway.end('SIGTERM')).toBe(0);

    const after = await runDoctor({ PORT: '0' });
    expect(after.output).not.toMatch(/^(warn|fail)/m);
    expect(after.output).toMatch(/^ok {4}indexes /m);
    expect(after.code).toBe(0);
  });

  it('from 50 000 records in the built-in store on, says like the start that it is time for a MongoDB server (Contract 11.8.1)', async () => {
    const insert = async (first: number, last: number) => {
      const store = await startEmbeddedStore({ folder });
      const client = await new MongoClient(store.uri).connect();
      const ids = Array.from({ length: last - first + 1 }, (_, index) => `media-${first + index}`);
      await client
        .db('gateway')
        .collection('media')
        .insertMany(ids.map((publicId) => ({ publicId })));
      await client.close();
      await store.close();
    };
    const message = 'it is time for a MongoDB server';
    await insert(1, 49_999);
    expect((await runDoctor({ PORT: '0' })).output).not.toContain(message);
    await insert(50_000, 50_000);
    expect((await runDoctor({ PORT: '0' })).output).toMatch(
      new RegExp(`^warn {2}database .*${message}`, 'm'),
    );
    gateway = await startGatewayProcess({ DATA_DIR: folder });
    expect(gateway.output()).toContain(message);
  });

  it('exits with 1 if the gateway could not start', async () => {
    const { code, output } = await runDoctor({ NODE_ENV: 'production' });
    expect(output).toMatch(/^fail {2}settings {2}MONGODB_URI: required/m);
    expect(code).toBe(1);
  });
});
