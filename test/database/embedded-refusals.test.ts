import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db, Decimal128, type Document, Long, MaxKey, MongoClient, Timestamp } from 'mongodb';
import { type EmbeddedStore } from '../../src/database/embedded/server.js';
import { startMemoryStore } from '../support/memory-store.js';

let store: EmbeddedStore;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  store = await startMemoryStore();
  client = await new MongoClient(store.uri).connect();
  db = client.db('refusals');
  await db.collection<Document>('docs').insertOne({ _id: 1 as never, n: 1, s: 'x' });
});

afterAll(async () => {
  await client.close();
  await store.close();
});

/** An update reports its refusal in `writeErrors`. Other commands fail as a whole. */
async function expectCode(command: Document, code: number): Promise<void> {
  const reply = db.command(command) as Promise<{ writeErrors?: Document[] }>;
  const refusal = reply.then(
    ({ writeErrors }) => writeErrors?.[0],
    (error: unknown) => error,
  );
  expect(await refusal).toMatchObject({ code });
}

const find = (filter: Document) => ({ find: 'docs', filter });
const aggregate = (...pipeline: Document[]) => ({ aggregate: 'docs', pipeline, cursor: {} });
const createIndex = (key: Document, options: Document = {}) => ({
  createIndexes: 'docs',
  indexes: [{ key, name: 'index', ...options }],
});

const update = (u: Document | Document[], options: Document = {}) => ({
  update: 'docs',
  updates: [{ q: { _id: 1 }, u, ...options }],
});
const upsert = (q: Document) => ({ update: 'docs', updates: [{ q, u: { $set: { a: 1 } }, upsert: true }] });
const project = (projection: Document) => ({ ...find({}), projection });

