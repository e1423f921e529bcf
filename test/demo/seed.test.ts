import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { LogoStore } from '../../src/company/logo/logo-store.js';
import { modelsOf } from '../../src/models.js';
import { runSeedCommand } from '../../src/cli/seed.js';
import { type JobRecord } from '../../src/job/job.record.js';
import { isEmpty, seedDemoData } from '../../src/demo/seed.js';
import { commandsOn } from '../support/commands.js';
import { openTestDatabase } from '../support/database.js';
import { demoDataAsStored, jobLifetimeMs } from '../support/reset-records.js';
import { ownDatabase } from '../support/own-database.js';
import { sha256 } from '../support/trusted.js';

const now = new Date('2026-03-31T10:20:30.456Z');
const data = demoDataAsStored(now);
/** Sets the keys whose values may differ to null. */
const comparable = (records: object[], ...left: string[]) =>
  records.map((record) => ({ ...record, ...Object.fromEntries(left.map((key) => [key, null])) }));

describe('seeding the demo data', () => {
  const { database, models } = ownDatabase(beforeEach, afterEach);

  const stored = async () => ({
    media: await models.media.find().sort({ _id: 1 }).lean(),
    companies: await models.companies.find().sort({ _id: 1 }).lean(),
    jobs: await models.jobs.find().sort({ _id: 1 }).lean(),
    references: await models.references.find().sort({ _id: 1 }).lean(),
  });

  it('inserts every record completely into an empty database', async () => {
    expect(await isEmpty(models)).toBe(true);
    await seedDemoData(models, now, jobLifetimeMs);
    expect(await isEmpty(models)).toBe(false);

    const byId = (one: { _id: Types.ObjectId }, other: { _id: Types.ObjectId }) =>
      one._id.toHexString() < other._id.toHexString() ? -1 : 1;
    const identified = (records: readonly { _id: Types.ObjectId }[]) =>
      [...records].sort(byId).map((record) => ({
        ...record,
        changedAt: expect.any(Date),
        ...('state' in record && record.state === 'archived' && { archivedAt: now }),
      }));
    expect(await stored()).toEqual({
      media: [...data.media].sort(byId),
      companies: identified(data.companies),
      jobs: identified(data.jobs),
      references: [...data.references].sort(byId),
    });
  });

  it('stores the logos that the companies point to', async () => {
    await seedDemoData(models, now, jobLifetimeMs);
    const hashes = data.companies.flatMap(({ logo }) => (logo?.kind === 'file' ? [logo.hash] : []));
    expect(hashes).toHaveLength(1);
    const logos = new LogoStore(database.connection, () => now);
    const stored = await logos.open(hashes[0]!);
    expect(stored?.contentType).toBe('image/png');
    expect(sha256(await buffer(stored!.stream))).toBe(hashes[0]);
  });

  it('keeps what a user has changed, and adds only what is missing', async () => {
    await seedDemoData(models, now, jobLifetimeMs);
    await models.companies.updateOne(
      { publicId: 'acme' },
      { name: 'Acme Reborn', nameKey: 'acme reborn', version: 2 },
    );
    await models.references.updateOne({ publicId: 'permanent' }, { 'name.en': 'For ever' });
    await models.media.updateOne({ publicId: 'demo-media' }, { name: 'Mine' });
    const { jobs, ...before } = await stored();
    await models.jobs.deleteOne({ publicId: 'acme-backend-engineer' });

    await seedDemoData(models, new Date('2027-01-01T00:00:00Z'), jobLifetimeMs);
    const { jobs: jobsAfter, ...after } = await stored();
    expect(after).toEqual(before);
    expect(jobsAfter).toHaveLength(jobs.length);
  });

  it('completes an interrupted seeding, also in several processes at once', async () => {
    const [company] = data.companies;
    await models.references.insertMany(data.references.slice(0, 7));
    await models.companies.insertMany([company]);
    expect(await isEmpty(models)).toBe(true);

    await Promise.all([1, 2, 3, 4].map(() => seedDemoData(models, now, jobLifetimeMs)));
    const counts = Object.entries(await stored()).map(([kind, records]) => [kind, records.length]);
    expect(counts).toEqual(Object.entries(data).map(([kind, records]) => [kind, records.length]));
  });

  it('fails on any error other than a duplicate key', async () => {
    await database.close();
    await expect(seedDemoData(models, now, jobLifetimeMs)).rejects.toThrow();
    Object.assign(database, await openTestDatabase());
  });
});

