import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db, Decimal128, type Document, Long, MaxKey, MongoClient, Timestamp } from 'mongodb';
import { startEmbeddedStore, type EmbeddedStore } from '../../src/database/embedded/server.js';

let store: EmbeddedStore;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  store = await startEmbeddedStore({ folder: null });
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

describe('what the store is not right for', () => {
  it.each<[name: string, code: number, command: Document]>([
    ['an unknown command', 59, { serverStatus: 1 }],
    [
      'a transaction',
      115,
      { ...find({}), txnNumber: Long.fromNumber(1), startTransaction: true, autocommit: false },
    ],
    ['a commit', 115, { commitTransaction: 1 }],
    ['a Decimal128', 115, find({ n: Decimal128.fromString('1') })],
    ['an integer beyond 2^53', 115, find({ n: Long.MAX_VALUE })],
    ['a timestamp', 115, find({ n: Timestamp.fromBits(1, 1) })],
    ['a MaxKey', 115, find({ n: new MaxKey() })],
    ['a collation', 115, { ...find({}), collation: { locale: 'fr' } }],
    ['an unknown option', 40415, { ...find({}), foo: 1 }],
    ['$where', 115, find({ $where: 'true' })],
    ['a text search', 115, find({ $text: { $search: 'x' } })],
    ['a place', 115, find({ place: { $near: [1, 2] } })],
    ['an unknown operator', 2, find({ n: { $foo: 1 } })],
    ['an unknown operator at the top', 2, find({ $foo: 1 })],
    ['a numeric type that is not kept', 115, find({ n: { $type: 'long' } })],
    ['a change stream', 40573, aggregate({ $changeStream: {} })],
    ['a stage that writes', 115, aggregate({ $out: 'other' })],
    ['an unknown stage', 40324, aggregate({ $foo: 1 })],
    ['an unknown expression', 168, aggregate({ $set: { a: { $foo: 1 } } })],
    ['an expression that is not trusted', 115, aggregate({ $set: { a: { $toString: '$n' } } })],
    ['a script', 115, aggregate({ $set: { a: { $function: { body: 'x', args: [], lang: 'js' } } } })],
    ['a capped collection', 115, { create: 'capped', capped: true, size: 1 }],
    ['a view', 115, { create: 'view', viewOn: 'docs' }],
    ['a validator', 115, { create: 'valid', validator: { a: 1 } }],
    ['a text index', 115, createIndex({ s: 'text' })],
    ['a geo index', 115, createIndex({ s: '2dsphere' })],
    ['a hashed index', 115, createIndex({ s: 'hashed' })],
    ['a wildcard index', 115, createIndex({ '$**': 1 })],
    ['an index of an unknown kind', 67, createIndex({ s: 'foo' })],
    ['an index with a collation', 115, createIndex({ s: 1 }, { collation: { locale: 'fr' } })],
    ['an index with an unknown option', 197, createIndex({ s: 1 }, { foo: 1 })],
    [
      'a sparse partial index',
      67,
      createIndex({ s: 1 }, { sparse: true, partialFilterExpression: { s: 1 } }),
    ],
    ['a TTL index over two fields', 67, createIndex({ s: 1, n: 1 }, { expireAfterSeconds: 1 })],
    ['a cursor that does not exist', 43, { getMore: Long.fromNumber(99), collection: 'docs' }],
  ])('%s is refused with code %i', async (_name, code, command) => {
    await expect(db.command(command)).rejects.toMatchObject({ code });
  });

  it('names the way out', async () => {
    await expect(db.command({ create: 'c', capped: true, size: 1 })).rejects.toThrow('MONGODB_URI');
  });

  it('refuses a transaction of the driver with its own words', async () => {
    const session = client.startSession();
    const insert = () => db.collection('docs').insertOne({}, { session });
    await expect(session.withTransaction(insert)).rejects.toMatchObject({ code: 115 });
    await session.endSession();
    expect(await db.collection('docs').countDocuments()).toBe(1);
  });

  it('refuses an increment past 2^53 instead of rounding it', async () => {
    const docs = db.collection<Document>('docs');
    await docs.insertOne({ _id: 'big' as never, n: Number.MAX_SAFE_INTEGER });
    await expect(docs.updateOne({ _id: 'big' as never }, { $inc: { n: 1 } })).rejects.toMatchObject({
      code: 115,
    });
    await docs.deleteOne({ _id: 'big' as never });
  });
});

describe('what is its own', () => {
  it('estimates the number of documents exactly', async () => {
    expect(await db.collection('docs').estimatedDocumentCount()).toBe(1);
  });

  it.each([
    [{ $inc: { s: 1 } }, 14],
    [{ $inc: { n: 'x' } }, 14],
    [{ $set: { 's.x': 1 } }, 28],
    [{ $set: { a: 1 }, $inc: { a: 1 } }, 40],
    [{ $set: { _id: 2 } }, 66],
    [{ $foo: { a: 1 } }, 9],
    [{ $set: { 'a..b': 1 } }, 56],
    [{ $set: { 'list.$': 1 } }, 2],
    [{ $push: { s: 1 } }, 2],
  ])('an update %j is refused with code %i', async (update, code) => {
    const command = { update: 'docs', updates: [{ q: { _id: 1 }, u: update }] };
    const { writeErrors } = (await db.command(command)) as { writeErrors: Document[] };
    expect(writeErrors).toMatchObject([{ code }]);
  });

  it("refuses a conflicting index, and a unique one that documents break, with MongoDB's codes", async () => {
    const docs = db.collection<Document>('conflicts');
    await docs.insertMany([{ a: 1 }, { a: 1 }]);
    await docs.createIndex({ a: 1 }, { name: 'one' });
    await expect(docs.createIndex({ b: 1 }, { name: 'one' })).rejects.toMatchObject({ code: 86 });
    await expect(docs.createIndex({ a: 1 }, { name: 'two' })).rejects.toMatchObject({ code: 85 });
    await expect(docs.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect(await docs.listIndexes().toArray()).toHaveLength(2);
  });

  it('tells the values of a duplicate key', async () => {
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

  it('deletes documents when their time is over, and no others', async () => {
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
    expect(await docs.distinct('_id')).toEqual([2, 4, 5]);
  });
});
