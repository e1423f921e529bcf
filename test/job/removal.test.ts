import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mongo } from 'mongoose';
import { completeImportTask, removeArchivedJobsTasks } from '../../src/archiver/upkeep.tasks.js';
import { withLease } from '../../src/change/records-lease.js';
import { removeJobs } from '../../src/change/remove-jobs.js';
import { runEraseCommand } from '../../src/cli/erase.js';
import { importInto } from '../support/commands.js';
import { ownGateway } from '../support/own-gateway.js';
import { rest } from '../support/requests.js';
import { letSettle } from '../support/settle.js';
import { taskRun } from '../support/task-run.js';

const gateway = ownGateway({ ARCHIVER: 'off' });
beforeEach(() => gateway.reset());
afterEach(() => void jest.restoreAllMocks());

const dayMs = 86_400_000;
const retentionMs = 30 * dayMs;
const [publicId, media] = ['acme-office-manager', 'demo-media'];
const stored = (id = publicId) => gateway.models.jobs.findOne({ publicId: id }).lean();

async function call(method: string, path: string, form?: Record<string, string>, headers = {}) {
  return rest(gateway, method, path, form && { form }, { token: await gateway.token(), headers });
}
const update = (form: Record<string, string>, headers = {}) =>
  call('PATCH', `/jobs/${publicId}`, { media_public_id: media, company_public_id: 'acme', ...form }, headers);

async function changesAfter(after?: string) {
  await letSettle(gateway);
  const { body } = await call('GET', `/changes?media-public-id=${media}${after ? `&after=${after}` : ''}`);
  const { data, after: last } = body as unknown as { data: Record<string, string>[]; after: string };
  return { states: data.map((each) => `${each.public_id} ${each.state}`), after: last };
}

const archivedFor = (ms: number, id = publicId) =>
  gateway.models.jobs.updateOne(
    { publicId: id },
    { $set: { state: 'archived', archivedAt: new Date(Date.now() - ms) } },
  );
const runTask = () => {
  const [task] = removeArchivedJobsTasks(gateway.models, () => new Date(), retentionMs);
  return task!.run(taskRun);
};

describe('JOB_RETENTION', () => {
  it('removes a job that has been archived for longer, with its history, and no other (Contract 9.2.8)', async () => {
    await update({ salary: '1' });
    const entry = {
      version: 1,
      at: new Date(),
      actor: 'ann',
      transport: 'rest',
      requestId: 'r',
      changes: [],
    };
    const record = (await stored())!._id;
    await gateway.models.history.collection.insertOne({ _id: 'one', record, ...entry } as never);
    await archivedFor(retentionMs + 60_000);
    await archivedFor(retentionMs - 60_000, 'acme-backend-engineer');
    await gateway.models.jobs.updateOne({ publicId: 'globex-accountant' }, { $set: { state: 'archived' } });
    const { after } = await changesAfter();
    const others = await gateway.models.jobs.countDocuments({ publicId: { $ne: publicId } });
    expect(await runTask()).toBe(true);
    expect(await stored()).toBeNull();
    expect(await gateway.models.history.exists({ record })).toBeNull();
    expect(await gateway.models.jobs.countDocuments()).toBe(others);
    expect((await call('GET', `/jobs/${publicId}`)).status).toBe(401);
    expect((await changesAfter(after)).states).toContain(`${publicId} gone`);
  });

  it('leaves its turn to an import that runs', async () => {
    await archivedFor(retentionMs + 60_000);
    const holder = { command: 'import', actor: 'operator', host: 'here' };
    await withLease(gateway.models.media, holder, { waitMs: 0 }, async () => {
      expect(await runTask()).toBe(true);
    });
    expect(await stored()).not.toBeNull();
  });

  it('counts from when the archiving is stored, by an update, by the first write to a due job and by an import', async () => {
    const isNow = async (id = publicId) =>
      Math.abs(Number((await stored(id))?.archivedAt) - Date.now()) < 60_000;
    await update({ state: 'published' });
    expect((await stored())?.archivedAt).toBeUndefined();
    await update({ state: 'archived' });
    expect(await isNow()).toBe(true);
    await update({ state: 'published' });
    expect((await stored())?.archivedAt).toBeUndefined();
    const expiresAt = new Date(Date.now() - 40 * dayMs);
    await gateway.models.jobs.updateOne({ publicId }, { $set: { expiresAt } });
    await update({ salary: '2' });
    expect(await stored()).toMatchObject({ state: 'archived', salary: '2' });
    expect(await isNow()).toBe(true);
    const own = { media_public_id: media, company_public_id: 'acme', name: 'Old' };
    await importInto(gateway, { kind: 'job', public_id: 'old', ...own, state: 'archived' });
    expect(await isNow('old')).toBe(true);
  });
});

describe('npm run erase -- --job', () => {
  const erase = (id: string) =>
    runEraseCommand(
      ['--job', id, '--wait=0'],
      { NODE_ENV: 'test', MONGODB_URI: gateway.settings.mongodbUri },
      () => undefined,
    );

  it('removes a job with its history and stored answers; its public id is taken for 31 days (Contract 9.2.7)', async () => {
    const key = { 'idempotency-key': 'k1' };
    expect((await update({ salary: '1' }, key)).status).toBe(200);
    expect(await erase(publicId)).toMatchObject({ exitCode: 0, stdout: `the job ${publicId} removed` });
    expect(await stored()).toBeNull();
    expect((await update({ salary: '1' }, key)).status).toBe(404);
    const again = await call('POST', '/jobs', {
      ...{ media_public_id: media, company_public_id: 'acme', name: 'A', job_public_id: publicId },
    });
    expect(again.body.error).toBe('job-already-existed');
    expect(await erase(publicId)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no job') });
  });

  it('lets no repeated call make a removed job again (Contract 6.2.2)', async () => {
    const form = { media_public_id: media, company_public_id: 'acme', name: 'Once' };
    const made = await call('POST', '/jobs', form, { 'idempotency-key': 'once' });
    const id = (made.body.data as { public_id: string }).public_id;
    await erase(id);
    const { body } = await call('POST', '/jobs', form, { 'idempotency-key': 'once' });
    expect(body.error).toBe('job-already-existed');
  });

  it('an import may bring the public id back: then followers have the job, and it is not gone (Contract 4.6.3)', async () => {
    const { after } = await changesAfter();
    await erase(publicId);
    await importInto(gateway, {
      ...{ kind: 'job', public_id: publicId, media_public_id: media, company_public_id: 'acme', name: 'New' },
    });
    const { states } = await changesAfter(after);
    expect(states).toEqual([`${publicId} draft`]);
  });

  it('that is killed leaves a job that nobody reaches or exports, and the hourly task completes it (Contract 9.2.5)', async () => {
    const [found] = await gateway.models.jobs.find({ publicId }).lean();
    const { prototype } = mongo.Collection as unknown as { prototype: mongo.Collection };
    jest.spyOn(prototype, 'deleteMany').mockRejectedValue(new Error('killed'));
    await expect(removeJobs(gateway.models, [found!])).rejects.toThrow('killed');
    jest.restoreAllMocks();
    expect((await call('GET', `/jobs/${publicId}`)).status).toBe(401);
    expect(await stored()).not.toBeNull();
    await completeImportTask(gateway.models).run(taskRun);
    expect(await stored()).toBeNull();
  });
});
