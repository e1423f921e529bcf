import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { archiveExpiredJobs, type ArchivingOptions } from '../../src/archiver/archive-expired-jobs.task.js';
import { prepareDatabase, type Models, modelsOf } from '../../src/database/models.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { type JobRecord } from '../../src/job/job.model.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';

const dayMs = 86_400_000;
const lifetimeMs = 90 * dayMs;
const now = new Date('2026-06-01T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);

let database: TestDatabase;
let models: Models;
let pattern: JobRecord;

beforeAll(async () => {
  database = await openTestDatabase();
  models = modelsOf(database.connection);
  await prepareDatabase(models);
  await seedDemoData(models, now);
  pattern = await models.jobs.findOne({ publicId: 'acme-office-manager' }).orFail().lean<JobRecord>();
});
afterAll(() => database.close());
beforeEach(async () => {
  await models.jobs.deleteMany({});
});

const insert = (jobs: Partial<JobRecord>[]) =>
  models.jobs.collection.insertMany(
    jobs.map((job, index) => ({
      ...pattern,
      _id: new Types.ObjectId(),
      publicId: `job-${index}`,
      state: 'published',
      version: 1,
      pendingHistory: [],
      ...job,
    })),
  );

let renewals = 0;
const run = (options: Partial<ArchivingOptions> = {}, isStopping = () => false) =>
  archiveExpiredJobs(
    {
      jobs: models.jobs,
      clock: () => now,
      lifetimeMs,
      onLag: () => undefined,
      onBatch: () => undefined,
      ...options,
    },
    { id: 'run-1', isStopping, renew: async () => void (renewals += 1) },
  );

const stored = async () => models.jobs.find({}).sort({ publicId: 1 }).lean<JobRecord[]>();

describe('a run of the archiving task', () => {
  it('archives a job from the instant of its end, not a millisecond before, with one history entry dated then (Contract 3.3.1, 10.2.1)', async () => {
    await insert([{ publishedAt: ago(lifetimeMs) }, { publishedAt: ago(lifetimeMs - 1) }]);
    expect(await run()).toBe(true);
    const [due, live] = await stored();
    expect(due).toMatchObject({ state: 'archived', version: 2, publishedAt: ago(lifetimeMs) });
    expect(due?.pendingHistory).toEqual([
      {
        version: 2,
        at: now,
        actor: 'system',
        transport: 'task',
        requestId: 'run-1',
        changes: [{ field: 'state', before: 'published', after: 'archived' }],
      },
    ]);
    expect(live).toMatchObject({ state: 'published', version: 1, pendingHistory: [] });
  });

  it('leaves drafts, archived jobs and everything else of a job as they are', async () => {
    const long = ago(lifetimeMs + dayMs);
    await insert([
      { state: 'draft', publishedAt: null },
      { state: 'draft', publishedAt: long },
      { state: 'archived', publishedAt: long },
      { publishedAt: long, salary: '40 k€' },
    ]);
    const before = await stored();
    await run();
    const after = await stored();
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3));
    expect(after[3]).toEqual({
      ...before[3],
      state: 'archived',
      version: 2,
      pendingHistory: after[3]?.pendingHistory,
    });
  });

  it('repeated, changes nothing more', async () => {
    await insert([{ publishedAt: ago(lifetimeMs + dayMs) }]);
    await run();
    const once = await stored();
    await run();
    expect(await stored()).toEqual(once);
  });

  it('adds its entry to those that have not moved yet, and to a record that has no list of them', async () => {
    const entry = {
      version: 2,
      at: ago(dayMs),
      actor: 'a',
      transport: 'rest' as const,
      requestId: 'r',
      changes: [],
    };
    await insert([{ publishedAt: ago(lifetimeMs), version: 2, pendingHistory: [entry] }]);
    await models.jobs.collection.insertOne({
      publicId: 'job-z',
      state: 'published',
      publishedAt: ago(lifetimeMs),
      version: 4,
    });
    await run();
    const [first, second] = await stored();
    expect(first?.pendingHistory.map(({ version }) => version)).toEqual([2, 3]);
    expect(second?.pendingHistory.map(({ version }) => version)).toEqual([5]);
  });

  it('tells how long the oldest due job has waited, and 0 when none is due', async () => {
    const lags: number[] = [];
    const onLag = (lagMs: number) => void lags.push(lagMs);
    await insert([{ publishedAt: ago(lifetimeMs + 5_000) }, { publishedAt: ago(lifetimeMs + dayMs) }]);
    await run({ onLag });
    await run({ onLag });
    expect(lags).toEqual([dayMs, 0]);
  });

  it('stops between batches of 1000 when the process stops; the next run does the rest (Contract 10.2.2)', async () => {
    await insert(Array.from({ length: 1_500 }, (_, index) => ({ publishedAt: ago(lifetimeMs + index) })));
    const batches: number[] = [];
    const onBatch = (count: number) => void batches.push(count);
    renewals = 0;
    expect(await run({ onBatch }, () => true)).toBe(false);
    expect(batches).toEqual([1_000]);
    // Each batch says that the worker is alive.
    expect(renewals).toBe(1);
    expect(await models.jobs.countDocuments({ state: 'published' })).toBe(500);
    expect(await run({ onBatch })).toBe(true);
    expect(batches).toEqual([1_000, 500]);
  });

  it('five at once archive 2500 jobs of one instant once each (Contract 10.2.1)', async () => {
    await insert(Array.from({ length: 2_500 }, () => ({ publishedAt: ago(lifetimeMs + dayMs) })));
    let archived = 0;
    const onBatch = (count: number) => void (archived += count);
    await Promise.all(Array.from({ length: 5 }, () => run({ onBatch })));
    expect(archived).toBe(2_500);
    const archivedOnce = { state: 'archived' as const, version: 2, pendingHistory: { $size: 1 } };
    expect(await models.jobs.countDocuments(archivedOnce)).toBe(2_500);
  });

  it('finds what is due in the index of the published jobs alone, where the server can explain itself', async () => {
    await insert(Array.from({ length: 500 }, (_, index) => ({ publishedAt: ago(index * dayMs) })));
    const explained = await models.jobs
      .find({ state: 'published', publishedAt: { $lte: ago(lifetimeMs) } }, { _id: 1, publishedAt: 1 })
      .sort({ publishedAt: 1 })
      .limit(1_000)
      .explain('queryPlanner')
      .catch((error: { code?: number }): unknown => error);
    // 59, command not found: neither the built-in store nor DocumentDB has this command.
    if ((explained as { code?: number }).code === 59) return;
    expect(JSON.stringify(explained)).toContain('published_at_of_published');
  });
});
