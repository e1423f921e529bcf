import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runEraseCommand } from '../../src/cli/erase.js';
import { commandsOn } from '../support/commands.js';
import { dropDatabase } from '../support/database.js';
import { ownDatabase } from '../support/own-database.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { resetRecords } from '../support/reset-records.js';

const publicId = 'acme-backend-engineer';
const form = { salary_minimum: '45000', salary_currency: 'EUR', salary_period: 'year' };
const noRange = { salary_minimum: null, salary_maximum: null, salary_currency: null, salary_period: null };
const range = { minimum: '45000', maximum: null, currency: 'EUR', period: 'year' };

describe('the pay range of a job', () => {
  const gateway = ownGateway({ ARCHIVER: 'off', UPDATE_JOB_QUOTA: '1000/1s' });
  let token: string;
  beforeAll(async () => void (token = await gateway.token()));
  beforeEach(() => gateway.reset());

  const update = (fields: Record<string, string>, headers = {}) =>
    rest(gateway, 'POST', `/jobs/${publicId}`, { form: fields }, { token, headers });
  const read = () => rest(gateway, 'GET', `/jobs/${publicId}`, undefined, { token });

  it('is in REST reads but not in update replies (Contract 4.4.1, 5.8.1)', async () => {
    await gateway.models.jobs.collection.updateOne({ publicId }, { $set: { salaryRange: null } });
    expect((await read()).body.data).toMatchObject(noRange);
    const { status, body } = await update(form);
    expect(status).toBe(200);
    expect(Object.keys(body.data ?? {}).filter((key) => key.startsWith('salary'))).toEqual(['salary']);
    expect((await read()).body.data).toMatchObject({ ...form, salary_maximum: null });
    const { body: list } = await rest(gateway, 'GET', '/jobs?media-public-id=demo-media', undefined, {
      token,
    });
    expect(list.data).toContainEqual(expect.objectContaining({ public_id: publicId, ...form }));
  });

  it('is one change in the history, and GraphQL accepts the form that it returns (Contract 5.8.1)', async () => {
    await gateway.models.jobs.collection.updateOne({ publicId }, { $set: { salaryRange: null } });
    await update(form);
    const query = `{ job(publicId: "${publicId}") { version salaryRange { minimum maximum currency period }
      history { edges { node { changes { field before after } } } } } }`;
    const { body } = await graphql(gateway, query, {}, { token });
    const changes = [{ field: 'salaryRange', before: null, after: range }];
    expect(body.data).toEqual({
      job: { version: 2, salaryRange: range, history: { edges: [{ node: { changes } }] } },
    });
    const mutation = `mutation ($input: UpdateJobInput!) { updateJob(input: $input) {
      job { version salaryRange { minimum } } } }`;
    const save = (salaryRange: unknown) =>
      graphql(gateway, mutation, { input: { jobPublicId: publicId, salaryRange } }, { token });
    expect((await save(range)).body.data).toMatchObject({ updateJob: { job: { version: 2 } } });
    expect((await save(null)).body.data).toEqual({
      updateJob: { job: { version: 3, salaryRange: null } },
    });
    const { body: refused } = await save({ ...range, minimum: true });
    expect(refused.errors?.[0]?.extensions).toMatchObject({ error: 'validation-failed' });
  });

  it('is named by version-conflict if another call changed it (Contract 6.1.2)', async () => {
    await update(form);
    const { status, body } = await update(form, { 'if-match': '"1"' });
    expect([status, body.errorMessage]).toEqual([412, expect.stringContaining('salary_range')]);
  });
});

describe('the pay range in files', () => {
  const { database: source, models } = ownDatabase();
  const { database: target } = ownDatabase();
  beforeEach(async () => {
    await dropDatabase(target.connection);
    await resetRecords(models);
  });
  const stored = () => models.jobs.findOne({ publicId }).orFail().lean();
  const line = (fields: object) => `${JSON.stringify({ kind: 'job', public_id: publicId, ...fields })}\n`;

  it('is imported from JSON Lines and CSV, and exported, with the fields of an update (Contract 5.8.1, 9.2.2, 9.2.4)', async () => {
    const { importFiles, exportAll } = commandsOn(source.uri);
    expect((await importFiles(['-'], line({ ...form, salary_minimum: 45_000 }))).code).toBe(0);
    expect(await stored()).toMatchObject({ salaryRange: range });
    const csv = `public_id,salary_maximum,salary_currency,salary_period,salary_minimum\n${publicId},20.50,EUR,hour,\n`;
    expect((await importFiles(['--kind', 'job', '-'], csv)).code).toBe(0);
    expect(await stored()).toMatchObject({
      salaryRange: { minimum: null, maximum: '20.5', currency: 'EUR', period: 'hour' },
    });
    const { stdout: exported } = await exportAll();
    const written = { salary_maximum: '20.5', salary_currency: 'EUR', salary_period: 'hour' };
    const own = exported.split('\n').find((each) => each.includes('"public_id":"acme-backend-engineer"'));
    expect(JSON.parse(own ?? '')).toMatchObject(written);
    const other = commandsOn(target.uri);
    await other.importFiles(['-'], exported);
    expect((await other.exportAll()).stdout).toBe(exported);
    expect((await importFiles(['-'], exported)).stdout).toMatch(/ 0 changed, /);
  });

  it('is not changed by an erasure (Contract 9.2.7)', async () => {
    await models.jobs.updateOne({ publicId }, { salaryRange: range, managerEmails: ['a@b.example'] });
    const environment = { NODE_ENV: 'test', MONGODB_URI: source.uri };
    expect((await runEraseCommand(['a@b.example'], environment)).exitCode).toBe(0);
    expect(await stored()).toMatchObject({ salaryRange: range, managerEmails: [] });
  });
});
