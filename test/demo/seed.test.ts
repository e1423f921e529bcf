import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { LogoStore } from '../../src/company/logo/logo-store.js';
import { prepareDatabase, modelsOf } from '../../src/models.js';
import { runSeedCommand } from '../../src/cli/seed.js';
import { newlyVersioned } from '../../src/history/history-entry.js';
import { type JobRecord } from '../../src/job/job.record.js';
import { isEmpty, seedDemoData, type SeedCount, type SeedCounts } from '../../src/demo/seed.js';
import { commandsOn } from '../support/commands.js';
import { openTestDatabase } from '../support/database.js';
import { demoDataAsStored, jobLifetimeMs } from '../support/reset-records.js';
import { ownDatabase } from '../support/own-database.js';
import { sha256 } from '../support/trusted.js';

const now = new Date('2026-03-31T10:20:30.456Z');
const data = demoDataAsStored(now);
const collections = ['media', 'companies', 'jobs', 'references'] as const;

const countsOf = (count: (size: number) => SeedCount): SeedCounts => ({
  media: count(data.media.length),
  companies: count(data.companies.length),
  jobs: count(data.jobs.length),
  references: count(data.references.length),
});
const everything = countsOf((size) => ({ inserted: size, skipped: 0, leftOut: 0 }));
const nothing = countsOf((size) => ({ inserted: 0, skipped: size, leftOut: 0 }));

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
    expect(await seedDemoData(models, now, jobLifetimeMs)).toEqual(everything);
    expect(await isEmpty(models)).toBe(false);

    const byId = (one: { _id: Types.ObjectId }, other: { _id: Types.ObjectId }) =>
      one._id.toHexString() < other._id.toHexString() ? -1 : 1;
    const identified = (records: readonly { _id: Types.ObjectId }[]) =>
      [...records].sort(byId).map((record) => ({ ...record, changedAt: expect.any(Date) }));
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

  it('changes nothing the second time, even much later', async () => {
    await seedDemoData(models, now, jobLifetimeMs);
    const before = await stored();
    expect(await seedDemoData(models, new Date('2027-01-01T00:00:00Z'), jobLifetimeMs)).toEqual(nothing);
    expect(await stored()).toEqual(before);
  });

  it('keeps what a user has changed, and restores only what is missing', async () => {
    await seedDemoData(models, now, jobLifetimeMs);
    await models.companies.updateOne(
      { publicId: 'acme' },
      { name: 'Acme Reborn', nameKey: 'acme reborn', version: 2 },
    );
    await models.references.updateOne({ publicId: 'permanent' }, { 'name.en': 'For ever' });
    await models.media.updateOne({ publicId: 'demo-media' }, { name: 'Mine' });
    const { jobs, ...before } = await stored();
    await models.jobs.deleteOne({ publicId: 'acme-backend-engineer' });

    expect(await seedDemoData(models, now, jobLifetimeMs)).toEqual({
      ...nothing,
      jobs: { inserted: 1, skipped: 5, leftOut: 0 },
    });
    const { jobs: jobsAfter, ...after } = await stored();
    expect(after).toEqual(before);
    expect(comparable(jobsAfter, 'changedAt', 'companyVersion')).toEqual(
      comparable(jobs, 'changedAt', 'companyVersion'),
    );
  });

  it('skips a company whose name is taken, together with its jobs', async () => {
    const own = { publicId: 'mine', name: 'ACME', nameKey: 'acme', language: 'fr' as const, createdBy: 'me' };
    await models.companies.create({ ...newlyVersioned(now), ...own });

    expect(await seedDemoData(models, now, jobLifetimeMs)).toEqual({
      ...everything,
      companies: { inserted: 2, skipped: 0, leftOut: 1 },
      jobs: { inserted: 2, skipped: 0, leftOut: 4 },
    });
    expect(await models.companies.findOne({ publicId: 'mine' }).lean()).toMatchObject(own);
    expect(await models.companies.exists({ publicId: 'acme' })).toBeNull();
    expect(await models.jobs.exists({ company: 'acme' })).toBeNull();
  });

  it('adds no jobs to a company with the public id of a demo company', async () => {
    await models.companies.create({
      ...newlyVersioned(new Date()),
      ...{ publicId: 'globex', name: 'Globex of ours', nameKey: 'globex of ours', domainUrl: null },
      ...{ language: 'en', createdBy: 'me' },
    });
    const counts = await seedDemoData(models, now, jobLifetimeMs);
    expect(counts.companies).toEqual({ inserted: 2, skipped: 0, leftOut: 1 });
    expect(counts.jobs).toEqual({ inserted: 5, skipped: 0, leftOut: 1 });
    expect(await models.jobs.exists({ company: 'globex' })).toBeNull();
  });

  it('skips a company whose domain is taken', async () => {
    await models.companies.create({
      ...newlyVersioned(new Date()),
      ...{ publicId: 'mine', name: 'Mine', nameKey: 'mine', domainUrl: 'www.initech.example' },
      ...{ domainKey: 'initech.example', language: 'en', createdBy: 'me' },
    });
    const counts = await seedDemoData(models, now, jobLifetimeMs);
    expect(counts.companies).toEqual({ inserted: 2, skipped: 0, leftOut: 1 });
    expect(await models.companies.exists({ publicId: 'initech' })).toBeNull();
  });

  it('uses an existing reference with the public id of a demo reference', async () => {
    const _id = new Types.ObjectId();
    await models.references.create({
      _id,
      kind: 'contract',
      publicId: 'permanent',
      name: { en: 'CDI', fr: 'CDI' },
    });

    const counts = await seedDemoData(models, now, jobLifetimeMs);
    expect(counts.references).toEqual({ inserted: data.references.length - 1, skipped: 0, leftOut: 1 });
    const job = await models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    expect(job?.contract).toEqual(_id);
  });

  it('completes an interrupted seeding', async () => {
    const [company] = data.companies;
    await models.references.insertMany(data.references.slice(0, 7));
    await models.companies.insertMany([company]);
    expect(await isEmpty(models)).toBe(true);

    await seedDemoData(models, now, jobLifetimeMs);
    expect(await seedDemoData(models, now, jobLifetimeMs)).toEqual(nothing);
  });

  it('inserts each record once when several processes seed at once', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => seedDemoData(models, now, jobLifetimeMs)));
    for (const name of collections) {
      expect(all.reduce((sum, counts) => sum + counts[name].inserted, 0)).toBe(data[name].length);
      expect(all.every((counts) => counts[name].inserted + counts[name].skipped === data[name].length)).toBe(
        true,
      );
    }
    expect(await seedDemoData(models, now, jobLifetimeMs)).toEqual(nothing);
  });

  it('fails on any error other than a duplicate key', async () => {
    await database.close();
    await expect(seedDemoData(models, now, jobLifetimeMs)).rejects.toThrow();
    Object.assign(database, await openTestDatabase());
  });
});