/** MongoDB gives the same codes and names. */
describe('a command, operator or stage unknown to the built-in store', () => {
  it.each<[name: string, code: number, codeName: string, command: Document]>([
    ['a command', 59, 'CommandNotFound', { distinct: 'docs', key: 'n' }],
    ['an estimated count', 59, 'CommandNotFound', { count: 'docs' }],
    ['a drop of a collection', 59, 'CommandNotFound', { drop: 'docs' }],
    ['an option', 40415, 'IDLUnknownField', { ...find({}), foo: 1 }],
    ['a query operator', 2, 'BadValue', find({ n: { $foo: 1 } })],
    ['a top-level query operator', 2, 'BadValue', find({ $foo: 1 })],
    ['$natural', 16410, 'Location16410', { ...find({}), sort: { $natural: -1 } }],
    ['$all', 2, 'BadValue', find({ n: { $all: [1] } })],
    ['$mod', 2, 'BadValue', find({ n: { $mod: [2, 0] } })],
    ['$type', 2, 'BadValue', find({ n: { $type: 'number' } })],
    ['$nor', 2, 'BadValue', find({ $nor: [{ n: 1 }] })],
    ['$expr', 2, 'BadValue', find({ $expr: { $eq: ['$n', 1] } })],
    ['$not', 2, 'BadValue', find({ n: { $not: { $gt: 1 } } })],
    ['$elemMatch of values', 2, 'BadValue', find({ list: { $elemMatch: { $gt: 1 } } })],
    ['$regex', 2, 'BadValue', find({ s: { $regex: '^x', $options: 'i' } })],
    ['an unknown stage', 40324, 'Location40324', aggregate({ $foo: 1 })],
    ['$unwind', 40324, 'Location40324', aggregate({ $unwind: '$n' })],
    ['$facet', 40324, 'Location40324', aggregate({ $facet: { all: [] } })],
    ['$sortByCount', 40324, 'Location40324', aggregate({ $sortByCount: '$n' })],
    ['$count', 40324, 'Location40324', aggregate({ $count: 'n' })],
    ['$skip', 40324, 'Location40324', aggregate({ $skip: 1 })],
    ['$addFields', 40324, 'Location40324', aggregate({ $addFields: { a: 1 } })],
    ['$unset', 40324, 'Location40324', aggregate({ $unset: 'n' })],
    ['$replaceRoot', 40324, 'Location40324', aggregate({ $replaceRoot: { newRoot: '$$ROOT' } })],
    ['a stage named like an inherited property', 40324, 'Location40324', aggregate({ toString: 1 })],
    ['an accumulator', 15952, 'Location15952', aggregate({ $group: { _id: 1, a: { $push: '$n' } } })],
    ['an expression', 168, 'InvalidPipelineOperator', aggregate({ $set: { a: { $toString: '$n' } } })],
    ['$subtract', 168, 'InvalidPipelineOperator', aggregate({ $set: { a: { $subtract: ['$n', 1] } } })],
    ['$min', 168, 'InvalidPipelineOperator', aggregate({ $set: { a: { $min: ['$n', 1] } } })],
    ['$eq', 168, 'InvalidPipelineOperator', aggregate({ $set: { a: { $eq: ['$n', 1] } } })],
    ['a variable', 17276, 'Location17276', aggregate({ $set: { a: '$$foo' } })],
    ['a $lookup with variables', 40415, 'IDLUnknownField', aggregate({ $lookup: { from: 'docs', let: {} } })],
    ['a $lookup without fields', 9, 'FailedToParse', aggregate({ $lookup: { from: 'docs', as: 'd' } })],
    ['a positional projection', 31324, 'Location31324', project({ 'list.$': 1 })],
    ['$slice in a projection', 31325, 'Location31325', project({ list: { $slice: 1 } })],
    ['$elemMatch in a projection', 31325, 'Location31325', project({ list: { $elemMatch: { k: 1 } } })],
    ['a computed projection', 31325, 'Location31325', aggregate({ $project: { a: '$n' } })],
    [
      'array filters',
      40415,
      'IDLUnknownField',
      { findAndModify: 'docs', update: {}, arrayFilters: [{ e: 1 }] },
    ],
    ['an index option', 197, 'InvalidIndexSpecificationOption', createIndex({ s: 1 }, { hidden: true })],
    ['an unknown index kind', 67, 'CannotCreateIndex', createIndex({ s: 'foo' })],
    [
      'an operator in a partial index',
      67,
      'CannotCreateIndex',
      createIndex({ s: 1 }, { partialFilterExpression: { s: { $gt: 1 } } }),
    ],
  ])('%s is refused with code %i, %s', async (_name, code, codeName, command) => {
    await expect(db.command(command)).rejects.toMatchObject({ code, codeName });
  });

  it.each<[update: Document | Document[], code: number]>([
    [{ $rename: { n: 'm' } }, 9],
    [{ $mul: { n: 2 } }, 9],
    [{ $bit: { n: { and: 1 } } }, 9],
    [{ $currentDate: { at: { $type: 'timestamp' } } }, 115],
    [{ $pullAll: { list: [1] } }, 9],
    [{ $min: { n: 1 } }, 9],
    [{ $pop: { list: 1 } }, 9],
    [{ $addToSet: { list: 1 } }, 9],
    [{ $set: { n: 2 }, toString: { n: 1 } }, 9],
    [{ $push: { list: { $each: [1], $position: 0 } } }, 2],
    [{ $push: { list: { $each: [1], $sort: 1 } } }, 2],
    [{ $set: { 'list.$': 1 } }, 2],
    [{ $set: { 'list.$[]': 1 } }, 2],
    [{ $set: { 'list.$[e]': 1 } }, 2],
    [{ $set: { 'list.0': 1 } }, 115],
    [{ $unset: { 'list.0': '' } }, 115],
    [[{ $set: { 'list.0': 1 } }], 115],
    [[{ $group: { _id: 1 } }], 72],
  ])('the update %j is refused with code %i and changes nothing', async (change, code) => {
    const before = await db.collection('docs').findOne({});
    const { writeErrors } = (await db.command(update(change))) as { writeErrors: Document[] };
    expect(writeErrors).toMatchObject([{ code, errmsg: expect.stringContaining('MONGODB_URI') as unknown }]);
    const modify = { findAndModify: 'docs', query: { _id: 1 }, update: change };
    await expect(db.command(modify)).rejects.toMatchObject({ code });
    expect(await db.collection('docs').findOne({})).toEqual(before);
  });
});

