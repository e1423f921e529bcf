import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { retryLostRace } from '../../src/database/retry-lost-race.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { updateCompany, updateJob } from '../support/updates.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => gateway.reset());

const update = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  updateJob(gateway, fields, { token, headers });
const storedJob = () => gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
const storedCompany = () => gateway.models.companies.findOne({ publicId: 'acme' }).lean();

describe('versions over REST (Contract 6.1)', () => {
  it('every reply has the version as ETag, raised by one at each change (Contract 6.1.1)', async () => {
    expect((await update({ salary: '1k' })).headers.get('etag')).toBe('"2"');
    expect((await update({ salary: '2k' })).headers.get('etag')).toBe('"3"');
    expect((await update({ salary: '2k' })).headers.get('etag')).toBe('"3"');
  });

  it('If-Match with the current version or * is accepted (Contract 6.1.2)', async () => {
    expect((await update({ salary: '1k' }, { 'if-match': '"1"' })).status).toBe(200);
    expect((await update({ salary: '2k' }, { 'if-match': '*' })).status).toBe(200);
  });

  it.each(['"1"', 'W/"1"', '"02"', 'W/"02"', '"2.0"', '"+2"', '""', '"3", "7"', '"1", "99999999999"'])(
    'If-Match %s, which does not match the current version, gets 412 (Contract 6.1.2)',
    async (etag) => {
      await update({ salary: '1k' });
      const { status, body } = await update({ salary: '2k' }, { 'if-match': etag });
      expect(status).toBe(412);
      expect(body.error).toBe('version-conflict');
      expect((await storedJob())?.salary).toBe('1k');
    },
  );

  it.each([
    ...['"2", "2"', ' ,"2" ,', 'W/"2"', 'W/"2", "2"', '"other", "2"', 'W/"2", "a,2"'],
    ...['"2", "3"', '"1","2"', '"2", W/"2", "3"', 'W/"1", "2"', '"99999999999999999999", "2"'],
  ])(
    'If-Match %s, of which any tag names the current version, is accepted (Contract 6.1.2)',
    async (etags) => {
      await update({ salary: '1k' });
      expect((await update({ salary: '2k' }, { 'if-match': etags })).status).toBe(200);
    },
  );

  it.each([
    ...['2', '3', 'nonsense', 'nonsense, "2"'],
    ...['*, "2"', '"2""', '"2" "2"'],
    ...[',', '', '"2', "'2'", 'w/"2"'],
  ])('If-Match %s, which is malformed, gets 422 and updates nothing (Contract 6.1.2)', async (etags) => {
    await update({ salary: '1k' });
    for (const fields of [{ salary: '2k' }, { salary: 'x'.repeat(31) }]) {
      const { status, body } = await update(fields, { 'if-match': etags });
      expect(status).toBe(422);
      expect(body.errors?.find(({ field }) => field === 'if_match')).toMatchObject({
        code: 'if_match-format-error',
        message: 'Send an ETag from a reply, with its quotes, or *.',
      });
      expect(body.errors).toHaveLength(fields.salary === '2k' ? 1 : 2);
    }
    const options = { token, headers: { 'if-match': etags } };
    const company = await updateCompany(gateway, { description: 'New' }, options);
    expect([company.status, company.body.errors?.map(({ code }) => code)]).toEqual([
      422,
      ['if_match-format-error'],
    ]);
    expect(await storedJob()).toMatchObject({ salary: '1k', version: 2 });
    expect((await storedCompany())?.version).toBe(1);
  });

  it.each(['*', '"2"', '"7"', 'W/"2"', 'nonsense'])(
    'an update with If-None-Match %s gets 422 and updates nothing (Contract 6.1.2)',
    async (condition) => {
      await update({ salary: '1k' });
      const { status, body } = await update({ salary: '2k' }, { 'if-none-match': condition });
      expect([status, body.errors?.map(({ code }) => code)]).toEqual([422, ['if_none_match-format-error']]);
      expect((await storedJob())?.salary).toBe('1k');
    },
  );

  it('a conflict names the fields changed since the expected version (Contract 6.1.2)', async () => {
    await update({ salary: '1k' });
    await update({
      localisation: 'Lyon',
      description_job: '<p>New</p>',
      manager_emails: 'a@mail.example',
    });
    const { status, headers, body } = await update(
      { salary: '3k' },
      { 'if-match': '"1"', 'accept-language': 'fr' },
    );
    expect([status, headers.get('etag'), body.error, body.errorMessage]).toEqual([
      ...[412, '"3"', 'version-conflict'],
      'L’enregistrement a été modifié depuis la version indiquée : salary, localisation, location, description.job_desc, manager_emails.',
    ]);
  });

  it('a conflict with several versions names what changed since the last of them (Contract 6.1.2)', async () => {
    await update({ salary: '1k' });
    await update({ localisation: 'Lyon' });
    const { status, body } = await update({ salary: '3k' }, { 'if-match': '"1", "2", "9"' });
    expect(status).toBe(412);
    expect(body.errorMessage).toMatch(/: localisation, location\.$/);
  });

  it('If-Match takes every version that a record can have (Contract 6.1.2)', async () => {
    const version = 2_147_483_646;
    await gateway.models.jobs.updateOne({ publicId: 'acme-backend-engineer' }, { version });
    expect((await update({ salary: '2k' }, { 'if-match': `"${version}"` })).headers.get('etag')).toBe(
      `"${version + 1}"`,
    );
  });

  it('of 100 parallel writers with the same If-Match, one gets 200 and 99 get 412 (Contract 6.1.2)', async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => update({ salary: `${index}k` }, { 'if-match': '"1"' })),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(99);
    expect((await storedJob())?.version).toBe(2);
  });

  it('a lost race without If-Match is retried, and every change is kept (Contract 6.1.3)', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => update({ salary: `${index}k` })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await storedJob())?.version).toBe(11);
  });
});

