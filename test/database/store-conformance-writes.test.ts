import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, type Db, type Document, type UpdateFilter } from 'mongodb';
import { databaseOf } from '../../src/database/connect.js';
import { ownDatabase } from '../support/own-database.js';

const { database } = ownDatabase();
let db: Db;
let docs: Collection<Document>;

beforeAll(() => {
  db = databaseOf(database.connection);
  docs = db.collection<Document>('docs');
});
beforeEach(() => docs.deleteMany({}));

describe('updates in the store', () => {
  it('$currentDate uses the clock of the database', async () => {
    await docs.insertOne({ a: 1, at: null });
    await docs.updateOne({ a: 1 }, { $currentDate: { at: true, 'b.at': true } });
    const { at, b } = ((await docs.findOne({ a: 1 })) ?? {}) as Document;
    for (const set of [at, (b as Document).at] as Date[]) {
      expect(set).toBeInstanceOf(Date);
      expect(Math.abs(Number(set) - Date.now())).toBeLessThan(10_000);
    }
  });

  const cases: [before: Document, update: Document | Document[], after: Document][] = [
    [{ a: 1 }, { $set: { b: 2, 'c.d': 3 } }, { a: 1, b: 2, c: { d: 3 } }],
    [{ a: 1, b: { c: 1, d: 2 } }, { $unset: { a: '', 'b.c': '' } }, { b: { d: 2 } }],
    [{ a: 1 }, { $inc: { a: 2, b: -1 } }, { a: 3, b: -1 }],
    [{ a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
    [{ a: [1, 2] }, { $push: { a: { $each: [3, 4], $slice: -3 } } }, { a: [2, 3, 4] }],
    [{ a: [1] }, { $push: { a: { $each: [2, 3], $slice: 2 } } }, { a: [1, 2] }],
    [{ a: 4, b: 4 }, { $max: { a: 3, b: 5, c: 1 } }, { a: 4, b: 5, c: 1 }],
    [{}, { $push: { a: 1 } }, { a: [1] }],
    [{ a: [{ k: 1, v: 2 }, { k: 2 }] }, { $pull: { a: { k: 1 } } }, { a: [{ k: 2 }] }],
    [
      { a: 1, log: [1] },
      [{ $set: { log: { $concatArrays: ['$log', [{ was: '$a' }]] }, a: { $add: ['$a', 1] } } }],
      { a: 2, log: [1, { was: 1 }] },
    ],
    [
      { a: 1 },
      [{ $set: { c: { $cond: [{ $gt: ['$a', 0] }, 'more', 'other'] } } }, { $project: { a: 0 } }],
      { c: 'more' },
    ],
    [
      { at: new Date(5), n: 2 },
      [{ $set: { at: { $add: ['$at', 10] }, n: '$$ROOT.at' } }],
      { at: new Date(15), n: new Date(5) },
    ],
    [
      { s: 'text' },
      [{ $set: { n: { $cond: [{ $gt: ['$s', 'a'] }, 0, { $add: ['$s', 1] }] } } }],
      { s: 'text', n: 0 },
    ],
  ];

  it.each(cases)('%j with %j becomes %j', async (before, update, after) => {
    await docs.insertMany([
      { _id: 1, ...before },
      { _id: 2, ...before },
    ] as never);
    const result = await docs.updateOne({ _id: 1 as never }, update);
    expect(result).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect(await docs.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, ...after },
      { _id: 2, ...before },
    ]);
  });

  it.each([
    { $inc: { s: 1 } },
    { $set: { 's.x': 1 } },
    { $set: { 'empty.x': 1 } },
    { $foo: { a: 1 } },
    { $set: { 'list.$': 1 } },
    { $set: { 'list.$[]': 1, 'nope.$[]': 1 } },
    { $push: { s: 1 } },
  ])('%j is refused and changes nothing', async (update) => {
    await docs.insertOne({ _id: 1 as never, s: 'text', empty: null, n: 1, list: [1] });
    const command = { update: 'docs', updates: [{ q: { _id: 1 }, u: update }] };
    const { writeErrors } = await db.command(command);
    expect(writeErrors).toHaveLength(1);
    expect(await docs.findOne({})).toEqual({ _id: 1, s: 'text', empty: null, n: 1, list: [1] });
  });

  it('an update to the same values reports no change', async () => {
    await docs.insertOne({ _id: 1 as never, a: 1 });
    expect(await docs.updateOne({}, { $set: { a: 1 } })).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
  });

  it('an upsert stores the fields of filter and update', async () => {
    const update = { $set: { c: 3 }, $setOnInsert: { d: 4 }, $inc: { n: 1 } };
    await docs.updateOne({ _id: 1 as never, a: 1, 'b.x': 2, z: { $gt: 1 } }, update, { upsert: true });
    await docs.updateOne({ _id: 1 as never }, { $setOnInsert: { d: 5 }, $inc: { n: 1 } }, { upsert: true });
    expect(await docs.findOne({})).toEqual({ _id: 1, a: 1, b: { x: 2 }, c: 3, d: 4, n: 2 });
  });

  it('findAndModify picks one document by sort order, and projects it', async () => {
    await docs.insertMany([
      { _id: 1, n: 2 },
      { _id: 2, n: 1 },
    ] as never);
    const update: UpdateFilter<Document> = { $set: { done: true } };
    const options = { sort: { n: 1 }, returnDocument: 'after', projection: { done: 1 } } as const;
    expect(await docs.findOneAndUpdate({ done: { $exists: false } }, update, options)).toEqual({
      _id: 2,
      done: true,
    });
    expect(await docs.findOneAndUpdate({ _id: 1 as never }, { $inc: { n: 1 } })).toEqual({ _id: 1, n: 2 });
    expect(await docs.findOneAndUpdate({ _id: 9 as never }, update)).toBeNull();
    const upsert = { upsert: true, returnDocument: 'after' } as const;
    expect(await docs.findOneAndReplace({ _id: 9 as never }, { a: 1 }, upsert)).toEqual({ _id: 9, a: 1 });
  });

  it('a bulk write runs all its writes', async () => {
    const result = await docs.bulkWrite([
      { insertOne: { document: { _id: 1 as never, a: 1 } } },
      { insertOne: { document: { _id: 2 as never, a: 1 } } },
      { updateMany: { filter: { a: 1 }, update: { $set: { b: 1 } } } },
      { replaceOne: { filter: { _id: 1 as never }, replacement: { c: 1 } } },
      { deleteOne: { filter: { _id: 2 as never } } },
    ]);
    expect(result).toMatchObject({ insertedCount: 2, modifiedCount: 3, deletedCount: 1 });
    expect(await docs.find().toArray()).toEqual([{ _id: 1, c: 1 }]);
  });

  it('concurrent increments are all counted', async () => {
    await docs.insertOne({ _id: 1 as never, n: 0 });
    await Promise.all(Array.from({ length: 50 }, () => docs.updateOne({}, { $inc: { n: 1 } })));
    expect(await docs.findOne({})).toEqual({ _id: 1, n: 50 });
  });
});

