import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogue, errorCodes } from '../../src/errors/catalogue.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

describe.each(['PATCH', 'POST'])('%s /companies', (method) => {
  beforeEach(() => gateway.reset());
  it('returns 201 with exactly the documented keys, and stores the change', async () => {
    const form = { media_public_id: 'demo-media', name: 'Acme', description: 'We make everything.' };
    const { status, body } = await rest(gateway, method, '/companies', { form }, { token });
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

const usual = { media_public_id: 'demo-media', company_public_id: 'acme' };
const updateJob = (language: string, fields: Record<string, string>, by: string | undefined = token) =>
  rest(
    gateway,
    'POST',
    '/jobs/acme-backend-engineer',
    { form: { ...usual, ...fields } },
    { token: by, headers: { 'accept-language': language } },
  );

describe('messages', () => {
  it.each(errorCodes)(
    'for %s exist in English and French, and do not repeat the code (Contract 7.8)',
    (code) => {
      const { en, fr } = catalogue[code].message;
      expect([en, fr].every((message) => /^[A-ZÀ-Ý].*\S$/u.test(message) && !message.includes(code))).toBe(
        true,
      );
      expect(en === fr).toBe(code === 'unauthorized-limitation');
    },
  );

  it.each([
    ['fr', 'L’offre ne peut pas passer de son état actuel à l’état demandé.'],
    ['fr-CA, en;q=0.9', 'L’offre ne peut pas passer de son état actuel à l’état demandé.'],
    ['en', 'The job cannot move from its current state to the requested one.'],
    ['de', 'The job cannot move from its current state to the requested one.'],
    ['fr;q=0.2, en;q=0.8', 'The job cannot move from its current state to the requested one.'],
  ])('of an error follow Accept-Language: %s (Contract 7.8)', async (language, message) => {
    const { status, body } = await updateJob(language, { state: 'draft' });
    expect([status, body.error, body.errorMessage]).toEqual([409, 'state-transition-not-allowed', message]);
  });

  it('of field faults follow Accept-Language, but the codes do not (Contract 7.8)', async () => {
    const fields = { contract_id: 'nothing', salary: 'x'.repeat(31) };
    const english = await updateJob('en', fields);
    const french = await updateJob('fr', fields);
    expect(english.body.errors).toEqual([
      {
        field: 'contract_id',
        code: 'contract_id-not-found',
        message: 'contract_id does not match any record.',
      },
      { field: 'salary', code: 'salary-too-long', message: 'salary must have at most 30 characters.' },
    ]);
    expect(french.body.errors).toEqual([
      {
        field: 'contract_id',
        code: 'contract_id-not-found',
        message: 'contract_id ne correspond à aucun enregistrement.',
      },
      { field: 'salary', code: 'salary-too-long', message: 'salary ne doit pas dépasser 30 caractères.' },
    ]);
  });

  it('of a warning follow Accept-Language (Contract 7.8)', async () => {
    const { body } = await updateJob('fr', { name: 'Autre', colour: 'red' });
    expect(body.warnings?.map(({ message }) => message)).toEqual([
      'Le nom d’une offre ne peut pas être modifié ; le nouveau nom n’a pas été appliqué.',
      'Ce champ n’est pas connu à cet endroit et a été ignoré.',
    ]);
  });

  it('follow Accept-Language over GraphQL too (Contract 7.8)', async () => {
    const { body } = await graphql(
      gateway,
      'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { warnings { code } } }',
      { input: { mediaPublicId: 'demo-media', name: 'Nobody Knows' } },
      { token, headers: { 'accept-language': 'fr' } },
    );
    expect(body.errors?.[0]?.message).toBe('Cette entreprise n’existe pas dans ce média.');
  });

  it.each(['en', 'fr', 'fr-FR,fr;q=0.9', '*'])(
    'for unauthorized-limitation are "Unauthorized" with any Accept-Language: %s (Contract 5.3, 7.8)',
    async (language) => {
      for (const by of [
        'no.token.here',
        await gateway.token({ scope: 'r_jobs' }),
        await gateway.token({ media: [] }),
      ]) {
        const { status, body } = await updateJob(language, {}, by);
        expect(status).toBe(401);
        expect(body).toEqual({ status: 401, error: 'unauthorized-limitation', errorMessage: 'Unauthorized' });
      }
    },
  );

  it.each([
    ['en', 'There is nothing at this path.', 'The body of the request cannot be read.'],
    ['fr', 'Il n’y a rien à cette adresse.', 'Le corps de la requête est illisible.'],
  ])(
    'of unknown and malformed paths follow Accept-Language: %s (Contract 7.8)',
    async (language, absent, unreadable) => {
      for (const [path, message] of Object.entries({ '/nothing': absent, '/jobs/%zz': unreadable })) {
        const { body } = await rest(gateway, 'POST', path, undefined, {
          headers: { 'accept-language': language },
        });
        expect(body.errorMessage).toBe(message);
      }
    },
  );
});

describe('names', () => {
  beforeEach(() => gateway.reset());

  it.each([
    ['en', 'Permanent contract', 'Hybrid', 'Lyon head office', 'France'],
    ['fr', 'CDI', 'Télétravail partiel', 'Siège de Lyon', 'France'],
    ['es', 'Permanent contract', 'Hybrid', 'Lyon head office', 'France'],
  ])('of references and offices follow Accept-Language: %s (Contract 2.4.3)', async (language, ...names) => {
    const { body } = await updateJob(language, {});
    const { contract, remote, office, location } = body.data as Record<string, Record<string, string>>;
    expect([contract?.name, remote?.name, office?.name, location?.country]).toEqual(names);
  });

  it.each([
    ['en', 'Belgium'],
    ['fr', 'Belgique'],
  ])('of countries follow Accept-Language: %s (Contract 4.2.7.4)', async (language, country) => {
    const { body } = await updateJob(language, { localisation: 'Bruxelles, Belgique' });
    expect(body.data?.location).toMatchObject({ country, country_code: 'BEL' });
  });

  it.each(['Pristina, Kosovo', 'Pristina, XKK'])(
    'of countries without an ISO code come with an empty country_code: %s (Contract 4.2.7.3, 4.2.7.4)',
    async (localisation) => {
      const { body } = await updateJob('en', { localisation });
      expect(body.data?.location).toMatchObject({ city: 'Pristina', country: 'Kosovo', country_code: '' });
      expect(body).not.toHaveProperty('warnings');
    },
  );
});

describe('a simple client that sends JSON and waits a second after 429', () => {
  const gateway = ownGateway({ UPDATE_JOB_QUOTA: '2/1s' });
  let token: string;
  beforeAll(async () => void (token = await gateway.token()));
  beforeEach(() => gateway.reset());

  async function patchAsEver(jobPublicId: string, job: Record<string, unknown>) {
    for (let patience = 5; patience > 0; patience -= 1) {
      const reply = await rest(gateway, 'PATCH', `/jobs/${jobPublicId}`, { json: job }, { token });
      if (reply.status !== 429) return reply;
      expect(reply.headers.get('retry-after')).toBe('1');
      await sleep(1_000);
    }
    throw new Error('the client ran out of patience');
  }

  it('gets all updates stored at a quota of 2 a second (Contract 4.2.1, 4.2.5, 8.2.1)', async () => {
    const statuses: number[] = [];
    for (let round = 1; round <= 7; round += 1) {
      const { status, body } = await patchAsEver('acme-backend-engineer', {
        media_public_id: 'demo-media',
        company_public_id: 'acme',
        name: 'Backend Engineer',
        state: 'published',
        contract_id: 'permanent',
        salary: `${round} 000 €`,
        description_job: '<p>The same as ever.</p>',
        manager_emails: ['claire.martin@acme.example'],
      });
      statuses.push(status);
      expect(body.warnings).toBeUndefined();
      expect(body.data).toMatchObject({ name: 'Backend Engineer', salary: `${round} 000 €` });
      expect(JSON.stringify(body)).not.toContain('@acme.example');
    }
    expect(statuses).toEqual(Array(7).fill(200));
    const stored = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    expect(stored).toMatchObject({ salary: '7 000 €', version: 8 });
  });

  it('never gets an e-mail address in a reply (Contract 4.2.11.4)', async () => {
    const { status, body } = await patchAsEver('acme-backend-engineer', {
      media_public_id: 'demo-media',
      company_public_id: 'acme',
      manager_emails: 'one@acme.example; two@acme.example',
      recruiter_emails: ['three@acme.example'],
    });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('@acme.example');
  });
});
