import { beforeAll, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';

const commands = new SentCommands();
const gateway = ownGateway({}, { tracing: commands.tracing });
beforeAll(async () => {
  await gateway.models.companies.updateOne(
    { publicId: 'acme' },
    { $pull: { memberships: { media: 'demo-media' } } },
  );
});

const publicId = 'acme-backend-engineer';
const update = { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId: publicId, salary: '1k' };

describe('a job whose company is no longer in the media (Contract 5.6.4)', () => {
  it.each([
    ['an admin', {}, 'company-not-found', 404],
    ['a partner who made it', { roles: ['media_partner'], sub: 'partner-a' }, 'unauthorized-limitation', 401],
    ['its brand', { roles: ['brand_admin'], brand: 'acme-group' }, 'unauthorized-limitation', 401],
  ])('is out of the reach of %s, by whatever query', async (_, claims, code, status) => {
    const token = await gateway.token(claims);
    const one = await graphql(
      gateway,
      '{ job(publicId: "acme-backend-engineer") { managerEmails } }',
      {},
      { token },
    );
    expect(one.body).toMatchObject({
      data: { job: null },
      errors: [{ extensions: { error: 'unauthorized-limitation' } }],
    });

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
    const form = { media_public_id: 'demo-media', company_public_id: 'acme', salary: '1k' };
    expect((await rest(gateway, 'POST', `/jobs/${publicId}`, { form }, { token })).status).toBe(status);
    expect(await gateway.models.jobs.findOne({ publicId }).lean()).toMatchObject({ version: 1 });
  });
});

it.each(['media_admin', 'media_partner'] as const)(
  'a job of another media is not read for a %s: its time would tell that it is there (Contract 5.7)',
  async (role) => {
    const token = await gateway.token({ roles: [role], media: ['demo-media'] });
    commands.forget();
    const { status } = await fetch(`${gateway.url}/jobs/initech-tester`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(401);
    expect(commands.to('jobs').map(({ pipeline }) => (pipeline as unknown[])[0])).toEqual([
      { $match: expect.objectContaining({ publicId: 'initech-tester', media: { $in: ['demo-media'] } }) },
    ]);
  },
);
