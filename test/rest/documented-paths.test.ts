import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { rest } from '../support/requests.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => gateway.reset());

describe('PATCH /companies', () => {
  it('answers 201 with exactly the documented envelope, and stores the change', async () => {
    const form = { media_public_id: 'demo-media', name: 'Acme', description: 'We make everything.' };
    const { status, body } = await rest(gateway, 'PATCH', '/companies', { form }, { token });
    const stored = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
    expect(status).toBe(201);
    expect(body).toEqual({
      status: 201,
      company: {
        id: stored?._id.toHexString(),
        name: 'Acme',
        public_id: 'acme',
        size: stored?.size?.toHexString(),
        sectors: stored?.sectors.map((id) => id.toHexString()),
        content: {
          visual: { logo: 'https://acme.example/images/logo.png' },
          description: 'We make everything.',
          language: 'fr',
        },
        is_published: true,
        is_vme_page_published: true,
      },
    });
    expect(stored?.description).toBe('We make everything.');
  });
});
