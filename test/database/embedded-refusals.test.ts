import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db, Decimal128, type Document, Long, MongoClient } from 'mongodb';
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

const find = (filter: Document) => ({ find: 'docs', filter });
const aggregate = (...pipeline: Document[]) => ({ aggregate: 'docs', pipeline, cursor: {} });
const createIndex = (key: Document, options: Document = {}) => ({
  createIndexes: 'docs',
  indexes: [{ key, name: 'index', ...options }],
});
const project = (projection: Document) => ({ ...find({}), projection });

/** A query of the gateway that needs more of MongoDB must fail, not find something else. */
describe('what MongoDB may support and the built-in store does not', () => {
  it.each<[name: string, command: Document]>([
    ['a command', { distinct: 'docs', key: 'n' }],
    ['an option', { ...find({}), collation: { locale: 'fr' } }],
    ['a findAndModify with remove', { findAndModify: 'docs', query: { _id: 1 }, remove: true }],
    ['a query operator', find({ n: { $mod: [2, 0] } })],
    ['a query operator at the top', find({ $nor: [{ n: 1 }] })],
    ['an operator within $elemMatch', find({ list: { $elemMatch: { $gt: 1 } } })],
    ['a natural order', { ...find({}), sort: { $natural: -1 } }],
    ['a stage', aggregate({ $unwind: '$n' })],
    ['a stage named like an inherited property', aggregate({ toString: 1 })],
    ['an accumulator', aggregate({ $group: { _id: 1, a: { $push: '$n' } } })],
    ['an expression', aggregate({ $set: { a: { $toString: '$n' } } })],
    ['a variable', aggregate({ $set: { a: '$$foo' } })],
    ['a document in $set', aggregate({ $set: { a: { b: 1 } } })],
    ['a $lookup with variables', aggregate({ $lookup: { from: 'docs', let: {} } })],
    ['a positional projection', project({ 'list.$': 1 })],
    ['$slice in a projection', project({ list: { $slice: 1 } })],
    ['a computed projection', aggregate({ $project: { a: '$n' } })],
    ['a sort by an array position', { ...find({}), sort: { 'list.0': 1 } }],
    ['an option of an index', createIndex({ s: 1 }, { hidden: true })],
    ['a kind of index', createIndex({ s: 'text' })],
    ['a wildcard index', createIndex({ '$**': 1 })],
    ['an operator in a partial index', createIndex({ s: 1 }, { partialFilterExpression: { s: { $gt: 1 } } })],
    ['a Decimal128', find({ n: Decimal128.fromString('1') })],
    ['an integer beyond 2^53', find({ n: Long.MAX_VALUE })],
  ])('%s is refused with a hint at MONGODB_URI', async (_name, command) => {
    const refusal = { code: 115, errmsg: expect.stringContaining('MONGODB_URI') as unknown };
    await expect(db.command(command)).rejects.toMatchObject({ errorResponse: refusal });
  });

  it.each<[update: Document | Document[]]>([
    [{ $rename: { n: 'm' } }],
    [{ $set: { n: 2 }, toString: { n: 1 } }],
    [{ $push: { list: { $each: [1], $position: 0 } } }],
    [{ $pull: { list: 1 } }],
    [{ $set: { 'list.$[]': 1 } }],
    [[{ $set: { 'list.0': 1 } }]],
    [[{ $group: { _id: 1 } }]],
  ])('the update %j is refused and changes nothing', async (change) => {
    const before = await db.collection('docs').findOne({});
    const updates = [{ q: { _id: 1 }, u: change }];
    expect(await db.command({ update: 'docs', updates })).toMatchObject({ writeErrors: [{ code: 115 }] });
    const modify = { findAndModify: 'docs', query: { _id: 1 }, update: change };
    await expect(db.command(modify)).rejects.toMatchObject({ code: 115 });
    expect(await db.collection('docs').findOne({})).toEqual(before);
  });

  it('a transaction of the driver is refused', async () => {
    const session = client.startSession();
    const insert = () => db.collection('docs').insertOne({}, { session });
    await expect(session.withTransaction(insert)).rejects.toMatchObject({ code: 115 });
    await session.endSession();
    expect(await db.collection('docs').countDocuments()).toBe(1);
  });
});

describe('errors of the built-in store', () => {
  it("a conflicting index and a violated unique index are refused with MongoDB's codes", async () => {
    const docs = db.collection<Document>('conflicts');
    await docs.insertMany([{ a: 1 }, { a: 1 }]);
    await docs.createIndex({ a: 1 }, { name: 'one' });
    await expect(docs.createIndex({ b: 1 }, { name: 'one' })).rejects.toMatchObject({ code: 86 });
    await expect(docs.createIndex({ a: 1 }, { name: 'two' })).rejects.toMatchObject({ code: 85 });
    await expect(docs.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect(await docs.listIndexes().toArray()).toHaveLength(2);
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