describe('features that only a MongoDB server has', () => {
  it.each<[name: string, code: number, command: Document]>([
    [
      'a transaction',
      115,
      { ...find({}), txnNumber: Long.fromNumber(1), startTransaction: true, autocommit: false },
    ],
    ['a commit', 115, { commitTransaction: 1 }],
    ['a findAndModify with remove', 115, { findAndModify: 'docs', query: { _id: 1 }, remove: true }],
    ['a change stream', 40573, aggregate({ $changeStream: {} })],
    ['a Decimal128', 115, find({ n: Decimal128.fromString('1') })],
    ['an integer beyond 2^53', 115, find({ n: Long.MAX_VALUE })],
    ['a timestamp', 115, find({ n: Timestamp.fromBits(1, 1) })],
    ['a MaxKey', 115, find({ n: new MaxKey() })],
    ['a collation', 115, { ...find({}), collation: { locale: 'fr' } }],
    ['a collation in an update', 115, update({ $set: { a: 1 } }, { collation: { locale: 'fr' } })],
    ['$where', 115, find({ $where: 'true' })],
    ['a script', 115, aggregate({ $set: { a: { $function: { body: 'x', args: [], lang: 'js' } } } })],
    ['a text search', 115, find({ $text: { $search: 'x' } })],
    ['a geographic query', 115, find({ place: { $near: [1, 2] } })],
    ['a stage that writes', 115, aggregate({ $out: 'other' })],
    ['a text index', 115, createIndex({ s: 'text' })],
    ['a geo index', 115, createIndex({ s: '2dsphere' })],
    ['a hashed index', 115, createIndex({ s: 'hashed' })],
    ['a wildcard index', 115, createIndex({ '$**': 1 })],
    ['an index with a collation', 115, createIndex({ s: 1 }, { collation: { locale: 'fr' } })],
    ['a sort by an array position', 115, { ...find({}), sort: { 'list.0': 1 } }],
    ['an index on an array position', 115, createIndex({ 'list.0': 1 })],
    ['an array position in a projection', 115, project({ 'list.0': 1 })],
    ['a number in an expression path', 115, aggregate({ $set: { a: '$list.0' } })],
    [
      'a $lookup by an array position',
      115,
      aggregate({ $lookup: { from: 'docs', as: 'd', localField: 'a.0', foreignField: 'n' } }),
    ],
    ['an upsert by $and', 115, upsert({ $and: [{ n: 9 }] })],
    ['an upsert by $or of one condition', 115, upsert({ $or: [{ n: 9 }] })],
    ['an upsert by $in of one value', 115, upsert({ n: { $in: [9] } })],
    ['an upsert by $eq with another condition', 115, upsert({ n: { $gt: 8, $eq: 9 } })],
    ['a document in $set', 115, aggregate({ $set: { a: { b: 1 } } })],
    ['an empty document in $set', 115, aggregate({ $set: { a: {} } })],
  ])('%s is refused with code %i', async (_name, code, command) => {
    await expectCode(command, code);
  });
});