describe('versions over GraphQL (Contract 6.1)', () => {
  it('a conflict has the current version, and the fields changed since the expected one (Contract 6.1.2)', async () => {
    await update({ salary: '1k', description_job: '<p>New</p>' });
    const input = { jobPublicId: 'acme-backend-engineer', salary: '2k' };
    const document =
      'mutation ($input: UpdateJobInput!) { updateJob(input: $input, expectedVersion: 1) { job { version } } }';
    const { body } = await graphql(gateway, document, { input }, { token });
    expect(body.errors?.[0]).toMatchObject({
      message: 'The record has changed since the version you expected.',
      extensions: {
        ...{ code: 'CONFLICT', error: 'version-conflict', status: 412 },
        ...{ currentVersion: 2, changedFields: ['salary', 'descriptionJob'] },
      },
    });
    expect(await storedJob()).toMatchObject({ salary: '1k', version: 2 });
  });
});

describe('dry runs (Contract 6.3.1)', () => {
  it('Prefer: validate-only returns the updated job, and writes nothing', async () => {
    const before = await storedJob();
    const { status, headers, body } = await update(
      { salary: '99k', description_job: 'New text' },
      { prefer: 'validate-only' },
    );
    expect(status).toBe(200);
    expect(headers.get('preference-applied')).toBe('validate-only');
    expect(headers.get('etag')).toBeNull();
    expect(body.data).toMatchObject({ salary: '99k', description: { job_desc: '<p>New text</p>' } });
    expect(await storedJob()).toEqual(before);
  });

  it.each([
    ['two dry runs', [true, true], true],
    ['a refused dry run', [true], true, 'x'.repeat(31)],
    ['a dry run and an update', [true, false], undefined],
    ['an update and a dry run', [false, true], undefined],
    ['an update', [false], undefined],
  ])('GraphQL says of %s whether nothing was written', async (_what, dryRuns, expected, salary = '1k') => {
    const fields = dryRuns.map(
      (dryRun, at) => `a${at}: updateJob(input: $input, dryRun: ${dryRun}) { job { salary } }`,
    );
    const document = `mutation ($input: UpdateJobInput!) { ${fields.join(' ')} }`;
    const input = { jobPublicId: 'acme-backend-engineer', salary };
    const { body } = await graphql(gateway, document, { input }, { token });
    expect(body.extensions?.dryRun).toBe(expected);
  });

  it('a dry run reports the same errors as the real call', async () => {
    expect((await update({ salary: 'x'.repeat(31) }, { prefer: 'validate-only' })).status).toBe(422);
    const options = { token, headers: { prefer: 'validate-only' } };
    const { body } = await updateCompany(gateway, { name: 'Initech' }, options);
    expect(body.error).toBe('company-already-existed');
  });
});

describe('an update that loses its race (Contract 6.1.3)', () => {
  const losing = (races: number) => {
    const tried = { count: 0 };
    const attempt = async () => ((tried.count += 1) > races ? 'written' : null);
    return { tried, outcome: retryLostRace(attempt) };
  };

  it('is retried, up to 25 attempts in all', async () => {
    expect(await losing(0).outcome).toBe('written');
    expect(await losing(24).outcome).toBe('written');
  });

  it('fails after the last attempt, and tells the caller to wait a second', async () => {
    const { tried, outcome } = losing(25);
    await expect(outcome).rejects.toMatchObject({
      code: 'service-unavailable',
      details: { retryAfterSeconds: 1 },
      cause: { message: 'lost too many races' },
    });
    expect(tried.count).toBe(25);
  });

  it('waits a random time between attempts', async () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.9);
    const startedAtMs = performance.now();
    await losing(10).outcome;
    expect(performance.now() - startedAtMs).toBeGreaterThan(10 * 15);
    expect(random).toHaveBeenCalledTimes(10);
    random.mockRestore();
  });
});
