import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import mongoose, { type Types } from 'mongoose';
import { collectionOf } from '../../src/database/collection-of.js';
import { ReplyBudget } from '../../src/paging/reply-budget.js';
import { PageRequest } from '../../src/paging/page.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { type HistoryEntry, type HistoryPosition } from '../../src/history/history-entry.js';
import { entryId } from '../../src/history/history.record.js';
import { HistoryService } from '../../src/history/history.service.js';
import { ownDatabase } from '../support/own-database.js';
import { jobLifetimeMs } from '../support/reset-records.js';

const { models } = ownDatabase();
let service: HistoryService;
let job: Types.ObjectId;
let publicId: string;

beforeAll(async () => {
  await seedDemoData(models, new Date(), jobLifetimeMs);
  const [jobs, history] = [collectionOf(models.jobs), collectionOf(models.history)];
  service = new HistoryService('job', jobs, history, {
    inputNames: new Map(),
    hidden: ['managerEmails'],
  });
});
beforeEach(async () => {
  await models.history.deleteMany({});
  publicId = 'acme-backend-engineer';
  ({ _id: job } = await models.jobs.findOne({ publicId }).orFail().lean());
});
afterEach(() => void jest.restoreAllMocks());

/** A position in the history of the first job, or of a job whose public id is its id. */
const positionOf = (record: Types.ObjectId, version = 1_000): HistoryPosition => ({
  ...{ record, publicId: record.equals(job) ? publicId : String(record), version },
});

const cursor = (version: number | string) => Buffer.from(String(version)).toString('base64url');

const entryOf = (version: number, field = `field${version}`, after: unknown = version): HistoryEntry => ({
  version,
  at: new Date(version),
  actor: 'me',
  transport: 'rest',
  requestId: `r${version}`,
  changes: [{ field, before: null, after }],
});

/** Stores `moved` in the collection, `pending` in the record. */
async function store(moved: HistoryEntry[], pending: HistoryEntry[], version?: number): Promise<void> {
  await models.history.insertMany(
    moved.map((entry) => ({ ...entry, _id: entryId('job', job, entry.version), record: job })),
  );
  const newest = version ?? [...moved, ...pending].at(-1)?.version ?? 1;
  await models.jobs.updateOne({ _id: job }, { $set: { version: newest, pendingHistory: pending } });
}

const page = (first: number, after?: string, budget = new ReplyBudget()) =>
  service.page(positionOf(job), new PageRequest({ first, after }, budget));

async function versions(first: number, after?: string, budget?: ReplyBudget) {
  const { edges, pageInfo } = await page(first, after, budget);
  return { versions: edges.map(({ node }) => node.version), hasNextPage: pageInfo.hasNextPage };
}

/** Counts what is read of a collection from now on. */
function countRead({ collection }: Pick<typeof models.history | typeof models.jobs, 'collection'>) {
  const read = { count: 0 };
  const find = collection.find.bind(collection);
  jest.spyOn(collection, 'find').mockImplementation((...asked) => {
    const found = find(...asked);
    const records = found[Symbol.asyncIterator].bind(found);
    found[Symbol.asyncIterator] = async function* () {
      for await (const record of records()) {
        read.count += 1;
        yield record;
      }
    };
    return found;
  });
  return read;
}