describe('a command that the built-in store refuses', () => {
  it.each<[name: string, code: number, command: Document]>([
    ['a negative maxTimeMS', 2, { ...find({}), maxTimeMS: -1 }],
    ['an operator as _id', 52, { insert: 'docs', documents: [{ _id: { $a: 1 } }] }],
    ['$ne of a regular expression', 2, find({ s: { $ne: /x/ } })],
    ['a comparison with a regular expression', 2, find({ s: { $gt: /x/ } })],
    [
      'a sparse partial index',
      67,
      createIndex({ s: 1 }, { sparse: true, partialFilterExpression: { s: 1 } }),
    ],
    ['a TTL index over two fields', 67, createIndex({ s: 1, n: 1 }, { expireAfterSeconds: 1 })],
    ['an unknown cursor', 43, { getMore: Long.fromNumber(99), collection: 'docs' }],
    ['a numeric filter', 14, { find: 'docs', filter: 1 }],
    ['a negative skip', 2, { ...find({}), skip: -1 }],
    ['a projection that keeps a field, then drops one', 31254, project({ a: 1, b: 0 })],
    ['a projection that drops a field, then keeps one', 31253, project({ a: 0, b: 1 })],
    ['a projection of a path and its prefix', 31249, project({ a: 1, 'a.b': 1 })],
    ['one argument too many', 16020, aggregate({ $set: { a: { $gt: [1, 2, 3] } } })],
    ['two operators in one expression', 40181, aggregate({ $set: { a: { $gt: [1, 1], $add: [1, 1] } } })],
    ['$add of text', 14, aggregate({ $set: { a: { $add: ['$s', 1] } } })],
    ['$concatArrays of text', 28664, aggregate({ $set: { a: { $concatArrays: ['$s'] } } })],
    ['$arrayElemAt of text', 28689, aggregate({ $set: { a: { $arrayElemAt: ['$s', 0] } } })],
    ['$arrayElemAt with a text index', 28690, aggregate({ $set: { a: { $arrayElemAt: [[1], '$s'] } } })],
    ['$arrayElemAt with a fractional index', 28691, aggregate({ $set: { a: { $arrayElemAt: [[1], 0.5] } } })],
    ['$indexOfArray of text', 40090, aggregate({ $set: { a: { $indexOfArray: ['$s', 't'] } } })],
    ['$replaceWith text', 40228, aggregate({ $replaceWith: '$s' })],
    ['a group without _id', 15955, aggregate({ $group: { a: { $sum: 1 } } })],
    ['a numeric $group', 15947, aggregate({ $group: 5 as never })],
    ['a limit of 0', 15958, aggregate({ $limit: 0 })],
    ['a limit below 0', 5107201, aggregate({ $limit: -1 })],
    ['a fractional limit', 5107201, aggregate({ $limit: 2.5 })],
    [
      'a fractional limit after a $sort',
      5107201,
      aggregate({ $match: {} }, { $sort: { n: 1 } }, { $limit: 2.5 }),
    ],
    ['text as a limit', 5107201, aggregate({ $limit: 'x' })],
    ['a numeric $match', 15959, aggregate({ $match: 5 })],
    ['a list as $match', 15959, aggregate({ $match: [null] })],
    ['a numeric $match before a $sort', 15959, aggregate({ $match: 5 }, { $sort: { n: 1 } })],
    ['a numeric $sort', 15973, aggregate({ $sort: 5 })],
    ['a null $sort after a $match', 15973, aggregate({ $match: {} }, { $sort: null })],
    ['an empty $sort', 15976, aggregate({ $match: {} }, { $sort: {} })],
    ['a numeric $project', 15969, aggregate({ $project: 5 })],
    ['a numeric $set', 40272, aggregate({ $set: 5 })],
    ['a null stage', 14, aggregate(null as never)],
    ['a null condition of $or', 2, find({ $or: [null] })],
    ['a null filter', 14, { find: 'docs', filter: null }],
    ['a null sort', 14, { ...find({}), sort: null }],
    ['a list as a sort', 14, { ...find({}), sort: [] }],
    ['a numeric projection', 14, project(5 as never)],
    ['a findAndModify with a numeric filter', 14, { findAndModify: 'docs', query: 5, update: {} }],
    ['a findAndModify with a null update', 9, { findAndModify: 'docs', update: null }],
  ])("%s is refused with MongoDB's code, %i", async (_name, code, command) => {
    await expectCode(command, code);
  });

  it.each([{ q: null }, {}])(
    'a delete or update with the filter %j is refused and changes nothing',
    async (q) => {
      const u = { $set: { n: 9 } };
      // A valid statement before the invalid statement does not run either.
      for (const before of [[], [{}]]) {
        const filters = [...before.map((filter) => ({ q: filter })), q];
        await expectCode({ delete: 'docs', deletes: filters.map((each) => ({ ...each, limit: 0 })) }, 40414);
        await expectCode({ update: 'docs', updates: filters.map((each) => ({ ...each, u })) }, 40414);
      }
      expect(await db.collection('docs').find({}).toArray()).toEqual([{ _id: 1, n: 1, s: 'x' }]);
    },
  );

  it('the refusal of a MongoDB-only command names MONGODB_URI', async () => {
    await expect(db.command({ create: 'c' })).rejects.toThrow('MONGODB_URI');
  });

  it('a transaction of the driver is refused with code 115', async () => {
    const session = client.startSession();
    const insert = () => db.collection('docs').insertOne({}, { session });
    await expect(session.withTransaction(insert)).rejects.toMatchObject({ code: 115 });
    await session.endSession();
    expect(await db.collection('docs').countDocuments()).toBe(1);
  });

  it('an increment past 2^53 is refused, not rounded', async () => {
    const docs = db.collection<Document>('docs');
    await docs.insertOne({ _id: 'big' as never, n: Number.MAX_SAFE_INTEGER });
    await expect(docs.updateOne({ _id: 'big' as never }, { $inc: { n: 1 } })).rejects.toMatchObject({
      code: 115,
    });
    await docs.deleteOne({ _id: 'big' as never });
  });
});

