import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { rest } from '../support/requests.js';
import { names, updateJob } from '../support/updates.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

const job = '/jobs/acme-backend-engineer';
const updateIn = (language: string, fields: Record<string, string>) =>
  updateJob(gateway, fields, { token, headers: { 'accept-language': language } });

describe('messages', () => {
  it('of a warning follow Accept-Language (Contract 7.2.4)', async () => {
    const { body } = await updateIn('fr', { name: 'Autre', colour: 'red' });
    expect(body.warnings?.map(({ message }) => message)).toEqual([
      'Le nom d’une offre ne peut pas être modifié ; le nouveau nom n’a pas été appliqué.',
      'Ce champ n’est pas connu à cet endroit et a été ignoré.',
    ]);
  });

  it.each([
    ['fr-CA, en;q=0.9', 'L’offre ne peut pas passer de son état actuel à l’état demandé.'],
    ['de', 'The job cannot move from its current state to the requested one.'],
  ])('of an error follow Accept-Language: %s (Contract 7.2.4)', async (language, message) => {
    const { body } = await updateIn(language, { state: 'draft' });
    expect(body.errorMessage).toBe(message);
  });
});

describe('names of countries', () => {
  beforeEach(() => gateway.reset());

  it.each([
    ['en', 'Belgium'],
    ['fr', 'Belgique'],
  ])('follow Accept-Language: %s (Contract 2.3.4)', async (language, country) => {
    const { body } = await updateIn(language, { localisation: 'Bruxelles, Belgique' });
    expect(body.data?.location).toMatchObject({ country, country_code: 'BEL' });
  });

  it.each(['Pristina, Kosovo', 'Pristina, XKK'])(
    'without an ISO code come with an empty country_code: %s (Contract 5.7.4)',
    async (localisation) => {
      const { body } = await updateIn('en', { localisation });
      expect(body.data?.location).toMatchObject({ city: 'Pristina', country: 'Kosovo', country_code: '' });
      expect(body).not.toHaveProperty('warnings');
    },
  );
});

describe('the header Prefer', () => {
  const salary = async () =>
    (await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean())?.salary;
  const update = (prefer: string) => updateJob(gateway, { salary: prefer }, { token, headers: { prefer } });

  it.each([
    'validate-only',
    'VALIDATE-ONLY; strict',
    'wait=5,validate-only',
    'foo="a, b",validate-only',
    'foo="a, validate-only, b',
    'validate_only, validate-only',
  ])('with %s makes the update a dry run (Contract 6.3.1)', async (prefer) => {
    const before = await salary();
    const { status, headers } = await update(prefer);
    expect([status, headers.get('preference-applied')]).toEqual([200, 'validate-only']);
    expect(await salary()).toBe(before);
  });

  it.each(['return=minimal', 'validate', 'only', 'valid-only', 'only, validate', 'validate-onyl', 'wait=5'])(
    'with the unknown preference %s is ignored (Contract 6.3.2)',
    async (prefer) => {
      const { status, headers } = await update(prefer);
      expect([status, headers.has('preference-applied')]).toEqual([200, false]);
      expect(await salary()).toBe(prefer);
    },
  );
});

describe('a field of the body in the query string of an update', () => {
  const warningsOf = async (path: string, query: string) =>
    (await rest(gateway, 'PATCH', `${path}?${query}`, { form: names }, { token })).body.warnings;
  const ignored = (field: string) => ({ field, code: 'unknown-field' });

  it('gives the warning unknown-field, in every spelling, and other parameters give none (Contract 5.1.4)', async () => {
    const query =
      'salary=1&media-public-id=a&manager_emails[]=a&manager_emails[1]=b&utm_source=x&job_public_id=y';
    expect(await warningsOf(job, query)).toMatchObject(
      ['salary', 'media-public-id', 'manager_emails[]', 'manager_emails[1]', 'job_public_id'].map(ignored),
    );
  });

  it('gives no warning if it names the company of a company update (Contract 5.1.4, 5.2.3)', async () => {
    for (const name of ['company-public-id', 'company_public_id'])
      expect(await warningsOf('/companies', `${name}=acme&description=x`)).toMatchObject([
        ignored('description'),
      ]);
    expect(await warningsOf(job, 'company-public-id=acme')).toMatchObject([ignored('company-public-id')]);
  });
});