describe('a page of history (Contract 6.1.5)', () => {
  it('has entries of the record and the collection, newest first, and says whether more follow', async () => {
    await store(
      [2, 3, 4, 5].map((version) => entryOf(version)),
      [entryOf(6), entryOf(7)],
    );
    expect(await versions(3)).toEqual({ versions: [7, 6, 5], hasNextPage: true });
    expect(await versions(3, cursor(5))).toEqual({ versions: [4, 3, 2], hasNextPage: false });
    expect(await versions(2, cursor(5))).toEqual({ versions: [4, 3], hasNextPage: true });
    expect(await versions(6)).toEqual({ versions: [7, 6, 5, 4, 3, 2], hasNextPage: false });
    expect(await versions(100, cursor(99))).toEqual({ versions: [7, 6, 5, 4, 3, 2], hasNextPage: false });
    expect(await versions(100, cursor(2))).toEqual({ versions: [], hasNextPage: false });
    const { edges, pageInfo } = await page(1, cursor(7));
    expect(edges).toMatchObject([{ cursor: cursor(6), node: entryOf(6) }]);
    expect(pageInfo).toMatchObject({ startCursor: cursor(6), endCursor: cursor(6), hasPreviousPage: true });
  });

  it('is empty for a record that never changed or is missing', async () => {
    await store([], [], 1);
    expect(await versions(10)).toEqual({ versions: [], hasNextPage: false });
    await models.jobs.updateOne({ _id: job }, { $set: { version: 0 } });
    expect(await versions(10)).toEqual({ versions: [], hasNextPage: false });
    job = (await models.media.findOne().lean())?._id ?? job;
    expect(await versions(10)).toEqual({ versions: [], hasNextPage: false });
  });

  it('first queries a few entries, then the rest of the page plus one, but no entry in the record', async () => {
    const find = jest.spyOn(models.history.collection, 'find');
    const asked = () =>
      find.mock.calls.map(([filter]) =>
        (filter as unknown as { _id: { $in: string[] } })._id.$in.map((id) => Number(id.split(':')[2])),
      );
    const many = Array.from({ length: 39 }, (_, index) => entryOf(index + 2));
    await store(many.slice(0, 38), many.slice(38));
    await versions(2);
    expect(asked()).toEqual([[39, 38]]);
    find.mockClear();
    await versions(8);
    expect(asked()).toEqual([[39, 38, 37, 36, 35, 34, 33, 32]]);
    find.mockClear();
    await versions(100);
    expect(asked().map((ids) => [ids[0], ids.at(-1), ids.length])).toEqual([
      [39, 32, 8],
      [31, 1, 31],
    ]);
    find.mockClear();
    await versions(2, cursor(3));
    expect(asked()).toEqual([[2, 1]]);
    find.mockClear();
    await versions(2, cursor(1));
    expect(asked()).toEqual([]);
  });

  it('queries no more entries once the answer is full', async () => {
    const find = jest.spyOn(models.history.collection, 'find');
    await store(
      Array.from({ length: 20 }, (_, index) => entryOf(index + 2, 'salary', 'x'.repeat(300_000))),
      [],
    );
    expect((await versions(20)).versions).toEqual([21, 20, 19, 18, 17, 16]);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('skips entries that were removed', async () => {
    await store([entryOf(3), entryOf(5)], [entryOf(6)]);
    expect(await versions(4)).toEqual({ versions: [6, 5, 3], hasNextPage: false });
    await models.history.deleteOne({ record: job, version: 3 });
    expect(await versions(2)).toEqual({ versions: [6, 5], hasNextPage: false });
  });

  it('ends when the answer is full, and the next page continues there (Contract 6.1.5)', async () => {
    const long = 'x'.repeat(700_000);
    await store(
      [2, 3, 4, 5, 6].map((version) => entryOf(version, 'salary', long)),
      [],
    );
    const budget = new ReplyBudget();
    expect(await versions(5, undefined, budget)).toEqual({ versions: [6, 5], hasNextPage: true });
    expect(await versions(5, cursor(5), budget)).toEqual({ versions: [], hasNextPage: true });
    expect(await versions(5, cursor(5))).toEqual({ versions: [4, 3], hasNextPage: true });
    expect(await versions(5, cursor(3))).toEqual({ versions: [2], hasNextPage: false });
  });

  it('has at least one entry, however long, unless the answer is full (Contract 6.1.5)', async () => {
    const long = 'x'.repeat(2_200_000);
    await store(
      [2, 3, 4].map((version) => entryOf(version, 'offices', long)),
      [],
    );
    const afterItsRecord = () => {
      const budget = new ReplyBudget();
      expect(budget.take(1)).toBe(true);
      return budget;
    };
    const budget = afterItsRecord();
    expect(await versions(5, undefined, budget)).toEqual({ versions: [4], hasNextPage: true });
    expect(await versions(5, undefined, budget)).toEqual({ versions: [], hasNextPage: true });
    expect(await versions(5, cursor(4), afterItsRecord())).toEqual({ versions: [3], hasNextPage: true });
    expect(await versions(5, cursor(3), afterItsRecord())).toEqual({ versions: [2], hasNextPage: true });
    expect(await versions(5, cursor(2), afterItsRecord())).toEqual({ versions: [], hasNextPage: false });
  });

  it('reads no more entries than its bytes allow, however long each is (Contract 6.1.5)', async () => {
    const long = 'x'.repeat(2_200_000);
    await store(
      Array.from({ length: 11 }, (_, index) => entryOf(index + 2, 'offices', long)),
      [],
    );
    const read = countRead(models.history);
    expect(await versions(8, cursor(10))).toEqual({ versions: [9], hasNextPage: true });
    expect(read.count).toBe(1);
    const shown: number[] = [];
    for (let after: string | undefined; ;) {
      const { edges, pageInfo } = await page(20, after);
      shown.push(...edges.map(({ node }) => node.version));
      if (!pageInfo.hasNextPage) break;
      expect(edges.length).toBe(1);
      after = pageInfo.endCursor ?? undefined;
    }
    expect(shown).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    // Versions 10 to 12 have later ids than versions 2 to 9.
    expect(read.count).toBeLessThan(20);
  });

  it('reads no more records than their entries allow (Contract 6.1.5)', async () => {
    const ids = Array.from({ length: 12 }, () => new mongoose.Types.ObjectId());
    const pendingHistory = [entryOf(2, 'offices', 'x'.repeat(1_000_000))];
    await models.jobs.collection.insertMany(
      ids.map((_id) => ({ _id, publicId: String(_id), version: 2, pendingHistory })),
    );
    const budget = new ReplyBudget();
    const read = countRead(models.jobs);
    const pages = await Promise.all(
      ids.map((id) => service.page(positionOf(id), new PageRequest({ first: 1 }, budget))),
    );
    await models.jobs.deleteMany({ _id: { $in: ids } });
    const shown = pages.filter(({ edges }) => edges.length === 1);
    expect(shown.length).toBe(3);
    expect(read.count).toBe(9);
    expect(pages.every(({ edges, pageInfo }) => edges.length === 1 || pageInfo.hasNextPage)).toBe(true);
  });

  it('has no gap when many entries are read before the answer is full', async () => {
    await store(
      Array.from({ length: 100 }, (_, index) => entryOf(index + 2, 'salary', 'x'.repeat(30_000))),
      [],
    );
    const { versions: shown, hasNextPage } = await versions(100);
    expect(shown).toEqual(Array.from({ length: shown.length }, (_, index) => 101 - index));
    expect(shown.length).toBeGreaterThanOrEqual(40);
    expect(hasNextPage).toBe(true);
  });

  it('has only entries of its record if several pages are requested at once', async () => {
    await store([entryOf(2)], [entryOf(3)]);
    const other = await models.jobs.findOne({ _id: { $ne: job } }).lean();
    if (!other) throw new Error('there are jobs');
    await models.jobs.updateOne({ _id: other._id }, { $set: { version: 2, pendingHistory: [entryOf(2)] } });
    const budget = new ReplyBudget();
    const pages = await Promise.all([
      service.page(positionOf(job), new PageRequest({ first: 1 }, budget)),
      service.page(
        { record: other._id, publicId: other.publicId, version: 1_000 },
        new PageRequest({ first: 5 }, budget),
      ),
      service.page(positionOf(job), new PageRequest({ first: 5, after: cursor(3) }, budget)),
    ]);
    expect(pages.map(({ edges }) => edges.map(({ node }) => node.version))).toEqual([[3], [2], [2]]);
  });
});

describe('history pages with removed entries (Contract 9.2.8)', () => {
  afterEach(() => models.jobs.deleteMany({ publicId: /^[0-9a-f]{24}$/ }));

  /** Stores records with entries of the versions `carried` in the record and `left` in the collection. */
  async function storeMany(
    records: readonly { version: number; carried?: readonly number[]; left: readonly number[] }[],
  ): Promise<Types.ObjectId[]> {
    const stored = records.map((record) => ({ ...record, _id: new mongoose.Types.ObjectId() }));
    await models.jobs.collection.insertMany(
      stored.map(({ _id, version, carried = [] }) => ({
        ...{ _id, publicId: String(_id), version },
        pendingHistory: carried.map((one) => entryOf(one)),
      })),
    );
    const moved = stored.flatMap(({ _id, left }) =>
      left.map((one) => ({ ...entryOf(one), _id: entryId('job', _id, one), record: _id })),
    );
    if (moved.length > 0) await models.history.collection.insertMany(moved as never);
    return stored.map(({ _id }) => _id);
  }
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  it('have the remaining entries, newest first, however many of the oldest were removed', async () => {
    const record = fc
      .tuple(fc.integer({ min: 1, max: 90 }), fc.nat(90), fc.nat(10))
      .map(([version, removed, carrying]) => {
        const left = numbers(2, version).slice(removed);
        const from = Math.max(0, left.length - carrying);
        return { version, left: left.slice(0, from), carried: left.slice(from) };
      });
    const asked = fc.record({
      which: fc.nat(2),
      first: fc.integer({ min: 1, max: 30 }),
      before: fc.option(fc.integer({ min: 1, max: 95 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 3, maxLength: 3 }),
        fc.array(asked, { minLength: 1, maxLength: 4 }),
        async (records, questions) => {
          const ids = await storeMany(records);
          const budget = new ReplyBudget();
          const read = await Promise.all(
            questions.map(({ which, first, before }) =>
              service.page(
                positionOf(ids[which] ?? job),
                new PageRequest({ first, after: before === null ? undefined : cursor(before) }, budget),
              ),
            ),
          );
          const expected = questions.map(({ which, first, before }) => {
            const { left = [], carried = [] } = records[which] ?? {};
            const all = [...left, ...carried].reverse().filter((version) => version < (before ?? Infinity));
            return { versions: all.slice(0, first), hasNextPage: all.length > first };
          });
          expect(
            read.map(({ edges, pageInfo: { hasNextPage } }) => ({
              versions: edges.map(({ node }) => node.version),
              hasNextPage,
            })),
          ).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the fields changed since a version (Contract 6.1)', () => {
  it('are listed once each, in the order of their first change', async () => {
    await store([entryOf(2, 'a'), entryOf(3, 'b')], [entryOf(4, 'c'), entryOf(5, 'b')]);
    expect(await service.fieldsChangedSince({ _id: job, publicId }, 1)).toEqual(['a', 'b', 'c']);
    expect(await service.fieldsChangedSince({ _id: job, publicId }, 2)).toEqual(['b', 'c']);
    expect(await service.fieldsChangedSince({ _id: job, publicId }, 3)).toEqual(['c', 'b']);
    expect(await service.fieldsChangedSince({ _id: job, publicId }, 5)).toEqual([]);
    expect(await service.fieldsChangedSince({ _id: job, publicId }, 0)).toEqual([]);
    expect(await service.fieldsChangedSince({ _id: job, publicId }, -1)).toEqual([]);
  });

  it('are read from at most a hundred entries of the collection, oldest first', async () => {
    await store(
      Array.from({ length: 102 }, (_, index) => entryOf(103 - index)),
      [],
    );
    expect(await service.fieldsChangedSince({ _id: job, publicId }, 1)).toEqual(
      Array.from({ length: 100 }, (_, index) => `field${index + 2}`),
    );
  });

  it('are an empty list for a missing record', async () => {
    const missing = { _id: new mongoose.Types.ObjectId(), publicId: 'missing' };
    expect(await service.fieldsChangedSince(missing, 1)).toEqual([]);
  });
});
