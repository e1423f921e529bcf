import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parseSettings } from '../../src/settings.js';
import { type Running, startGatewayProcess } from '../support/process.js';
import { graphql, rest } from '../support/requests.js';
import { tokenFactory } from '../support/tokens.js';

let dataDir: string;
const running: Running[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-process-'));
});
afterEach(async () => {
  for (const gateway of running.splice(0)) {
    const { child } = gateway;
    if (child.exitCode === null && child.signalCode === null) await gateway.end('SIGKILL');
  }
  await rm(dataDir, { recursive: true, force: true });
});

async function start(environment: Record<string, string> = {}): Promise<Running> {
  const gateway = await startGatewayProcess({ DATA_DIR: dataDir, ...environment });
  running.push(gateway);
  return gateway;
}

const token = async () => (await tokenFactory(parseSettings({ DATA_DIR: dataDir })))();
const jobQuery = `query ($id: String!) { job(publicId: $id) { state salary publishedAt expiresAt version } }`;
const jobOf = async (gateway: Running, id: string) =>
  (await graphql(gateway, jobQuery, { id }, { token: await token() })).body.data?.job as Record<
    string,
    unknown
  >;

describe('a first start on the built-in store (Contract 11.3)', () => {
  it('prints where everything is, and two calls that succeed when pasted as they are', async () => {
    const gateway = await start();
    for (let waits = 0; waits < 200 && !gateway.output().includes('/companies -H'); waits += 1)
      await sleep(10);
    const calls = gateway.output().match(/^curl .*$/gm) ?? [];
    expect(calls).toHaveLength(2);
    const answers = await Promise.all(
      calls.map(
        async (call) => JSON.parse((await promisify(execFile)('bash', ['-c', call])).stdout) as unknown,
      ),
    );
    expect(answers[0]).toMatchObject({ data: { updateJob: { job: { salary: '55 000 €' } } } });
    expect(answers[1]).toMatchObject({ status: 201, company: { name: 'Acme' } });
  });

  it('keeps what it acknowledged when it is killed and started again', async () => {
    const first = await start();
    const form = { media_public_id: 'demo-media', company_public_id: 'acme', salary: '77k' };
    expect(
      (await rest(first, 'POST', '/jobs/acme-backend-engineer', { form }, { token: await token() })).status,
    ).toBe(200);
    await first.end('SIGKILL');
    const second = await start();
    expect(await jobOf(second, 'acme-backend-engineer')).toMatchObject({ salary: '77k', version: 2 });
  });

  it('refuses a second process on the same folder, and says that the folder is in use', async () => {
    await start();
    await expect(start()).rejects.toThrow(/in use/);
  });

  it('ends with 0 on SIGTERM', async () => {
    const gateway = await start();
    expect(await gateway.end('SIGTERM')).toBe(0);
  });
});

describe('the lifetime of a job (Contract 3.3)', () => {
  it('with JOB_LIFETIME=5s a published job is archived by the task, and never read as published after 5 s', async () => {
    const gateway = await start({ JOB_LIFETIME: '5s', ARCHIVE_EVERY: '1s' });
    const form = { media_public_id: 'demo-media', company_public_id: 'acme', state: 'published' };
    const { body } = await rest(
      gateway,
      'POST',
      '/jobs/acme-office-manager',
      { form },
      { token: await token() },
    );
    const endsAt = new Date(body.data?.publishedAt as string).getTime() + 5_000;

    let isStored = false;
    while (!isStored && Date.now() < endsAt + 6_000) {
      const askedAt = Date.now();
      const job = await jobOf(gateway, 'acme-office-manager');
      if (askedAt >= endsAt) expect(job.state).toBe('archived');
      if (Date.now() < endsAt) expect(job.state).toBe('published');
      // The update made version 2, the task makes version 3.
      isStored = job.version === 3;
      await sleep(100);
    }
    expect(isStored).toBe(true);
  });
});

describe('what cannot start (Contract 11.4)', () => {
  it('production without MONGODB_URI and keys says why, all reasons at once', async () => {
    await expect(start({ NODE_ENV: 'production', PORT: 'x' })).rejects.toThrow(
      /PORT: [^]*MONGODB_URI: [^]*JWT_JWKS_URL or JWT_KEY_FILE: /,
    );
  });
});
