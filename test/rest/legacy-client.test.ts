import { beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownGateway } from '../support/own-gateway.js';
import { rest } from '../support/requests.js';

const gateway = ownGateway({ UPDATE_JOB_QUOTA: '2/1s' });
let token: string;
beforeAll(async () => void (token = await gateway.token()));

/** All that the client knows: JSON by PATCH, the whole job each time, a second of patience on 429. */
async function patchAsEver(jobPublicId: string, job: Record<string, unknown>) {
  for (let patience = 5; patience > 0; patience -= 1) {
    const reply = await rest(gateway, 'PATCH', `/jobs/${jobPublicId}`, { json: job }, { token });
    if (reply.status !== 429) return reply;
    expect(reply.headers.get('retry-after')).toBe('1');
    await sleep(1_000);
  }
  throw new Error('the client ran out of patience');
}

it('a client that PATCHes JSON with the name each time, and waits a second on 429, works unchanged (Contract 4.2.1, 4.2.5, 8.2.1)', async () => {
  const statuses: number[] = [];
  for (let round = 1; round <= 7; round += 1) {
    const { status, body } = await patchAsEver('acme-backend-engineer', {
      media_public_id: 'demo-media',
      company_public_id: 'acme',
      name: 'Backend Engineer',
      state: 'published',
      contract_id: 'permanent',
      salary: `${round} 000 €`,
      description_job: '<p>The same as ever.</p>',
      manager_emails: ['claire.martin@acme.example'],
    });
    statuses.push(status);
    expect(body.warnings).toBeUndefined();
    expect(body.data).toMatchObject({ name: 'Backend Engineer', salary: `${round} 000 €` });
    expect(JSON.stringify(body)).not.toContain('@acme.example');
  }
  expect(statuses).toEqual(Array(7).fill(200));
  const stored = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
  expect(stored).toMatchObject({ salary: '7 000 €', version: 8 });
});

it('no reply of the documented shape holds an e-mail address (Contract 4.2.11.4)', async () => {
  const { status, body } = await patchAsEver('acme-backend-engineer', {
    media_public_id: 'demo-media',
    company_public_id: 'acme',
    manager_emails: 'one@acme.example; two@acme.example',
    recruiter_emails: ['three@acme.example'],
  });
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toContain('@acme.example');
});
