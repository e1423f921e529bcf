import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { removeOldHistoryTasks } from '../../src/archiver/remove-old-history.task.js';
import { type Models, modelsOf, prepareDatabase } from '../../src/database/models.js';
import { demoData } from '../../src/demo/demo-data.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { parseSettings } from '../../src/settings.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';

const now = new Date('2026-03-31T10:20:30.456Z');
const dayMs = 86_400_000;
let database: TestDatabase;
let models: Models;
beforeEach(async () => {
  database = await openTestDatabase();
  models = modelsOf(database.connection);
  await prepareDatabase(models);
  await seedDemoData(models, now);
});
afterEach(() => database.close());

const entry = (version: number, ageMs: number) => ({
  ...{ version, at: new Date(now.getTime() - ageMs), actor: 'me', transport: 'rest', requestId: 'r' },
  changes: [{ field: 'salary', before: null, after: 'x' }],
});

describe('the lifetime of history (Contract 10.3.1)', () => {
  it('is for ever without HISTORY_LIFETIME, and at least 24 hours with it', () => {
    expect(removeOldHistoryTasks(models, () => now, parseSettings({}).historyLifetimeMs)).toEqual([]);
    expect(parseSettings({ HISTORY_LIFETIME: '24h' }).historyLifetimeMs).toBe(dayMs);
    expect(() => parseSettings({ HISTORY_LIFETIME: '23h' })).toThrow(
      /HISTORY_LIFETIME: expected .*at least 24h/,
    );
  });

  it('ends for the entries that are older, wherever they are, and for no other', async () => {
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
    const isDone = await task?.run({ id: 'x', isStopping: () => false, renew: async () => undefined });
    expect(isDone).toBe(true);
    expect((await models.history.find().lean()).map(({ _id }) => _id)).toEqual(['job:x:3']);
    const job = await models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    expect(job?.pendingHistory.map(({ version }) => version)).toEqual([3]);
    expect(job?.version).toBe(3);
  });

  it('ends in batches that go through the records once, however many there are', async () => {
    const [pattern] = demoData(now).jobs;
    const pendingHistory = [entry(2, 3 * dayMs), entry(3, dayMs)];
    await models.jobs.collection.insertMany(
      Array.from({ length: 2_500 }, (_, index) => ({
        ...{ ...pattern, _id: new Types.ObjectId(), publicId: `many-${index}`, version: 3, pendingHistory },
      })),
    );
    const find = jest.spyOn(models.jobs.collection, 'find');
    const [task] = removeOldHistoryTasks(models, () => now, 2 * dayMs);
    let renewals = 0;
    await task?.run({ id: 'x', isStopping: () => false, renew: async () => void (renewals += 1) });
    expect(renewals).toBe(3);
    const begins = find.mock.calls.map(([filter]) => (filter as { _id?: { $gt: Types.ObjectId } })._id?.$gt);
    find.mockRestore();
    expect(begins.map((id) => id && String(id))).toEqual([
      undefined,
      ...(
        await models.jobs
          .find({ publicId: { $in: ['many-999', 'many-1999', 'many-2499'] } })
          .sort({ _id: 1 })
          .lean()
      ).map(({ _id }) => String(_id)),
    ]);
    expect(
      await models.jobs.countDocuments({ 'pendingHistory.0.version': 3, pendingHistory: { $size: 1 } }),
    ).toBe(2_500);
  });

  it('ends between batches where the process stops, and the next run removes the rest, wherever it is', async () => {
    const [pattern] = demoData(now).jobs;
    await models.jobs.collection.insertMany(
      Array.from({ length: 1_001 }, (_, index) => ({
        ...{ ...pattern, _id: new Types.ObjectId(), publicId: `many-${index}`, version: 2 },
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
      task?.run({ id: 'x', isStopping: () => isStopping, renew: async () => void (renewals += 1) });
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