describe('errors of the built-in store', () => {
  it.each([
    [{ $inc: { s: 1 } }, 14],
    [{ $inc: { n: 'x' } }, 14],
    [{ $set: { 's.x': 1 } }, 28],
    [{ $set: { a: 1 }, $inc: { a: 1 } }, 40],
    [{ $set: { _id: 2 } }, 66],
    [{ $set: { 'a..b': 1 } }, 56],
    [{ $push: { s: 1 } }, 2],
  ])('the update %j is refused with code %i', async (update, code) => {
    const command = { update: 'docs', updates: [{ q: { _id: 1 }, u: update }] };
    const { writeErrors } = (await db.command(command)) as { writeErrors: Document[] };
    expect(writeErrors).toMatchObject([{ code }]);
  });

  it("a conflicting index and a violated unique index are refused with MongoDB's codes", async () => {
    const docs = db.collection<Document>('conflicts');
    await docs.insertMany([{ a: 1 }, { a: 1 }]);
    await docs.createIndex({ a: 1 }, { name: 'one' });
    await expect(docs.createIndex({ b: 1 }, { name: 'one' })).rejects.toMatchObject({ code: 86 });
    await expect(docs.createIndex({ a: 1 }, { name: 'two' })).rejects.toMatchObject({ code: 85 });
    await expect(docs.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect(await docs.listIndexes().toArray()).toHaveLength(2);
  });

  it('a duplicate key error names the values', async () => {
    const docs = db.collection<Document>('keys');
    await docs.createIndex({ 'a.b': 1, c: 1 }, { unique: true });
    await docs.insertMany([{ a: [{ b: 1 }, { b: 2 }], c: 'x' }, { c: 'y' }]);
    await expect(docs.insertOne({ a: { b: 2 }, c: 'x' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { 'a.b': 1, c: 1 },
      keyValue: { 'a.b': 2, c: 'x' },
    });
    const missing = docs.findOneAndUpdate({ c: 'x' }, { $set: { c: 'y' }, $unset: { a: '' } });
    await expect(missing).rejects.toMatchObject({ code: 11000, keyValue: { 'a.b': null, c: 'y' } });
  });

  it('a TTL index deletes expired documents only', async () => {
    const docs = db.collection<Document>('expiring');
    await docs.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000);
    await docs.insertMany([
      { _id: 1 as never, at: at(-61) },
      { _id: 2 as never, at: at(0) },
      { _id: 3 as never, at: [at(0), at(-90)] },
      { _id: 4 as never, at: 'never' },
      { _id: 5 as never },
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await docs.find().toArray()).map(({ _id }) => _id as unknown)).toEqual([2, 4, 5]);
  });
});
