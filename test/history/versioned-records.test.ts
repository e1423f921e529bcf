import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Collection, MongoServerError } from 'mongodb';
import { createConnection } from 'mongoose';
import { collectionOf } from '../../src/database/collection-of.js';
import { modelsOf } from '../../src/models.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { type KeyedCall } from '../../src/idempotency/keyed-call.js';
import { type Step } from '../../src/history/history-entry.js';
import { VersionedRecords } from '../../src/history/versioned-records.js';
import { type JobRecord } from '../../src/job/job.record.js';
import { ownDatabase } from '../support/own-database.js';
import { jobLifetimeMs } from '../support/reset-records.js';

const { database, models } = ownDatabase();
let records: VersionedRecords<JobRecord>;

beforeAll(() => {
  records = new VersionedRecords<JobRecord>('job', models.jobs, collectionOf(models.history));
});
beforeEach(async () => {
  await Promise.all(
    [models.jobs, models.history, models.idempotency].map((model) => model.collection.deleteMany({})),
  );
  await seedDemoData(models, new Date(), jobLifetimeMs);
});

const jobs = () => models.jobs.find().sort({ publicId: 1 }).lean();
const at = new Date();
const origin = { actor: 'me', transport: 'import', requestId: 'r' } as const;
const salary = (record: JobRecord, after: string) => ({
  record,
  steps: [{ at, origin, changes: [{ field: 'salary', before: record.salary, after }] }],
});

describe('many records written in one command', () => {
  it('each get their change and its history entry, unless another call has changed them (Contract 6.1.4)', async () => {
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
    // A refused write moves the entries, because the record may have been full.
    expect(await models.history.find().lean()).toMatchObject([{ record: second._id, version: 2, ...theirs }]);
  });

  it('are all written, except one whose new public id belongs to another record', async () => {
    const [first, second] = await jobs();
    if (!first || !second) throw new Error('there are jobs');
    const [step] = stepsTo('new');
    const taking = { record: first, steps: [{ ...step, derived: { publicId: second.publicId } } as Step] };
    expect(await records.writeMany([taking])).toEqual([taking]);
    expect(await records.writeMany([taking, salary(second, 'new')])).toEqual([taking]);
    expect((await jobs()).slice(0, 2)).toMatchObject([{ version: 1 }, { version: 2, salary: 'new' }]);
  });

  it('all fail if the database refuses a write for an unexpected reason', async () => {
    const record = await readFirst();
    const steps = [{ at, origin, changes: [{ field: 'salary.', before: null, after: 'new' }] }];
    await expect(records.writeMany([{ record, steps }])).rejects.toThrow();
    expect(await readFirst()).toMatchObject({ version: 1 });
  });

  it('have large entries moved to the history at once', async () => {
    const first = await readFirst();
    expect(await records.writeMany([salary(first, 'x'.repeat(9_000))])).toEqual([]);
    expect((await jobs())[0]).toMatchObject({ version: 2, pendingHistory: [] });
    expect(await models.history.find().lean()).toMatchObject([{ record: first._id, version: 2, ...origin }]);
  });

  it('fail if the database gives the command up before it comes to them (Contract 9.2.2)', async () => {
    const all = await jobs();
    const writing = jest.spyOn(Collection.prototype, 'bulkWrite');
    writing.mockImplementationOnce(async function (this: Collection, writes, options) {
      await this.bulkWrite(writes.slice(0, 1), options);
      throw new MongoServerError({ code: 50, errmsg: 'operation exceeded time limit' });
    });
    const writes = all.map((record) => salary(record, 'new'));
    expect(await records.writeMany(writes)).toEqual(writes.slice(1));
    writing.mockRestore();
    expect(await records.writeMany(writes.slice(1))).toEqual([]);
    expect((await jobs()).map((job) => [job.salary, job.version])).toEqual(all.map(() => ['new', 2]));
  });

  it('have their entries moved one record at a time, over one connection', async () => {
    const connection = await createConnection(database.uri).asPromise();
    try {
      const { jobs: sameJobs, history } = modelsOf(connection);
      const out = { now: 0, most: 0 };
      connection
        .getClient()
        .on('connectionCheckedOut', () => (out.most = Math.max(out.most, (out.now += 1))))
        .on('connectionCheckedIn', () => (out.now -= 1));
      const writes = (await jobs()).map((record) => salary(record, 'x'.repeat(9_000)));
      expect(
        await new VersionedRecords<JobRecord>('job', sameJobs, collectionOf(history)).writeMany(writes),
      ).toEqual([]);
      expect(await models.history.countDocuments()).toBe(writes.length);
      expect(out.most).toBe(1);
    } finally {
      await connection.close();
    }
  });

  it('are refused while full of entries, and written once the entries have moved', async () => {
    const first = await readFirst();
    const pendingHistory = Array.from({ length: 64 }, (_, index) => ({
      ...salary(first, `${index}`).steps[0],
      ...origin,
      version: index + 2,
    }));
    await models.jobs.collection.updateOne({ _id: first._id }, { $set: { version: 65, pendingHistory } });
    const write = async () => records.writeMany([salary(await readFirst(), 'new')]);
    expect(await write()).toHaveLength(1);
    expect((await jobs())[0]).toMatchObject({ version: 65, pendingHistory: [] });
    expect(await models.history.countDocuments()).toBe(64);
    expect(await write()).toEqual([]);
  });
});

