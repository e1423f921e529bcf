import { expect, it } from '@jest/globals';
import { ownGateway } from './support/own-gateway.js';

const gateway = ownGateway({
  REQUEST_TIMEOUT: '6d',
  DATABASE_TIMEOUT: '6d',
  DATABASE_POOL_SIZE: '1000',
  ARCHIVE_EVERY: '6d',
  JOB_LIFETIME: '3650d',
  HISTORY_LIFETIME: '3650d',
  UPDATE_JOB_QUOTA: '1000000000/24d',
  MUTATION_QUOTA: '1000000000/24d',
  READ_QUOTA: '1000000000/24d',
  AUTH_FAILURE_QUOTA: '1000000000/24d',
  BODY_MAX_SIZE: '1024MiB',
  LOGO_MAX_SIZE: '1024MiB',
  GRAPHQL_MAX_DEPTH: '100',
  GRAPHQL_MAX_COMPLEXITY: '10000000',
  MAX_IN_FLIGHT: '100000',
});

it('a gateway with the largest value of every setting starts and answers (Contract 11.3)', async () => {
  const { status } = await fetch(`${gateway.url}/jobs/acme-backend-engineer`, {
    headers: { authorization: `Bearer ${await gateway.token()}` },
  });
  expect(status).toBe(200);
});