it('npm run import of the demo file makes the same records as a seeding', async () => {
  const database = await openTestDatabase();
  try {
    const path = fileURLToPath(new URL('../../schema/examples/demo.jsonl', import.meta.url));
    const { code, stdout } = await commandsOn(database.uri).importFiles([path]);
    const seeded = demoDataAsStored(new Date('2026-01-01T00:00:00Z'));
    const size = Object.values(seeded).reduce((sum, records) => sum + records.length, 0);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^${size} inserted, 0 changed, 0 unchanged, 0 faulty$`, 'm')),
    });
    // An import generates the ids that a line cannot give, and archives a job past its lifetime.
    const imported = modelsOf(database.connection);
    const inOrder = { publicId: 1 } as const;
    const byId = (one: { publicId: string }, other: { publicId: string }) =>
      one.publicId < other.publicId ? -1 : 1;
    expect(
      comparable(await imported.companies.find().sort(inOrder).lean(), 'changedAt', 'updatedAt'),
    ).toEqual(comparable([...seeded.companies].sort(byId), 'changedAt', 'updatedAt'));
    expect(comparable(await imported.media.find().sort(inOrder).lean(), '_id')).toEqual(
      comparable([...seeded.media].sort(byId), '_id'),
    );
    const withoutIds = (jobs: JobRecord[]) =>
      comparable(jobs, '_id', 'state', 'archivedAt', 'changedAt', 'updatedAt').map((job, index) => ({
        ...job,
        questions: comparable(jobs[index]?.questions ?? [], '_id'),
      }));
    expect(withoutIds(await imported.jobs.find().sort(inOrder).lean())).toEqual(
      withoutIds([...seeded.jobs].sort(byId)),
    );
  } finally {
    await database.close();
  }
});

describe('npm run seed', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  it('seeds, says how much, and adds nothing to a database with media (Contract 9.2.1)', async () => {
    const environment = { MONGODB_URI: database.uri };
    expect(await runSeedCommand([], environment)).toMatchObject({
      stdout: expect.stringMatching(/^jobs +6 added$/m),
      exitCode: 0,
    });
    expect(await runSeedCommand([], environment)).toMatchObject({
      stdout: 'The database holds media already: nothing was added.',
      exitCode: 0,
    });
  });

  it('names the invalid setting', async () => {
    expect(await runSeedCommand([], { MONGODB_URI: 'http://acme.example' })).toEqual({
      stdout: '',
      stderr: expect.stringContaining('MONGODB_URI'),
      exitCode: 2,
    });
  });

  it('reports an unreachable server', async () => {
    const { stdout, stderr, exitCode } = await runSeedCommand([], {
      MONGODB_URI: 'mongodb://127.0.0.1:1/gateway',
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/ECONNREFUSED/);
  });
});

describe('npm run seed in production', () => {
  const { database, models } = ownDatabase(beforeEach, afterEach);

  it('does nothing without --yes (Contract 9.2.1)', async () => {
    const environment = { MONGODB_URI: database.uri, NODE_ENV: 'production', JWT_KEY_FILE: 'keys.json' };
    const { stdout, stderr, exitCode } = await runSeedCommand([], environment);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toMatch(/--yes/);
    expect(await isEmpty(models)).toBe(true);
    expect(await runSeedCommand(['--yes'], environment)).toMatchObject({ exitCode: 0 });
    expect(await isEmpty(models)).toBe(false);
  });
});

describe('npm run seed -- --remove', () => {
  const { database, models } = ownDatabase(beforeEach, afterEach);

  const run = (...argv: string[]) => runSeedCommand(argv, { MONGODB_URI: database.uri });

  it('removes every seeded record and its history (Contract 9.2.1)', async () => {
    await run();
    await models.history.create({
      ...{ _id: 'job:x:2', record: data.jobs[0]!._id, version: 2, at: now },
      ...{ actor: 'me', transport: 'rest', requestId: 'r', changes: [] },
    });
    const { stdout, exitCode } = await run('--remove');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^jobs +6 removed, 0 kept because other records need them$/m);
    for (const name of ['media', 'companies', 'jobs', 'references', 'history'] as const)
      expect(await models[name].countDocuments()).toBe(0);
    expect((await run('--remove')).stdout).toMatch(/^media +0 removed, 0 kept/m);
  });

  it('removes the history that a killed removal left (Contract 9.2.1)', async () => {
    const record = data.jobs[0]!._id;
    await models.history.create({
      ...{ _id: 'job:x:2', record, version: 2, at: now },
      ...{ actor: 'me', transport: 'rest', requestId: 'r', changes: [] },
    });
    expect((await run('--remove')).stdout).toMatch(/^jobs +0 removed, 0 kept/m);
    expect(await models.history.countDocuments()).toBe(0);
  });

  it('keeps a record of another creator and every demo record that this record refers to (Contract 9.2.1)', async () => {
    await run();
    const demoJob = data.jobs[0]!;
    const own = { ...demoJob, _id: new Types.ObjectId(), publicId: 'mine', createdBy: 'me' };
    await models.jobs.collection.insertOne(own);
    const { stdout } = await run('--remove');
    expect(stdout).toMatch(/^companies +2 removed, 1 kept/m);
    expect(stdout).toMatch(/^media +1 removed, 1 kept/m);
    expect(await models.jobs.findOne().lean()).toMatchObject({ publicId: 'mine' });
    expect(await models.companies.findOne().lean()).toMatchObject({ publicId: own.company });
    expect(await models.references.findById(own.contract).lean()).not.toBeNull();
  });
});
