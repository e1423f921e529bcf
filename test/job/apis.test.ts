import { beforeEach, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { copyAllReach } from '../support/reset-records.js';
import { SentCommands } from '../support/sent-commands.js';
import { ofJob as ids, updateJob } from '../support/updates.js';

const sent = new SentCommands();
// With a fixed clock, media and references are read once and no quota window ends.
let now = new Date();
const gateway = ownGateway(
  { ARCHIVER: 'off', UPDATE_JOB_QUOTA: '1000000/1h' },
  { clock: () => now, tracing: sent.tracing },
);
let token: string;
beforeEach(async () => {
  now = new Date();
  token = await gateway.token();
  await gateway.reset();
});

const mutation = `mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }`;

const apis = {
  'POST /jobs/{job_public_id}': async (salary: string) =>
    (await updateJob(gateway, { salary }, { token })).status,
  updateJob: async (salary: string) =>
    (await graphql(gateway, mutation, { input: { ...ids, salary } }, { token })).status,
  'updateJob, by the job’s id alone': async (salary: string) => {
    const input = { jobPublicId: ids.jobPublicId, mediaPublicId: null, companyPublicId: null, salary };
    return (await graphql(gateway, mutation, { input }, { token })).status;
  },
};

/** Charge the quota (Contract 8.1), read job and company (Contract 5.4), write the change (Contract 6.1.4). */
const needed = ['findAndModify quotas', 'aggregate jobs', 'findAndModify jobs'];

describe.each(Object.entries(apis))('an update through %s', (_, update) => {
  it('sends three database commands', async () => {
    await update('first');
    sent.forget();
    expect(await update('second')).toBe(200);
    expect(sent.names).toEqual(needed);
  });

  it('sends two database commands if nothing changes', async () => {
    await update('same');
    sent.forget();
    expect(await update('same')).toBe(200);
    expect(sent.names).toEqual(needed.slice(0, 2));
  });

  it('sends two more commands per 32 updates, to move the history (Contract 6.1.4)', async () => {
    sent.forget();
    for (let count = 0; count < 32; count += 1) expect(await update(`${count}`)).toBe(200);
    const others = sent.names.filter(
      (command) => !needed.includes(command) && !/ (media|references)$/.test(command),
    );
    expect(others).toEqual(['insert history', 'update jobs']);
  });
});

it('a keyed call with only the job’s id is replayed even after the company has left the media (Contract 6.2.1)', async () => {
  const form = { state: 'archived' };
  const ask = () =>
    rest(
      gateway,
      'POST',
      '/jobs/acme-backend-engineer',
      { form },
      { token, headers: { 'idempotency-key': 'k' } },
    );
  const first = await ask();
  expect(first.body.data).toMatchObject({ public_id: 'acme-backend-engineer' });
  await gateway.models.companies.updateOne({ publicId: 'acme' }, { $set: { memberships: [] } });
  const second = await ask();
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
});

const publicId = 'acme-backend-engineer';
const update = { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId: publicId, salary: '1k' };

describe('a job whose company left the media (Contract 3.3.4)', () => {
  beforeEach(async () => {
    const membership = { $pull: { memberships: { media: 'demo-media' } } };
    await gateway.models.companies.updateOne({ publicId: 'acme' }, membership);
    await copyAllReach(gateway.models);
  });

  it.each([
    ['an admin', {}, 'company-not-found', 404],
    [
      'a partner who created it',
      { roles: ['media_partner'], sub: 'partner-a' },
      'unauthorized-limitation',
      401,
    ],
    ['its brand', { roles: ['brand_admin'], brand: 'acme-group' }, 'unauthorized-limitation', 401],
  ])('cannot be read or updated by %s', async (_, claims, code, status) => {
    const token = await gateway.token(claims);
    const one = await graphql(
      gateway,
      '{ job(publicId: "acme-backend-engineer") { managerEmails } }',
      {},
      { token },
    );
    expect(one.body.errors).toMatchObject([{ extensions: { error: 'unauthorized-limitation' } }]);

    const read = await rest(gateway, 'GET', `/jobs/${publicId}`, undefined, { token });
    expect([read.status, read.body.error]).toEqual([401, 'unauthorized-limitation']);

    const list = await graphql(
      gateway,
      '{ jobs(mediaPublicId: "demo-media", first: 100) { edges { node { publicId } } } }',
      {},
      { token },
    );
    expect(JSON.stringify(list.body)).not.toContain('acme-');

    const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { publicId } } }';
    const overGraphQL = await graphql(gateway, mutation, { input: update }, { token });
    expect(overGraphQL.body.errors?.[0]?.extensions.error).toBe(code);
    expect((await updateJob(gateway, { salary: '1k' }, { token })).status).toBe(status);
    expect(await gateway.models.jobs.findOne({ publicId }).lean()).toMatchObject({ version: 1 });
  });
});
