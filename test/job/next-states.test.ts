import { expect, it } from '@jest/globals';
import { jobStates } from '../../src/job/job-choices.rules.js';
import { ownGateway } from '../support/own-gateway.js';
import { dataOf, graphql } from '../support/requests.js';

const now = new Date();
const gateway = ownGateway({ ARCHIVER: 'off' }, { clock: () => now });
const publicId = 'acme-backend-engineer';
const inMs = (ms: number) => new Date(now.getTime() + ms);

it.each([
  ['a draft', 'draft', null],
  ['a published job', 'published', inMs(1)],
  ['a job at its end', 'published', now],
  ['an archived job', 'archived', now],
] as const)(
  'Job.nextStates of %s has the states that an update can move it to (Contract 4.2.5)',
  async (_what, state, expiresAt) => {
    const publishedAt = state === 'draft' ? null : inMs(-1_000);
    await gateway.models.jobs.collection.updateOne({ publicId }, { $set: { state, publishedAt, expiresAt } });
    const token = await gateway.token();
    const document = `{ job(publicId: "${publicId}") { state nextStates } }`;
    type Shown = { job: { state: string; nextStates: string[] } };
    const { job } = await dataOf<Shown>(gateway, document, {}, { token });
    const allowed = [];
    for (const to of jobStates.filter((each) => each !== job.state)) {
      const update = `mutation { updateJob(input: { jobPublicId: "${publicId}", state: ${to} }, dryRun: true) { job { state } } }`;
      const { body } = await graphql(gateway, update, {}, { token });
      if (!body.errors) allowed.push(to);
      else expect(body.errors[0]?.extensions.error).toBe('state-transition-not-allowed');
    }
    expect(job.nextStates).toEqual(allowed);
  },
);