/** Create unique indexes before the first document: some servers don't enforce an index created later. */
describe('indexes of the store', () => {
  let indexed: Collection<Document>;
  let serial = 0;
  beforeEach(() => {
    indexed = db.collection(`indexed_${serial++}`);
  });

  it('a unique index treats null and a missing field as equal', async () => {
    await indexed.createIndex({ email: 1 }, { unique: true });
    await indexed.insertMany([{ email: 'a' }, {}]);
    await expect(indexed.insertOne({ email: 'a' })).rejects.toMatchObject({ code: 11000 });
    await expect(indexed.insertOne({ email: null })).rejects.toMatchObject({ code: 11000 });
    await expect(indexed.updateOne({ email: 'a' }, { $unset: { email: '' } })).rejects.toMatchObject({
      code: 11000,
    });
    await indexed.updateOne({ email: 'a' }, { $set: { name: 'same' } });
    expect(await indexed.countDocuments()).toBe(2);
  });

  it('a sparse or partial unique index allows many documents without the field', async () => {
    await indexed.createIndexes([
      { key: { sparse: 1 }, unique: true, sparse: true },
      { key: { partial: 1 }, unique: true, partialFilterExpression: { partial: 'x' } },
    ]);
    await indexed.insertMany([{ a: 1 }, { a: 2 }, { sparse: 1, partial: 'x' }, { sparse: 2, partial: null }]);
    await expect(indexed.insertOne({ sparse: 1 })).rejects.toMatchObject({ code: 11000 });
    await expect(indexed.insertOne({ partial: 'x' })).rejects.toMatchObject({ code: 11000 });
    expect(await indexed.countDocuments({ partial: 'x' })).toBe(1);
    expect(await indexed.countDocuments({ partial: null })).toBe(3);
    expect(await indexed.countDocuments({ sparse: { $ne: 1 } })).toBe(3);
  });

  it('a unique index compares each array element, and a compound key as a whole', async () => {
    await indexed.createIndexes([
      { key: { tags: 1 }, unique: true },
      { key: { a: 1, b: -1 }, unique: true },
    ]);
    await indexed.insertMany([
      { tags: ['x', 'y'], a: 1, b: 1 },
      { tags: ['z'], a: 1, b: 2 },
    ]);
    await expect(indexed.insertOne({ tags: ['q', 'y'], a: 2 })).rejects.toMatchObject({ code: 11000 });
    await expect(indexed.insertOne({ tags: 'n', a: 1, b: 2 })).rejects.toMatchObject({ code: 11000 });
    await indexed.insertOne({ tags: ['w', 'w'], a: 2, b: 2 });
  });

  it('an unordered insert continues after a duplicate, an ordered insert stops', async () => {
    const batch = () => [{ _id: 1 }, { _id: 1 }, { _id: 2 }] as never[];
    await expect(indexed.insertMany(batch(), { ordered: false })).rejects.toMatchObject({ insertedCount: 2 });
    await indexed.deleteMany({});
    await expect(indexed.insertMany(batch())).rejects.toMatchObject({ insertedCount: 1 });
  });

  it('a different index with the same name or key is refused, but the same index is accepted', async () => {
    await indexed.createIndex({ a: 1 }, { name: 'one', unique: true });
    await indexed.createIndex({ a: 1 }, { name: 'one', unique: true });
    await expect(indexed.createIndex({ b: 1 }, { name: 'one' })).rejects.toThrow();
    await expect(indexed.createIndex({ a: 1 }, { name: 'two', unique: true })).rejects.toThrow();
    const names = (await indexed.listIndexes().toArray()).map(({ name }) => name as string);
    expect(names).toEqual(['_id_', 'one']);
    await indexed.dropIndex('one');
    expect(await indexed.listIndexes().toArray()).toHaveLength(1);
  });
});
