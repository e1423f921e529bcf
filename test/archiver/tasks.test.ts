import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { archiveExpiredJobs, type ArchivingOptions } from '../../src/archiver/archive-expired-jobs.tasks.js';
import { type UnreadableRecord } from '../../src/database/readable-records.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { type JobRecord } from '../../src/job/job.record.js';
import { removeOldHistoryTasks } from '../../src/archiver/upkeep.tasks.js';
import { parseSettings } from '../../src/settings/settings.js';
import { ownDatabase } from '../support/own-database.js';
import { startTestGateway } from '../support/gateway.js';
import { jobLifetimeMs, withEnd } from '../support/reset-records.js';
import { taskRun } from '../support/task-run.js';
import { until } from '../support/until.js';

describe('archiving', () => {
  const dayMs = 86_400_000;
  const lifetimeMs = 90 * dayMs;
  const now = new Date('2026-06-01T12:00:00.000Z');
  const ago = (ms: number) => new Date(now.getTime() - ms);

  const { models } = ownDatabase();
  let pattern: JobRecord;

  beforeAll(async () => {
    await seedDemoData(models, now, jobLifetimeMs);
    pattern = await models.jobs.findOne({ publicId: 'acme-office-manager' }).orFail().lean<JobRecord>();
  });
  beforeEach(async () => {
    await models.jobs.deleteMany({});
  });

  /** 100 jobs or more get only the fields that the task reads. */
  const insert = (jobs: Partial<JobRecord>[]) =>
    models.jobs.collection.insertMany(
      jobs.map((job, index) => ({
        ...(jobs.length < 100 && pattern),
        _id: new Types.ObjectId(),
        publicId: `job-${index}`,
        state: 'published',
        version: 1,
        pendingHistory: [],
        ...withEnd({ publishedAt: null, ...job }),
        ...job,
      })),
    );

  let renewals = 0;
  const skipped: string[] = [];
  const run = (options: Partial<ArchivingOptions> = {}, isStopping = () => false) =>
    archiveExpiredJobs(
      {
        jobs: models.jobs,
        clock: () => now,
        onLag: () => undefined,
        onBatch: () => undefined,
        ...options,
      },
      { ...taskRun, id: 'run-1', isStopping, renew: async () => void (renewals += 1) },
    );

  beforeAll(() => {
    models.jobs.db.on('unreadable', ({ collection, id }: UnreadableRecord) =>
      skipped.push(`${collection} ${String(id)}`),
    );
  });

  const stored = async () => models.jobs.find({}).sort({ publicId: 1 }).lean<JobRecord[]>();

  describe('a run of the task', () => {
    // First, because a list as end, which a later test stores, makes databases sort.
    it('finds due jobs by an index, without a sort', async () => {
      await insert(Array.from({ length: 500 }, (_, index) => ({ publishedAt: ago(index * dayMs) })));
      const queries = jest.spyOn(models.jobs, 'find');
      await run({}, () => true);
      const [[filter = {}] = []] = queries.mock.calls as [object][];
      queries.mockRestore();
      const explained = await models.jobs
        .find(filter)
        .sort({ expiresAt: 1 })
        .limit(1_000)
        .explain('queryPlanner')
        .catch((error: { code?: number }): unknown => error);
      // Neither the built-in store nor DocumentDB has the command `explain`.
      if ([59, 115].includes((explained as { code?: number }).code ?? 0)) return;
      const plan = JSON.stringify(
        (explained as { queryPlanner: { winningPlan: object } }).queryPlanner.winningPlan,
      );
      expect(plan).toContain('expires_at_of_published');
      expect(plan).not.toContain('SORT');
    });

    it('archives a job exactly at the end of its lifetime, with one history entry (Contract 2.5.4, 2.5.5, 6.1.4)', async () => {
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

    it('changes only expired jobs, and only the fields that archiving sets', async () => {
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
        archivedAt: after[3]?.changedAt,
        version: 2,
        updatedAt: new Date(long.getTime() + lifetimeMs),
        changedAt: after[3]?.changedAt,
        pendingHistory: after[3]?.pendingHistory,
      });
      // `changedAt` comes from the database's clock, not from the fixed clock of this test.
      expect(Math.abs(Number(after[3]?.changedAt) - Date.now())).toBeLessThan(10_000);
    });

    it('appends its history entry to the pending entries', async () => {
      const entry = {
        version: 2,
        at: ago(dayMs),
        actor: 'a',
        transport: 'rest' as const,
        requestId: 'r',
        changes: [],
      };
      await insert([{ publishedAt: ago(lifetimeMs), version: 2, pendingHistory: [entry] }]);
      await run();
      const [first] = await stored();
      expect(first?.pendingHistory.map(({ version }) => version)).toEqual([2, 3]);
    });

    it('reports how overdue the oldest due job is, or 0 if none is due', async () => {
      const lags: number[] = [];
      const onLag = (lagMs: number) => void lags.push(lagMs);
      await insert([{ publishedAt: ago(lifetimeMs + 5_000) }, { publishedAt: ago(lifetimeMs + dayMs) }]);
      await run({ onLag });
      await run({ onLag });
      expect(lags).toEqual([dayMs, 0]);
    });

    it('stops between batches of 1000 when the process stops, and the next run does the rest (Contract 2.5.5)', async () => {
      await insert(Array.from({ length: 1_001 }, (_, index) => ({ publishedAt: ago(lifetimeMs + index) })));
      const batches: number[] = [];
      const onBatch = (count: number) => void batches.push(count);
      renewals = 0;
      expect(await run({ onBatch }, () => true)).toBe(false);
      expect(batches).toEqual([1_000]);
      expect(renewals).toBe(1);
      expect(await models.jobs.countDocuments({ state: 'published' })).toBe(1);
      expect(await run({ onBatch })).toBe(true);
      expect(batches).toEqual([1_000, 1]);
    });

    it.each([
      ['a text as version', { version: 'x' }],
      ['null as version', { version: null }],
      ['a fractional version', { version: 1.5 }],
      ['a version that GraphQL cannot show', { version: 2 ** 31 }],
      ['a text as history', { pendingHistory: 'x' }],
      ['a list as end', { expiresAt: [ago(dayMs)] }],
    ])('skips a job with %s, and archives the others (Contract 9.3.3)', async (_what, damage) => {
      const publishedAt = ago(lifetimeMs + 1);
      await insert([{ publishedAt }, { publishedAt, ...(damage as object) }, { publishedAt }]);
      const [, damaged] = await models.jobs.collection.find().sort({ publicId: 1 }).toArray();
      skipped.length = 0;
      const lags: number[] = [];
      const batches: number[] = [];
      const options = {
        onLag: (lagMs: number) => void lags.push(lagMs),
        onBatch: (count: number) => void batches.push(count),
      };
      expect([await run(options), await run(options)]).toEqual([true, true]);
      expect(skipped).toEqual(['jobs job-1', 'jobs job-1']);
      expect([lags, batches]).toEqual([[1, 0], [2]]);
      const states = await models.jobs.collection.find().sort({ publicId: 1 }).toArray();
      expect(states.map(({ state }) => state as unknown)).toEqual(['archived', 'published', 'archived']);
      expect(states[1]).toEqual(damaged);
    });

    it('archives a due job after a whole batch of damaged jobs', async () => {
      const damaged = { publishedAt: ago(lifetimeMs + dayMs), version: 'x' as never };
      await insert([...Array.from({ length: 1_000 }, () => damaged), { publishedAt: ago(lifetimeMs) }]);
      expect(await run()).toBe(true);
      expect(await models.jobs.countDocuments({ state: 'archived' })).toBe(1);
    });

    it('fails, and skips no job, if the database rejects every write', async () => {
      await insert([{ publishedAt: ago(lifetimeMs) }, { publishedAt: ago(lifetimeMs) }]);
      skipped.length = 0;
      const write = jest.spyOn(models.jobs, 'updateMany').mockImplementation(() => {
        throw new Error('not authorized');
      });
      await expect(run()).rejects.toThrow('not authorized');
      write.mockRestore();
      expect(skipped).toEqual([]);
    });

    it('archives each of 1100 jobs, published at the same instant, only once in five parallel runs (Contract 2.5.5)', async () => {
      await insert(Array.from({ length: 1_100 }, () => ({ publishedAt: ago(lifetimeMs + dayMs) })));
      let archived = 0;
      const onBatch = (count: number) => void (archived += count);
      await Promise.all(Array.from({ length: 5 }, () => run({ onBatch })));
      expect(archived).toBe(1_100);
      const archivedOnce = { state: 'archived' as const, version: 2, pendingHistory: { $size: 1 } };
      expect(await models.jobs.countDocuments(archivedOnce)).toBe(1_100);
    });
  });
});

