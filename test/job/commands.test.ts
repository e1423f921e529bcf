import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { graphql, rest } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';

let gateway: TestGateway;
let token: string;
const sent = new SentCommands();

beforeAll(async () => {
  // Time stands still: media and references are read once, and no quota's window ends.
  const now = new Date();
  gateway = await startTestGateway(
    { ARCHIVER: 'off', UPDATE_JOB_QUOTA: '1000000/1h' },
    { clock: () => now, tracing: sent.tracing },
  );
  token = await gateway.token();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const ids = { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId: 'acme-backend-engineer' };
const mutation = `mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }`;

const doors = {
  'POST /jobs/{job_public_id}': async (salary: string) => {
    const form = { media_public_id: 'demo-media', company_public_id: 'acme', salary };
    return (await rest(gateway, 'POST', '/jobs/acme-backend-engineer', { form }, { token })).status;
  },
  updateJob: async (salary: string) =>
    (await graphql(gateway, mutation, { input: { ...ids, salary } }, { token })).status,
};

/** None of these can be left out: quota (Contract 8.2), record and company (Contract 4.2), change (Contract 10.1). */
const needed = ['findAndModify quotas', 'aggregate jobs', 'findAndModify jobs'];

describe.each(Object.entries(doors))(
  'the commands that an update through %s sends to the database',
  (_, update) => {
    it('are three', async () => {
      await update('first');
      sent.forget();
      expect(await update('second')).toBe(200);
      expect(sent.names).toEqual(needed);
    });

    it('are one less when nothing changes', async () => {
      await update('same');
      sent.forget();
      expect(await update('same')).toBe(200);
      expect(sent.names).toEqual(needed.slice(0, 2));
    });

    it('are two more in 32, which move the history out of the record (Contract 10.1)', async () => {
      sent.forget();
      for (let count = 0; count < 32; count += 1) expect(await update(`${count}`)).toBe(200);
      const others = sent.names.filter(
        (command) => !needed.includes(command) && !/ (media|references)$/.test(command),
      );
      expect(others).toEqual(['insert history', 'update jobs']);
    });
  },
);
