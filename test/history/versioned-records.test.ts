import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Models, modelsOf, prepareDatabase } from '../../src/database/models.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { VersionedRecords } from '../../src/history/versioned-records.js';
import { type JobRecord } from '../../src/job/job.model.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let models: Models;
let records: VersionedRecords<JobRecord>;

beforeAll(async () => {
  database = await openTestDatabase();
  models = modelsOf(database.connection);
  await prepareDatabase(models);
  records = new VersionedRecords('job', models.jobs, models.history);
});
beforeEach(async () => {
  await Promise.all([models.jobs.deleteMany({}), models.history.deleteMany({})]);
  await seedDemoData(models, new Date());
});
afterAll(() => database.close());

const jobs = () => models.jobs.find().sort({ publicId: 1 }).lean();
const at = new Date();
const origin = { actor: 'me', transport: 'import', requestId: 'r' } as const;
const salary = (record: JobRecord, after: string) => ({
  record,
  steps: [{ at, origin, changes: [{ field: 'salary', before: record.salary, after }] }],
});

it('a call with a key that changes nothing is noted in the record that it found, and in no other (Contract 9.3.9)', async () => {
  const [record] = await jobs();
  if (!record) throw new Error('there are jobs');
  const call = { digest: { key: 'k', input: 'i' }, at, mayHaveRun: () => false, isReplayed: false };
  expect(await records.write(record, [], call)).toBe(record);
  expect((await jobs())[0]).toMatchObject({ version: 1, unchangingCalls: [{ at, call: call.digest }] });
  await records.write(record, salary(record, 'new').steps);
  expect(await records.write(record, [], call)).toBeNull();
  expect((await jobs())[0]?.unchangingCalls).toHaveLength(1);
});

describe('many records that are written in one command', () => {
  it('each have their change and its entry, but for those that somebody else has changed (Contract 10.1.1)', async () => {
    const [first, second] = await jobs();
    if (!first || !second) throw new Error('there are jobs');
    const theirs = { ...origin, requestId: 'theirs' };
    await records.write(
      second,
      salary(second, 'before').steps.map((step) => ({ ...step, origin: theirs })),
    );
    const writes = [salary(first, 'new'), salary(second, 'new')];
    expect(await records.writeMany(writes)).toEqual([writes[1]]);
    expect((await jobs()).slice(0, 2)).toMatchObject([
      { salary: 'new', version: 2, pendingHistory: [{ version: 2, ...origin }] },
      { salary: 'before', version: 2, pendingHistory: [] },
    ]);
    // It might have been refused for want of room, so its entries have moved.
    expect(await models.history.find().lean()).toMatchObject([{ record: second._id, version: 2, ...theirs }]);
  });

  it('have large entries moved to the history at once', async () => {
    const [first] = await jobs();
    if (!first) throw new Error('there are jobs');
    expect(await records.writeMany([salary(first, 'x'.repeat(9_000))])).toEqual([]);
    expect((await jobs())[0]).toMatchObject({ version: 2, pendingHistory: [] });
    expect(await models.history.find().lean()).toMatchObject([{ record: first._id, version: 2, ...origin }]);
  });

  it('are written again after their entries have moved, where there was no room for another', async () => {
    const [first] = await jobs();
    if (!first) throw new Error('there are jobs');
    const pendingHistory = Array.from({ length: 64 }, (_, index) => ({
      ...salary(first, `${index}`).steps[0],
      ...origin,
      version: index + 2,
    }));
    await models.jobs.collection.updateOne({ _id: first._id }, { $set: { version: 65, pendingHistory } });
    const write = async () => {
      const [full] = await jobs();
      return records.writeMany(full ? [salary(full, 'new')] : []);
    };
    expect(await write()).toHaveLength(1);
    expect((await jobs())[0]).toMatchObject({ version: 65, pendingHistory: [] });
    expect(await models.history.countDocuments()).toBe(64);
    expect(await write()).toEqual([]);
  });
});
