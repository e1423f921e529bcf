import { describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';

const gateway = ownGateway({
  READ_QUOTA: '9/60s',
  UPDATE_JOB_QUOTA: '2/60s',
  MUTATION_QUOTA: '5/60s',
});

describe('viewer (Contract 4.4.3)', () => {
  it('tells who calls, with which roles, scopes and reach, until when, and what is left of the quotas', async () => {
    const token = await gateway.token({ sub: 'me', brand: 'acme-group', roles: ['brand_admin', 'made_up'] });
    const query = '{ viewer { subject roles scopes media brand expiresAt quotas { name limit remaining } } }';
    const { body } = await graphql(gateway, query, {}, { token });
    const { viewer } = body.data as { viewer: { expiresAt: string } };
    expect(viewer).toEqual({
      subject: 'me',
      roles: ['brand_admin'],
      scopes: ['r_w_jobs', 'r_w_companies'],
      media: ['demo-media'],
      brand: 'acme-group',
      expiresAt: viewer.expiresAt,
      quotas: [
        { name: 'updateJob', limit: 2, remaining: 2 },
        { name: 'mutation', limit: 5, remaining: 5 },
        { name: 'read', limit: 9, remaining: 8 },
      ],
    });
    expect(Math.abs(new Date(viewer.expiresAt).getTime() - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(JSON.stringify(body)).not.toContain(token);
  });
});