async function readFirst(): Promise<JobRecord> {
  const [record] = await jobs();
  if (!record) throw new Error('there are jobs');
  return record;
}

const stepsTo = (...salaries: string[]) =>
  salaries.map((after) => ({ at, origin, changes: [{ field: 'salary', before: null, after }] }));

const comparedStepsTo = (...salaries: string[]) =>
  stepsTo(...salaries).map((step, index) => ({
    ...step,
    derived: { derivedKey: `key of ${salaries[index]}` },
  }));

const entryOf = (version: number, after: string) => ({
  version,
  at,
  ...origin,
  changes: [{ field: 'salary', before: null, after }],
});

/** Gives the first job `version` and its last `count` entries. */
async function carry(version: number, count: number): Promise<JobRecord> {
  const pendingHistory = Array.from({ length: count }, (_, index) => ({
    ...entryOf(version - count + 1 + index, 'old'),
  }));
  const { _id } = await readFirst();
  await models.jobs.collection.updateOne({ _id }, { $set: { version, pendingHistory } });
  return readFirst();
}

describe('a write (Contract 6.1.4)', () => {
  it('stores a version and an entry for each step, but no derived field in the entries', async () => {
    const record = await readFirst();
    const after = await records.write(record, comparedStepsTo('1', '2'));
    expect(after).toMatchObject({ _id: record._id, version: 3, salary: '2', derivedKey: 'key of 2' });
    const stored = await models.jobs.collection.findOne({ _id: record._id });
    expect(stored).toMatchObject({ version: 3, salary: '2', derivedKey: 'key of 2' });
    expect(stored?.pendingHistory).toEqual(['1', '2'].map((salary, index) => entryOf(index + 2, salary)));
  });

  it('without steps stores nothing, not even its call', async () => {
    const record = await readFirst();
    expect(await records.write(record, [], callOf('k'))).toBe(record);
    expect(await readFirst()).toEqual(record);
  });

  it('on an outdated version is refused, but moves the entries out of the record', async () => {
    const record = await readFirst();
    await records.write(record, stepsTo('theirs'));
    expect(await records.write(record, stepsTo('late'))).toBeNull();
    expect(await readFirst()).toMatchObject({ version: 2, salary: 'theirs', pendingHistory: [] });
    expect(await models.history.find().lean()).toMatchObject([{ version: 2 }]);
  });

  it('stores its call with the version of the last step, as one of the last 16 calls (Contract 6.2.2)', async () => {
    await records.write(await readFirst(), stepsTo('1', '2'), callOf('k'));
    expect((await readFirst()).keyedCalls).toEqual([{ key: 'k', input: 'i', at, version: 3 }]);
    for (let count = 1; count <= 16; count += 1)
      await records.write(await readFirst(), stepsTo(`${count}`), callOf(`${count}`));
    const { keyedCalls = [] } = await readFirst();
    expect(keyedCalls.map(({ key }) => key)).toEqual(
      Array.from({ length: 16 }, (_, index) => `${index + 1}`),
    );
  });
});

