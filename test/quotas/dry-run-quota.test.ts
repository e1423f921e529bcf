import { expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { updateCompany } from '../support/updates.js';

const gateway = ownGateway({ READ_QUOTA: '12/1m', UPDATE_JOB_QUOTA: '1/1m', MUTATION_QUOTA: '1/1m' });
const path = '/jobs/acme-backend-engineer';
const document = `mutation ($input: UpdateJobInput!, $dryRun: Boolean!) {
  updateJob(input: $input, dryRun: $dryRun) { job { salary } }
}`;

it('a dry run of updateJob spends 5 units of the read quota, over REST and GraphQL, and none of its own (Contract 8.2.3)', async () => {
  const token = await gateway.token();
  const updateRest = (headers = {}) =>
    rest(gateway, 'POST', path, { json: { salary: '1k' } }, { token, headers });
  const updateGraphQL = (dryRun: boolean) =>
    graphql(
      gateway,
      document,
      { input: { jobPublicId: 'acme-backend-engineer', salary: '1k' }, dryRun },
      { token },
    );
  const left = ({ headers, status }: { headers: Headers; status: number }) => [
    status,
    ...['limit', 'remaining'].map((part) => Number(headers.get(`ratelimit-${part}`))),
  ];
  expect(left(await updateRest({ prefer: 'validate-only' }))).toEqual([200, 12, 7]);
  expect(left(await updateGraphQL(true))).toEqual([200, 12, 2]);
  const { status, headers } = await updateRest({ prefer: 'validate-only' });
  expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  expect(left(await updateGraphQL(false))).toEqual([200, 1, 0]);
  expect((await updateRest()).status).toBe(429);
});

it('a dry run of updateCompany spends what the update spends (Contract 8.2.3)', async () => {
  const token = await gateway.token({ sub: 'another' });
  const update = () => updateCompany(gateway, {}, { token, headers: { prefer: 'validate-only' } });
  expect((await update()).headers.get('ratelimit-limit')).toBe('1');
  expect((await update()).status).toBe(429);
});
