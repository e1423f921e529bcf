import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => gateway.reset());

const ids = { media_public_id: 'demo-media', company_public_id: 'acme' };
const jobPath = '/jobs/acme-backend-engineer';

describe('the token', () => {
  it('in a query string is never looked at (Contract 5.1.1)', async () => {
    for (const name of ['access_token', 'token', 'authorization']) {
      const { status } = await rest(gateway, 'POST', `${jobPath}?${name}=${token}`, { form: ids });
      expect(status).toBe(401);
    }
  });

  it('that is missing or bad refuses a request over REST (Contract 5.1.3)', async () => {
    const missing = await rest(gateway, 'PATCH', '/companies', { form: ids });
    const bad = await rest(gateway, 'PATCH', '/companies', { form: ids }, { token: `${token}x` });
    const headers = { authorization: `Basic eDp5, Bearer ${token}` };
    const second = await rest(gateway, 'PATCH', '/companies', { form: ids }, { headers });
    expect([missing.status, bad.status, second.status]).toEqual([401, 401, 401]);
  });

  it('that is missing leaves unguarded fields of GraphQL; a bad one refuses all (Contract 5.1.3)', async () => {
    const query = '{ __typename viewer { subject } }';
    const missing = await graphql(gateway, query);
    expect(missing.body.data).toEqual({ __typename: 'Query', viewer: null });
    expect(missing.body.errors?.map(({ path, extensions: { code } }) => [path, code])).toEqual([
      [['viewer'], 'UNAUTHENTICATED'],
    ]);
    const bad = await graphql(gateway, query, {}, { token: `${token}x` });
    expect(bad.status).toBe(401);
    expect(bad.body.data).toBeUndefined();
    expect(bad.body.errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
  });
});

describe('several roles', () => {
  it('add up: what any of them allows is allowed (Contract 5.2.2)', async () => {
    const claims = { sub: 'partner-b', brand: 'acme-group' };
    const statusAs = async (roles: string[], media?: string[]) => {
      const as = await gateway.token({ ...claims, roles, media });
      return (await rest(gateway, 'POST', jobPath, { form: ids }, { token: as })).status;
    };
    // The job is neither made by partner-b nor in other-media, but its company is of the brand.
    expect(await statusAs(['media_partner'], ['demo-media'])).toBe(401);
    expect(await statusAs(['brand_admin'])).toBe(200);
    expect(await statusAs(['media_partner', 'brand_admin'], ['demo-media'])).toBe(200);
    expect(await statusAs(['media_partner', 'media_admin'], ['demo-media'])).toBe(200);
    expect(await statusAs(['media_partner', 'unknown'], ['demo-media'])).toBe(401);
  });
});