describe('moving history entries out of the record', () => {
  it.each([
    [30, 1, false],
    [31, 1, true],
    [32, 1, false],
    [30, 2, true],
    [31, 2, true],
    [63, 1, true],
  ])('happens at every 32nd version (from %d, with %d steps: %s)', async (version, steps, isMoved) => {
    const record = await carry(version, 2);
    await records.write(record, stepsTo(...Array.from({ length: steps }, () => 'new')));
    expect((await readFirst()).pendingHistory).toHaveLength(isMoved ? 0 : 2 + steps);
    expect(await models.history.countDocuments()).toBe(isMoved ? 2 + steps : 0);
  });

  it.each([
    [
      'happens at once if the values have more than 8,192 UTF-16 units',
      ['x'.repeat(4_000), 'x'.repeat(4_193)],
      true,
    ],
    ['waits if the values have 8,192 units', ['x'.repeat(4_000), 'x'.repeat(4_192)], false],
    ['waits if the values have 8,192 units, not counting null and numbers', [null, 'x'.repeat(8_192)], false],
    ['waits if the values have 8,192 units, with lists counted as JSON', [['x'.repeat(8_188)], 7], false],
    ['happens at once if lists have more than 8,192 units as JSON', [['x'.repeat(8_189)], null], true],
  ])('%s', async (_when, [before, after], isMoved) => {
    const changes = [{ field: 'salary', before, after }];
    await records.write(await readFirst(), [{ at, origin, changes }]);
    expect((await readFirst()).pendingHistory).toHaveLength(isMoved ? 0 : 1);
  });

  it('does not remove entries that a write adds meanwhile', async () => {
    const record = await carry(10, 2);
    const copying = jest.spyOn(Collection.prototype, 'insertMany');
    copying.mockImplementationOnce(async function (this: Collection, entries: readonly object[], options) {
      const copied = await this.insertMany(entries, options);
      await records.write(await readFirst(), stepsTo('meanwhile'));
      return copied;
    });
    await records.movePending(record);
    copying.mockRestore();
    expect((await readFirst()).pendingHistory).toMatchObject([{ version: 11 }]);
    expect(await models.history.countDocuments()).toBe(2);
  });

  it('succeeds for several callers at once, even on DocumentDB, where conflicting upserts fail or deadlock', async () => {
    const record = await readFirst();
    const reading = jest.spyOn(Collection.prototype, 'findOne');
    try {
      for (let version = 1; version <= 60; version += 1) {
        reading.mockResolvedValue({ ...record, pendingHistory: [entryOf(version, 'x'.repeat(50_000))] });
        await Promise.all(Array.from({ length: 4 }, () => records.movePending(record)));
      }
    } finally {
      reading.mockRestore();
    }
    expect(await models.history.countDocuments()).toBe(60);
  });

  it('moves the small entries of a write too if one of its entries is large', async () => {
    await records.write(await readFirst(), stepsTo('x'.repeat(9_000), 'short'));
    expect((await readFirst()).pendingHistory).toEqual([]);
  });

  it('stores each entry in the history once and whole', async () => {
    await records.write(await carry(31, 1), stepsTo('new'));
    const record = await readFirst();
    const { _id } = record;
    const moved = await models.history.find().sort({ version: 1 }).lean();
    expect(moved).toEqual([
      { _id: `job:${_id.toHexString()}:31`, record: _id, ...entryOf(31, 'old') },
      { _id: `job:${_id.toHexString()}:32`, record: _id, ...entryOf(32, 'new') },
    ]);
    await records.movePending(record);
    expect(await models.history.countDocuments()).toBe(2);
  });

  it.each([
    ['a 64th entry still fits', 'x', 63, true],
    ['a small 65th entry is refused, but the others move', 'x', 64, false],
    ['a large 65th entry is stored after the others have moved', 'x'.repeat(9_000), 64, true],
  ])('makes room in a full record: %s', async (_size, text, count, isRoom) => {
    const record = await carry(count + 100, count);
    const written = await records.write(record, stepsTo(text));
    expect(written !== null).toBe(isRoom);
    if (!isRoom) expect(await readFirst()).toMatchObject({ version: count + 100, pendingHistory: [] });
  });

  it('happens before a large write if an earlier move failed: the record could not hold the old entries and the new ones', async () => {
    const large = 'x'.repeat(6_000_000);
    const write = {
      write: async (record: JobRecord) => records.write(record, stepsTo(large)),
      writeMany: async (record: JobRecord) => records.writeMany([{ record, steps: stepsTo(large) }]),
    };
    for (const [name, make] of Object.entries(write)) {
      const { _id, version } = await readFirst();
      const pendingHistory = [entryOf(version + 1, 'x'.repeat(6_000_000))];
      await models.jobs.collection.updateOne({ _id }, { $set: { version: version + 1, pendingHistory } });
      await make(await readFirst());
      expect({ name, record: await readFirst() }).toMatchObject({
        record: { version: version + 2, salary: large, pendingHistory: [] },
      });
    }
    expect(await models.history.countDocuments()).toBe(4);
  });

  it('is not needed while the record has room: 62 entries leave room for two more, but not three', async () => {
    const record = await carry(200, 62);
    expect(await records.write(record, stepsTo('1', '2', '3'))).toBeNull();
    expect(await records.write(await carry(201, 62), stepsTo('1', '2'))).toMatchObject({ version: 203 });
  });
});

const callOf = (key: string): KeyedCall => ({ digest: { key, input: 'i' }, at, isReplayed: false });

it('a write counts as made if the record has its entry from the same call', async () => {
  const record = await readFirst();
  const write = salary(record, 'new');
  const carrying = (requestId: string) => ({
    version: 2,
    pendingHistory: [{ ...entryOf(2, 'new'), requestId }],
  });
  await models.jobs.updateOne({ _id: record._id }, { $set: carrying(write.steps[0]!.origin.requestId) });
  expect(await records.writeMany([write])).toEqual([]);
  await models.jobs.updateOne({ _id: record._id }, { $set: carrying('theirs') });
  expect(await records.writeMany([write])).toEqual([write]);
});

it('writing no records returns no refused writes', async () => {
  expect(await records.writeMany([])).toEqual([]);
});
