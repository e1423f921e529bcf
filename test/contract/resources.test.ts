import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { referenceKinds } from '../../src/fields/reference-snapshot.js';
import { documentedReplies, type Key, keysOf } from '../../src/rest/envelope.js';
import { jobRows } from '../../src/job/job-fields.rules.js';
import { statement } from '../support/contract-text.js';
import { ownGateway } from '../support/own-gateway.js';
import { dataOf, rest } from '../support/requests.js';
import { names, updateCompany, updateJob } from '../support/updates.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => gateway.reset());

const namesOf = (keys: readonly Key[]): string[] => keys.map(({ as }) => as);

type Keys = Record<string, unknown>;

async function job(
  id?: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Keys> {
  const { body } = await updateJob(gateway, fields, { token, headers }, id);
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data;
}

async function company(fields: Record<string, string | null> = {}): Promise<Keys> {
  const { body } = await rest(gateway, 'PATCH', '/companies', { json: { ...names, ...fields } }, { token });
  if (!body.company) throw new Error(JSON.stringify(body));
  return body.company;
}

const query = (text: string) => dataOf<Record<string, Keys>>(gateway, text, {}, { token });

describe('the gateway', () => {
  it('updates a company and a job over REST, and reads both over GraphQL (Contract 1.1, 3.2.1)', async () => {
    await company({ description: 'We make everything.' });
    await job('acme-backend-engineer', { salary: '50k' });
    const data = await query(`{
      company(mediaPublicId: "demo-media", publicId: "acme") { content { description } }
      job(publicId: "acme-backend-engineer") { salary }
    }`);
    expect(data).toEqual({
      company: { content: { description: 'We make everything.' } },
      job: { salary: '50k' },
    });
  });

  it('has exactly the queries and mutations of the contract, and no subscription (Contract 1.1, 1.5, 3.2.1)', async () => {
    const fields = 'fields { name description args { name description } }';
    const { __schema: schema } = await query(
      `{ __schema { queryType { ${fields} } mutationType { ${fields} } subscriptionType { name } } }`,
    );
    const typed = schema as unknown as Record<
      'queryType' | 'mutationType',
      { fields: { name: string; description: string | null; args: { description: string | null }[] }[] }
    > & { subscriptionType: unknown };
    const { queryType, mutationType } = typed;
    const listed = [...statement('3.2.1').matchAll(/^\| ([^|]*`[^|]*) \|/gm)].flatMap(
      ([, names = '']) => names.match(/\w+/g) ?? [],
    );
    const fieldNames = [...queryType.fields, ...mutationType.fields].map(({ name }) => name);
    expect(listed.sort()).toEqual(fieldNames.sort());
    for (const { description, args } of [...queryType.fields, ...mutationType.fields]) {
      expect([description, ...args.map((arg) => arg.description)]).not.toContain(null);
    }
    expect(typed.subscriptionType).toBeNull();
  });
});

describe('the company over REST', () => {
  it('has exactly its documented keys; the body repeats the status 201 (Contract 2.1.1, 5.2.1)', async () => {
    const { status, body } = await updateCompany(gateway, {}, { token });
    expect([status, body.status]).toEqual([201, 201]);
    expect(Object.keys(body)).toEqual(['status', 'company']);
    expect(Object.keys(body.company ?? {})).toEqual(namesOf(documentedReplies.updateCompany.keys));
    expect(body.company?.id).toMatch(/^[\da-f]{24}$/);
    expect(body.company?.content).toEqual({
      visual: { logo: expect.stringMatching(/^http:.*\/logos\/[\da-f]{64}$/) },
      description: expect.stringContaining('<p>'),
      language: 'fr',
    });
  });

  it('keeps its language and flags, whatever the caller sends (Contract 2.1.2)', async () => {
    const { content, ...flags } = await company();
    const { body } = await updateCompany(
      gateway,
      { language: 'en', is_published: 'false', is_vme_page_published: 'false' },
      { token },
    );
    expect(body.company).toMatchObject({
      content: content as object,
      is_published: flags.is_published,
      is_vme_page_published: flags.is_vme_page_published,
    });
    expect(body.warnings?.map(({ code, field }) => [code, field])).toEqual(
      ['language', 'is_published', 'is_vme_page_published'].map((field) => ['unknown-field', field]),
    );
  });

  it('has null for an unset field, or "" for an unset text (Contract 2.4.1, 2.4.2)', async () => {
    await gateway.models.companies.updateOne(
      { publicId: 'acme' },
      { $set: { size: null, sectors: [], description: null, logo: null } },
    );
    expect(await company()).toMatchObject({
      size: null,
      sectors: [],
      content: { visual: { logo: null }, description: '' },
    });
    const { company: inGraphQL } = await query(
      '{ company(mediaPublicId: "demo-media", publicId: "acme") { size content { description visual { logo } } } }',
    );
    expect(inGraphQL).toEqual({ size: null, content: { description: null, visual: { logo: null } } });
  });

  it('keeps its public id when renamed (Contract 2.4.3)', async () => {
    expect(await company({ name: 'Acme Corporation' })).toMatchObject({
      name: 'Acme Corporation',
      public_id: 'acme',
    });
    expect(await job()).toMatchObject({ company: { public_id: 'acme', name: 'Acme Corporation' } });
  });
});

describe('the job over REST', () => {
  it.each(['POST', 'PATCH'])(
    'is the whole answer to %s, under `data` (Contract 1.1, 2.2.1, 5.4.1)',
    async (method) => {
      const { status, body } = await rest(
        gateway,
        method,
        '/jobs/acme-backend-engineer',
        { form: names },
        { token },
      );
      const { questions, ...data } = body.data ?? {};
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['data']);
      expect(questions).toHaveLength(6);
      expect(Object.keys(data.description as Keys)).toEqual(
        namesOf(keysOf('mutation', jobRows.description.of)),
      );
      expect(Object.keys(body.data ?? {})).toEqual(namesOf(documentedReplies.updateJob.keys));
      expect(data).toMatchObject({
        name: 'Backend Engineer',
        public_id: 'acme-backend-engineer',
        company: { public_id: 'acme', name: 'Acme' },
        worktime: { public_id: 'full_time', name: 'Full time' },
        remote: { public_id: 'hybrid', name: expect.any(String) },
        education: { public_id: 'master', name: expect.any(String) },
        experience: { public_id: 'from_3_to_5_years', name: expect.any(String) },
        contract: { public_id: 'permanent', name: expect.any(String) },
        office: { public_id: 'lyon', name: 'Lyon head office' },
        location: {
          address_nbr: '12',
          address: 'Rue de la République',
          city: 'Lyon',
          administrative_area_department: 'Rhône',
          administrative_area_region: 'Auvergne-Rhône-Alpes',
          zip_code: '69002',
          country: 'France',
          country_code: 'FRA',
        },
        salary: '48 000 € – 58 000 €',
        job_url: 'https://demo-media.example/companies/acme/jobs/acme-backend-engineer',
        apply_url: 'https://demo-media.example/companies/acme/jobs/acme-backend-engineer#apply',
        publishedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        is_redirect_apply: false,
      });
    },
  );

  it('has every key of an unknown location (Contract 2.2.2)', async () => {
    const { location } = await job('acme-backend-engineer', { localisation: '' });
    expect(location).toEqual({
      address_nbr: null,
      address: null,
      city: '',
      administrative_area_department: '',
      administrative_area_region: '',
      zip_code: '',
      country: '',
      country_code: '',
    });
  });

  it('has its texts, with "" for an unset or cleared text (Contract 2.2.3, 2.4.2)', async () => {
    const { description } = await job('acme-office-manager', { description_profile: '' });
    const none = namesOf(keysOf('mutation', jobRows.description.of)).map((key) => [key, '']);
    expect(description).toEqual({
      ...Object.fromEntries(none),
      company_desc: expect.stringMatching(/^<p>/),
      job_desc: expect.stringMatching(/^<p>/),
    });
    const { job: inGraphQL } = await query(
      '{ job(publicId: "acme-office-manager") { description { profileDesc benefitDesc } } }',
    );
    expect(inGraphQL).toEqual({ description: { profileDesc: null, benefitDesc: null } });
  });

  it('has its questions, even if optional or without a placeholder (Contract 2.2.4, 2.4.1)', async () => {
    const questions = (await job()).questions as Record<string, unknown>[];
    expect(
      questions.map(({ ref, ref_type: type, is_required: isRequired }) => [ref, type, isRequired]),
    ).toEqual([
      ['firstname', 'string', true],
      ['lastname', 'string', true],
      ['email', 'email', true],
      ['phone_number', 'phone_number', false],
      ['comment', 'string', true],
      ['resume', 'url', true],
    ]);
    expect(questions[0]).toEqual({
      _id: expect.stringMatching(/^[\da-f]{24}$/),
      name: 'First name',
      ref: 'firstname',
      ref_type: 'string',
      title: { en: 'First name', fr: 'Prénom' },
      placeholder: { en: 'Your first name', fr: 'Votre prénom' },
      is_required: true,
    });
    expect(Object.keys(questions[5] ?? {})).not.toContain('placeholder');
  });

  it('has null for unset references, office and publication time (Contract 2.4.1, 2.4.2)', async () => {
    const none = {
      worktime: null,
      remote: null,
      education: null,
      experience: null,
      contract: null,
      office: null,
    };
    await gateway.models.jobs.updateOne({ publicId: 'acme-office-manager' }, { $set: none });
    expect(await job('acme-office-manager')).toMatchObject({ ...none, publishedAt: null });
    const { job: inGraphQL } = await query(
      '{ job(publicId: "acme-office-manager") { contract { name } office { name } publishedAt } }',
    );
    expect(inGraphQL).toEqual({ contract: null, office: null, publishedAt: null });
  });

  it('has page URLs from the current template of its media (Contract 2.2.5, 2.3.1)', async () => {
    await gateway.models.media.updateOne(
      { publicId: 'demo-media' },
      { $set: { jobUrlTemplate: 'https://jobs.example/{job}?at={company}' } },
    );
    // The gateway caches a media for a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await job()).toMatchObject({
      job_url: 'https://jobs.example/acme-backend-engineer?at=acme',
      apply_url: 'https://jobs.example/acme-backend-engineer?at=acme#apply',
    });
  });

  it('has an office of its company, named in the requested language (Contract 2.2.5, 2.3.4)', async () => {
    const french = { 'accept-language': 'fr-FR, en;q=0.5' };
    expect(await job()).toMatchObject({ office: { public_id: 'lyon', name: 'Lyon head office' } });
    expect(await job('acme-backend-engineer', {}, french)).toMatchObject({
      office: { public_id: 'lyon', name: 'Siège de Lyon' },
      worktime: { name: 'Temps plein' },
    });
    expect(await job('acme-backend-engineer', {}, { 'accept-language': 'de' })).toMatchObject({
      worktime: { name: 'Full time' },
    });
  });

  it.each([
    ['acme-data-analyst', {}, true],
    ['acme-backend-engineer', {}, false],
    ['acme-data-analyst', { application_method: 'internal_apply' }, false],
    [
      'acme-backend-engineer',
      { application_method: 'external_apply', application_url: 'https://acme.example/apply' },
      true,
    ],
  ])(
    '%s updated with %j has is_redirect_apply %s (Contract 5.4.6)',
    async (id, fields: Record<string, string>, isRedirect) => {
      expect(await job(id, fields)).toMatchObject({ is_redirect_apply: isRedirect });
    },
  );

  it('never has an e-mail address (Contract 5.4.7)', async () => {
    const emails = { manager_emails: 'anne@acme.example', recruiter_emails: 'rh@acme.example' };
    const { body } = await updateJob(gateway, emails, { token });
    expect(JSON.stringify(body)).not.toContain('@acme.example');
    const stored = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    expect(stored?.managerEmails).toEqual(['anne@acme.example']);
  });
});

describe('the query references', () => {
  it('lists the references of a kind, in both languages (Contract 2.3.2, 2.3.3)', async () => {
    for (const kind of referenceKinds) {
      const { references } = await query(
        `{ references(kind: ${kind}) { id publicId name names { en fr } parentPublicId } }`,
      );
      const records = references as unknown as (Record<'publicId' | 'name', string> & {
        parentPublicId: string | null;
      })[];
      const publicIds = records.map(({ publicId }) => publicId);
      expect(publicIds.length).toBeGreaterThan(1);
      expect(new Set(publicIds).size).toBe(publicIds.length);
      expect(records).toEqual(
        records.map(({ publicId, name }) =>
          expect.objectContaining({
            id: expect.stringMatching(/^[\da-f]{24}$/),
            publicId,
            names: { en: name, fr: expect.any(String) },
          }),
        ),
      );
      const parents = records.map(({ parentPublicId }) => parentPublicId).filter((parent) => parent !== null);
      expect(parents.every((parent) => publicIds.includes(parent))).toBe(true);
      expect(parents.length > 0).toBe(kind === 'job_category');
    }
  });
});
