import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { smallPng } from './logo/test-images.js';
import { resetWithLogos, removeUnusedLogos, sendLogo, storedLogos } from './logo/test-uploads.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => gateway.reset());

const stored = (publicId: string) => gateway.models.companies.findOne({ publicId }).lean();
const update = (publicId: string, fields: object, headers = {}) =>
  rest(
    gateway,
    'PATCH',
    '/companies',
    { json: { media_public_id: 'demo-media', company_public_id: publicId, ...fields } },
    { token, headers },
  );

describe('a page on a site that many companies share', () => {
  it('can be the domain of any number of companies, and is shown as given (Contract 5.2.5)', async () => {
    const domain_url = 'https://fr.linkedin.com/company/holding';
    for (const publicId of ['acme', 'globex']) {
      for (const headers of [{ prefer: 'validate-only' }, {}])
        expect((await update(publicId, { domain_url }, headers)).status).toBe(201);
      expect(await stored(publicId)).toMatchObject({ domainUrl: domain_url });
      expect(await stored(publicId)).not.toHaveProperty('domainKey');
    }
  });

  it('is not named in a conflict of the name sent with it (Contract 5.2.5, 7.4.5)', async () => {
    const input = {
      ...{ mediaPublicId: 'demo-media', companyPublicId: 'acme' },
      ...{ name: 'Globex', domainUrl: 'facebook.com/acme' },
    };
    const { body } = await graphql(
      gateway,
      'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }',
      { input },
      { token },
    );
    const { error, fields } = (body.errors?.[0]?.extensions ?? {}) as { error: string; fields: object[] };
    expect([error, fields]).toEqual([
      'company-already-existed',
      [expect.objectContaining({ path: ['input', 'name'] })],
    ]);
  });
});

describe('a cleared domain', () => {
  const domain = 'cleared.example';
  beforeEach(async () => {
    for (const [publicId, domain_url] of Object.entries({ acme: domain, globex: 'globex.example' }))
      expect((await update(publicId, { domain_url })).status).toBe(201);
  });

  it('can go to another company, while any number of companies have none', async () => {
    expect((await update('globex', { domain_url: domain })).status).toBe(409);
    for (const publicId of ['acme', 'globex'])
      expect((await update(publicId, { domain_url: null })).status).toBe(201);
    expect(await stored('acme')).not.toHaveProperty('domainKey');
    expect((await update('globex', { domain_url: domain })).status).toBe(201);
    expect(await stored('globex')).toMatchObject({ domainKey: domain });
  });
});

it('the file of a cleared logo stays until the hourly task (Contract 5.3.1, 9.2.8)', async () => {
  await resetWithLogos(gateway);
  expect((await sendLogo(gateway, 'rest', { token, file: smallPng })).code).toBeNull();
  const { status, body } = await update('acme', { logo_url: null });
  expect([status, body.company?.content]).toMatchObject([201, { visual: { logo: null } }]);
  expect(await storedLogos(gateway)).toMatchObject({ files: 1 });
  await removeUnusedLogos(gateway);
  expect(await storedLogos(gateway)).toMatchObject({ files: 0 });
});
