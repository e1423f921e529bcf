import { type TestGateway } from './gateway.js';
import { type Reply, rest, type RestBody } from './requests.js';

type Options = Parameters<typeof rest>[4];

/** The ids of the company and of the job in an input. */
export const ofCompany = { mediaPublicId: 'demo-media', companyPublicId: 'acme' };
export const ofJob = { ...ofCompany, jobPublicId: 'acme-backend-engineer' };

/** The ids of the company in a request of REST. */
export const names = { media_public_id: 'demo-media', company_public_id: 'acme' };

/** Updates a job of the company acme by a form. */
export const updateJob = (
  gateway: Pick<TestGateway, 'url'>,
  fields: Record<string, string>,
  options: Options,
  publicId = 'acme-backend-engineer',
): Promise<Reply<RestBody>> =>
  rest(gateway, 'POST', `/jobs/${publicId}`, { form: { ...names, ...fields } }, options);

/** Updates the company acme by a form. */
export const updateCompany = (
  gateway: Pick<TestGateway, 'url'>,
  fields: Record<string, string>,
  options: Options,
): Promise<Reply<RestBody>> =>
  rest(gateway, 'PATCH', '/companies', { form: { ...names, ...fields } }, options);