describe('removal of what is too old', () => {
  const now = new Date('2026-03-31T10:20:30.456Z');
  const dayMs = 86_400_000;
  const { models } = ownDatabase(beforeEach, afterEach);
  beforeEach(() => seedDemoData(models, now, jobLifetimeMs));

  const entry = (version: number, ageMs: number) => ({
    ...{ version, at: new Date(now.getTime() - ageMs), actor: 'me', transport: 'rest', requestId: 'r' },
    changes: [{ field: 'salary', before: null, after: 'x' }],
  });

  it.each([
    [{ HISTORY_LIFETIME: '24h' }, 'remove-old-history'],
    [{ JOB_RETENTION: '30d' }, 'remove-archived-jobs'],
  ])('is a task of a gateway with %j (Contract 9.2.8)', async (environment: Record<string, string>, name) => {
    const gateway = await startTestGateway(environment);
    const tasks = gateway.models.media.db.collection('tasks');
    await until(async () => (await tasks.countDocuments({ name })) === 1);
    await gateway.stop();
  });

  describe('HISTORY_LIFETIME (Contract 9.2.8)', () => {
    it('keeps history forever when unset, and must be at least 24 hours', () => {
      expect(removeOldHistoryTasks(models, () => now, parseSettings({}).historyLifetimeMs)).toEqual([]);
      expect(parseSettings({ HISTORY_LIFETIME: '24h' }).historyLifetimeMs).toBe(dayMs);
      expect(() => parseSettings({ HISTORY_LIFETIME: '23h' })).toThrow(
        /HISTORY_LIFETIME: expected .*at least 24h/,
      );
    });

    it('removes only entries past the lifetime, from records and from the history collection', async () => {
      const record = new Types.ObjectId();
      await models.history.collection.insertMany([
        { _id: 'job:x:2', record, ...entry(2, 2 * dayMs + 1) },
        { _id: 'job:x:3', record, ...entry(3, 2 * dayMs) },
      ] as never);
      await models.jobs.collection.updateOne(
        { publicId: 'acme-backend-engineer' },
        { $set: { version: 3, pendingHistory: [entry(2, 3 * dayMs), entry(3, dayMs)] } },
      );
      const [task] = removeOldHistoryTasks(models, () => now, 2 * dayMs);
      expect(await task?.run(taskRun)).toBe(true);
      expect((await models.history.find().lean()).map(({ _id }) => _id)).toEqual(['job:x:3']);
      const job = await models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
      expect(job?.pendingHistory.map(({ version }) => version)).toEqual([3]);
      expect(job?.version).toBe(3);
    });

    it('skips a damaged record and cleans all others (Contract 9.3.3)', async () => {
      const pendingHistory = [entry(2, 3 * dayMs)];
      const damaged = { at: entry(2, 3 * dayMs).at };
      const publicIds = ['acme-backend-engineer', 'acme-office-manager'];
      const set = (publicId: string, pending: unknown) =>
        models.jobs.collection.updateOne({ publicId }, { $set: { pendingHistory: pending } });
      await set(publicIds[0]!, damaged);
      await set(publicIds[1]!, pendingHistory);
      await models.companies.collection.updateOne(
        { publicId: 'acme' },
        {
          $set: { pendingHistory },
        },
      );
      const skipped: string[] = [];
      models.jobs.db.once('unreadable', ({ collection, id }: UnreadableRecord) =>
        skipped.push(`${collection} ${String(id)}`),
      );
      const [task] = removeOldHistoryTasks(models, () => now, 2 * dayMs);
      expect(await task?.run(taskRun)).toBe(true);
      expect(skipped).toEqual([`jobs ${publicIds[0]}`]);
      const stored = await models.jobs.collection
        .find({ publicId: { $in: publicIds } })
        .sort({ publicId: 1 })
        .toArray();
      expect(stored.map((job) => job.pendingHistory as unknown)).toEqual([damaged, []]);
      expect((await models.companies.findOne({ publicId: 'acme' }).lean())?.pendingHistory).toEqual([]);
    });

    it('reads each record once, in batches', async () => {
      const pendingHistory = [entry(2, 3 * dayMs), entry(3, dayMs)];
      await models.jobs.collection.insertMany(
        Array.from({ length: 2_001 }, (_, index) => ({
          ...{ _id: new Types.ObjectId(), publicId: `many-${index}`, version: 3, pendingHistory },
        })),
      );
      const find = jest.spyOn(models.jobs.collection, 'find');
      const [task] = removeOldHistoryTasks(models, () => now, 2 * dayMs);
      let renewals = 0;
      await task?.run({ ...taskRun, renew: async () => void (renewals += 1) });
      expect(renewals).toBe(3);
      const begins = find.mock.calls.map(
        ([filter]) => (filter as { $and?: { _id?: { $gt: Types.ObjectId } }[] }).$and?.at(-1)?._id?.$gt,
      );
      find.mockRestore();
      expect(begins.map((id) => id && String(id))).toEqual([
        undefined,
        ...(
          await models.jobs
            .find({ publicId: { $in: ['many-999', 'many-1999', 'many-2000'] } })
            .sort({ _id: 1 })
            .lean()
        ).map(({ _id }) => String(_id)),
      ]);
      expect(
        await models.jobs.countDocuments({ 'pendingHistory.0.version': 3, pendingHistory: { $size: 1 } }),
      ).toBe(2_001);
    });

    it('stops between batches when the process stops, and the next runs remove the rest', async () => {
      await models.jobs.collection.insertMany(
        Array.from({ length: 1_001 }, (_, index) => ({
          ...{ _id: new Types.ObjectId(), publicId: `many-${index}`, version: 2 },
          pendingHistory: [entry(2, 3 * dayMs)],
        })),
      );
      const record = new Types.ObjectId();
      await models.history.collection.insertMany(
        Array.from({ length: 1_001 }, (_, index) => ({
          ...{ _id: `job:x:${index}`, record },
          ...entry(index, 3 * dayMs),
        })) as never,
      );
      const carrying = () => models.jobs.countDocuments({ 'pendingHistory.0': { $exists: true } });
      const [task] = removeOldHistoryTasks(models, () => now, 2 * dayMs);
      const left: number[][] = [];
      let renewals = 0;
      const run = (isStopping: boolean) =>
        task?.run({ ...taskRun, isStopping: () => isStopping, renew: async () => void (renewals += 1) });
      for (const isDone of [false, false, false, false, true]) {
        expect(await run(!isDone)).toBe(isDone);
        left.push([await carrying(), await models.history.countDocuments()]);
      }
      expect(left).toEqual([
        [1, 1_001],
        [0, 1_001],
        [0, 1],
        [0, 0],
        [0, 0],
      ]);
      expect(renewals).toBe(4);
    });
  });
});
