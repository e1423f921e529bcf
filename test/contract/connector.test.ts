import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { ownGateway } from '../support/own-gateway.js';
import { until } from '../support/until.js';

const count = 100;
const windowMs = 2_000;
const gateway = ownGateway({ MUTATION_QUOTA: `40/${windowMs / 1_000}s`, ARCHIVER: 'off' });

/** Keeps nothing on its own disk: the key of a job is its number in the partner's system. */
const connector = `
const { URL: url, TOKEN: token, COUNT: count } = process.env;
let next = 1, waits = 0, repeated = 0;
async function work() {
  while (next <= count) {
    const number = next++;
    const job = { media_public_id: 'demo-media', company_public_id: 'acme', name: 'Posting ' + number, state: 'published' };
    for (;;) {
      const reply = await fetch(url + '/jobs', {
        method: 'POST',
        headers: {
          authorization: 'Bearer ' + token,
          'content-type': 'application/json',
          'idempotency-key': 'posting-' + number,
        },
        body: JSON.stringify(job),
      });
      if (reply.status === 201) { if (reply.headers.has('idempotency-replayed')) repeated++; break; }
      if (reply.status !== 429 && reply.status !== 503) throw new Error(reply.status + await reply.text());
      waits++;
      await new Promise((resolve) => setTimeout(resolve, reply.headers.get('retry-after') * 1000));
    }
  }
}
await Promise.all([work(), work(), work(), work()]);
console.log(JSON.stringify({ waits, repeated }));
`;

it(`a partner’s connector that is killed and begins again has created each of its ${count} jobs once (Contract 5.5.1, 5.5.4, 6.2.1, 8.1.2)`, async () => {
  const acme = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
  const token = await gateway.token({
    roles: ['media_partner'],
    sub: acme?.createdBy ?? '',
    scope: 'r_w_jobs',
  });
  const start = () =>
    spawn(process.execPath, ['--input-type=module', '-e', connector], {
      env: { ...process.env, NODE_OPTIONS: '', URL: gateway.url, TOKEN: token, COUNT: String(count) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const created = { name: /^Posting / };
  const countCreated = () => gateway.models.jobs.countDocuments(created);

  const killed = start();
  await until(async () => (await countCreated()) >= 20);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await countCreated()).toBeLessThan(count);

  const beganMs = performance.now();
  const whole = start();
  const { waits, repeated } = JSON.parse(await text(whole.stdout)) as Record<string, number>;
  // A slow machine creates so few in a window that none waits.
  if (waits === 0) expect(performance.now() - beganMs).toBeGreaterThan(windowMs);
  expect(repeated).toBeGreaterThanOrEqual(20);
  const jobs = await gateway.models.jobs.find(created).lean();
  expect(new Set(jobs.map(({ name }) => name)).size).toBe(count);
  expect(jobs).toHaveLength(count);
  expect(jobs.every(({ createdBy, version }) => createdBy === acme?.createdBy && version === 1)).toBe(true);
});