it('npm run import of the demo file makes the same records as a seeding (Contract 12.3.1)', async () => {
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
      comparable(jobs, '_id', 'state', 'changedAt', 'updatedAt').map((job, index) => ({
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

  it('creates the indexes, seeds, and prints how many records it inserted and found', async () => {
    const environment = { MONGODB_URI: database.uri };
    const first = await runSeedCommand([], environment);
    expect(first).toMatchObject({ stderr: '', exitCode: 0 });
    expect(first.stdout).toMatch(/^jobs +6 inserted, 0 left/m);

    const second = await runSeedCommand([], environment);
    expect(second).toMatchObject({ stderr: '', exitCode: 0 });
    expect(second.stdout).toMatch(/^jobs +0 inserted, 6 left as they were$/m);
    expect(second.stdout).toMatch(/^media +0 inserted, 2 left/m);
  });

  it('prints what it left out, and why (Contract 12.2)', async () => {
    const environment = { MONGODB_URI: database.uri };
    const models = modelsOf(database.connection);
    await prepareDatabase(models);
    for (const name of ['Acme', 'Globex'])
      await models.companies.create({
        ...newlyVersioned(new Date()),
        ...{ publicId: `our-${name}`, name, nameKey: name.toLowerCase(), language: 'fr', createdBy: 'me' },
      });
    const linesOf = async () => (await runSeedCommand([], environment)).stdout.split('\n').slice(1);
    const references = data.references.length;
    expect(await linesOf()).toEqual([
      'media      2 inserted, 0 left as they were',
      'companies  1 inserted, 0 left as they were, 2 left out: another company has the name, the domain or the public id',
      'jobs       1 inserted, 0 left as they were, 5 left out: another job has the public id, or the company was left out',
      `references ${references} inserted, 0 left as they were`,
    ]);
    expect(await linesOf()).toEqual([
      'media      0 inserted, 2 left as they were',
      'companies  0 inserted, 1 left as it was, 2 left out: another company has the name, the domain or the public id',
      'jobs       0 inserted, 1 left as it was, 5 left out: another job has the public id, or the company was left out',
      `references 0 inserted, ${references} left as they were`,
    ]);
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

describe('npm run seed with --yes or --remove', () => {
  const { database, models } = ownDatabase(beforeEach, afterEach);

  const run = (...argv: string[]) => runSeedCommand(argv, { MONGODB_URI: database.uri });
  const inProduction = (...argv: string[]) =>
    runSeedCommand(argv, { MONGODB_URI: database.uri, NODE_ENV: 'production', JWT_KEY_FILE: 'keys.json' });

  it('does nothing in production without --yes (Contract 12.2)', async () => {
    const { stdout, stderr, exitCode } = await inProduction();
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toMatch(/--yes/);
    expect(await isEmpty(models)).toBe(true);
    expect(await inProduction('--yes')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await isEmpty(models)).toBe(false);
  });

  it('--remove removes every seeded record and its history (Contract 12.2)', async () => {
    await run();
    await models.history.create({
      ...{ _id: 'job:x:2', record: data.jobs[0]!._id, version: 2, at: now },
      ...{ actor: 'me', transport: 'rest', requestId: 'r', changes: [] },
    });
    const { stdout, exitCode } = await run('--remove');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^jobs +6 removed, 0 kept because other records need them$/m);
    for (const name of [...collections, 'history'] as const)
      expect(await models[name].countDocuments()).toBe(0);
    expect((await run('--remove')).stdout).toMatch(/^media +0 removed, 0 kept/m);
  });

  it('--remove removes the history that a killed removal left (Contract 12.2)', async () => {
    const record = data.jobs[0]!._id;
    await models.history.create({
      ...{ _id: 'job:x:2', record, version: 2, at: now },
      ...{ actor: 'me', transport: 'rest', requestId: 'r', changes: [] },
    });
    expect((await run('--remove')).stdout).toMatch(/^jobs +0 removed, 0 kept/m);
    expect(await models.history.countDocuments()).toBe(0);
  });

  it('--remove keeps a record of another creator and every demo record that this record refers to (Contract 12.2)', async () => {
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
