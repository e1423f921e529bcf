import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoBackend } from '@agendajs/mongo-backend';
import { Agenda } from 'agenda';
import { type Collection, type Db, type Document, GridFSBucket, ObjectId } from 'mongodb';
import mongoose from 'mongoose';
import { databaseOf } from '../../src/database/connect.js';
import { ownDatabase } from '../support/own-database.js';
import { until } from '../support/until.js';

/** The gateway relies on this in a MongoDB-compatible server. */
const { database } = ownDatabase();
let db: Db;
let docs: Collection<Document>;

beforeAll(() => {
  db = databaseOf(database.connection);
  docs = db.collection<Document>('docs');
});
beforeEach(() => docs.deleteMany({}));

async function idsOf(filter: Document): Promise<unknown[]> {
  const found = await docs.find(filter).sort({ _id: 1 }).toArray();
  return found.map(({ _id }) => _id as unknown);
}

it('a condition on an array position tests the whole element', async () => {
  await docs.insertOne({ _id: 1 as never, list: [[1, 2], 3] });
  for (const filter of [1, { $gte: 1 }, { $in: [1] }]) expect(await idsOf({ 'list.0': filter })).toEqual([]);
  for (const filter of [{ 'list.0': [1, 2] }, { 'list.1': 3 }, { 'list.0.1': 2 }])
    expect(await idsOf(filter)).toEqual([1]);
});

describe('queries', () => {
  const oid = new ObjectId('0123456789abcdef01234567');
  const people: Document[] = [
    { _id: 1, n: 5, s: 'b', at: new Date(10), tags: ['x', 'y'], sub: { a: 1, b: 2 } },
    { _id: 2, n: 7.5, s: 'a', at: new Date(20), tags: [], sub: { b: 2, a: 1 }, flag: true },
    {
      _id: 3,
      n: null,
      s: 'É',
      items: [
        { k: 1, v: 2 },
        { k: 2, v: 9 },
      ],
      ref: oid,
    },
    { _id: 4, tags: 'x', items: [{ k: 2, v: 2 }], n: -1 },
    { _id: 5, n: [1, 20], s: '', flag: false },
  ];
  const cases: [filter: Document, ids: number[]][] = [
    [{}, [1, 2, 3, 4, 5]],
    [{ _id: 3 }, [3]],
    [{ _id: { $in: [5, 1, 99] } }, [1, 5]],
    [{ n: 5 }, [1]],
    [{ n: null }, [3]],
    [{ n: { $ne: 5 } }, [2, 3, 4, 5]],
    [{ n: { $gt: 0 } }, [1, 2, 5]],
    [{ n: { $gte: 5, $lt: 7.5 } }, [1, 5]],
    [{ s: { $gt: 'a' } }, [1, 3]],
    [{ s: /^B$/i }, [1]],
    [{ at: { $lte: new Date(10) } }, [1]],
    [{ at: { $exists: false } }, [3, 4, 5]],
    [{ flag: { $exists: true } }, [2, 5]],
    [{ ref: oid }, [3]],
    [{ tags: 'x' }, [1, 4]],
    [{ tags: ['x', 'y'] }, [1]],
    [{ tags: { $size: 0 } }, [2]],
    [{ 'tags.1': 'y' }, [1]],
    [{ sub: { a: 1, b: 2 } }, [1]],
    [{ 'sub.a': 1 }, [1, 2]],
    [{ 'items.k': 2 }, [3, 4]],
    [{ 'items.k': 1, 'items.v': 9 }, [3]],
    [{ items: { $elemMatch: { k: 1, v: 9 } } }, []],
    [{ items: { $elemMatch: { k: 2, v: { $gt: 2 } } } }, [3]],
    [{ tags: { $elemMatch: { k: 1 } } }, []],
    [{ $or: [{ n: 5 }, { s: 'a' }] }, [1, 2]],
    [{ $and: [{ n: { $gt: 0 } }, { flag: { $ne: true } }] }, [1, 5]],
    [{ n: { $nin: [5, null] } }, [2, 4, 5]],
    [{ n: { $not: { $lte: 5 } } }, [2, 3]],
    [{ n: { $not: { $gt: 0, $lt: 9 } } }, [3, 4]],
  ];

  beforeEach(async () => {
    await docs.insertMany(people);
  });

  it.each(cases)('%j finds %j', async (filter, ids) => {
    expect(await idsOf(filter)).toEqual(ids);
  });

  it.each(cases)('%j finds %j with indexes on every field', async (filter, ids) => {
    for (const path of ['n', 's', 'at', 'tags', 'sub.a', 'items.k', 'flag'])
      await docs.createIndex({ [path]: 1 });
    expect(await idsOf(filter)).toEqual(ids);
    await docs.dropIndexes();
  });

  it('sorts null before numbers, and arrays by their smallest or largest element', async () => {
    const order = async (direction: 1 | -1) =>
      (await docs.find().sort({ n: direction, _id: 1 }).toArray()).map(({ _id }) => _id as unknown);
    expect(await order(1)).toEqual([3, 4, 5, 1, 2]);
    expect(await order(-1)).toEqual([5, 2, 1, 4, 3]);
  });

  it('skip and limit apply after the sort', async () => {
    const found = await docs.find({}, { sort: { _id: -1 }, skip: 1, limit: 2 }).toArray();
    expect(found.map(({ _id }) => _id as unknown)).toEqual([4, 3]);
  });

  it.each([
    [{ n: 1, _id: 0 }, { n: 5 }],
    [{ 'sub.a': 1 }, { _id: 1, sub: { a: 1 } }],
    [
      { sub: 0, at: 0, tags: 0 },
      { _id: 1, n: 5, s: 'b' },
    ],
    [{ sub: { b: 1 } }, { _id: 1, sub: { b: 2 } }],
  ])('the projection %j returns the right fields', async (projection, expected) => {
    expect(await docs.findOne({ _id: 1 as never }, { projection })).toEqual(expected);
  });

  it('a projection applies within each array element', async () => {
    const found = await docs.findOne({ _id: 3 as never }, { projection: { 'items.v': 1 } });
    expect(found).toEqual({ _id: 3, items: [{ v: 2 }, { v: 9 }] });
  });

  it('count returns the number of matching documents', async () => {
    expect(await docs.countDocuments({ n: { $gt: 0 } })).toBe(3);
  });

  it('a hint names an index by key or name, and fails if the collection lacks the index', async () => {
    const missing = { code: 2, message: expect.stringContaining('hint provided does not correspond to an') };
    for (const hint of [{ n: 1 }, 'n_1']) {
      await expect(docs.find({}, { hint }).toArray()).rejects.toMatchObject(missing);
      await expect(docs.aggregate([{ $match: {} }], { hint }).toArray()).rejects.toMatchObject(missing);
      await expect(docs.countDocuments({}, { hint })).rejects.toMatchObject(missing);
    }
    for (const hint of [{ _id: 1 }, '_id_']) expect(await docs.countDocuments({}, { hint })).toBe(5);
    expect(
      await db
        .collection('absent')
        .find({}, { hint: { n: 1 } })
        .toArray(),
    ).toEqual([]);
  });

  it('pages in a compound sort order contain each document once', async () => {
    await docs.deleteMany({});
    const at = (position: number) => new Date(Math.floor(position / 3));
    await docs.insertMany(
      Array.from({ length: 10 }, (_, position) => ({ _id: position, at: at(position) })) as never,
    );
    await docs.createIndex({ at: -1, _id: -1 });
    const seen: unknown[] = [];
    for (let after: Document = {}; ;) {
      const page = await docs.find(after).sort({ at: -1, _id: -1 }).limit(4).toArray();
      seen.push(...page.map(({ _id }) => _id as unknown));
      const last: Document | undefined = page.at(-1);
      if (last === undefined) break;
      after = {
        $or: [{ at: { $lt: last.at as Date } }, { at: last.at as Date, _id: { $lt: last._id as unknown } }],
      };
    }
    expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  });

  it('a long result comes in batches', async () => {
    await docs.deleteMany({});
    await docs.insertMany(Array.from({ length: 350 }, (_, position) => ({ _id: position })) as never);
    const found = await docs.find({}, { batchSize: 100 }).toArray();
    expect(found).toHaveLength(350);
  });
});

describe('aggregation', () => {
  beforeEach(async () => {
    await docs.insertMany([
      { _id: 1, kind: 'a', n: 2, tags: ['x', 'y'] },
      { _id: 2, kind: 'b', n: 3, tags: [] },
      { _id: 3, kind: 'a', n: 5, sub: { z: 1 } },
    ] as never);
  });

  it.each([
    [[{ $match: { kind: 'a' } }, { $group: { _id: 1, n: { $sum: 1 } } }], [{ _id: 1, n: 2 }]],
    [
      [{ $group: { _id: '$kind', total: { $sum: '$n' } } }, { $sort: { _id: 1 } }],
      [
        { _id: 'a', total: 7 },
        { _id: 'b', total: 3 },
      ],
    ],
    [
      [{ $match: { kind: 'a' } }, { $sort: { n: -1 } }, { $limit: 1 }, { $project: { n: 1 } }],
      [{ _id: 3, n: 5 }],
    ],
    [
      [
        { $match: { kind: 'a' } },
        { $sort: { n: -1 } },
        { $match: { n: 2 } },
        { $limit: 1 },
        { $project: { n: 1 } },
      ],
      [{ _id: 1, n: 2 }],
    ],
    [[{ $match: { n: { $gt: 2 } } }, { $match: { kind: 'a' } }, { $project: { _id: 1 } }], [{ _id: 3 }]],
    [
      [
        { $sort: { n: -1 } },
        { $limit: 2 },
        { $match: { kind: 'b' } },
        { $limit: 1 },
        { $project: { _id: 1 } },
      ],
      [{ _id: 2 }],
    ],
    [
      [{ $sort: { n: -1 } }, { $sort: { n: 1 } }, { $limit: 1 }, { $limit: 2 }, { $project: { _id: 1 } }],
      [{ _id: 1 }],
    ],
    [[{ $match: { _id: 3 } }, { $limit: 1 }, { $sort: { n: 1 } }, { $project: { _id: 1 } }], [{ _id: 3 }]],
    [
      [{ $match: { n: { $gt: 2 } } }, { $group: { _id: '$kind' } }, { $sort: { _id: -1 } }, { $limit: 1 }],
      [{ _id: 'b' }],
    ],
    [
      [{ $match: { _id: 3 } }, { $set: { 'sub.y': { $add: ['$n', 1] }, none: '$nope', list: ['$nope'] } }],
      [{ _id: 3, kind: 'a', n: 5, sub: { z: 1, y: 6 }, list: [null] }],
    ],
    [
      [{ $sort: { n: -1 } }, { $limit: 1 }, { $replaceWith: { m: { $add: ['$n', -2] }, all: '$$ROOT.sub' } }],
      [{ m: 3, all: { z: 1 } }],
    ],
    [
      [{ $match: { _id: 1 } }, { $replaceWith: { big: { $cond: [{ $gt: ['$n', 1] }, 'yes', 'no'] } } }],
      [{ big: 'yes' }],
    ],
    ...(
      [
        [{ $arrayElemAt: ['$tags', 1] }, 'y'],
        [{ $arrayElemAt: ['$tags', -1] }, 'y'],
        [{ $arrayElemAt: ['$tags', 2] }, undefined],
        [{ $arrayElemAt: ['$nope', 0] }, null],
        [{ $indexOfArray: ['$tags', 'y'] }, 1],
        [{ $indexOfArray: ['$tags', 'z'] }, -1],
        [{ $indexOfArray: [[null], '$nope'] }, -1],
        [{ $indexOfArray: [{ $literal: ['$n', 'y', '$$NO'] }, 'y'] }, 1],
        [{ $literal: '$n' }, '$n'],
        [{ $indexOfArray: ['$nope', 'y'] }, null],
      ] as const
    ).map(([x, found]): [Document[], Document[]] => [
      [{ $match: { _id: 1 } }, { $replaceWith: { x } }],
      [found === undefined ? {} : { x: found }],
    ]),
  ])('%j', async (pipeline, expected) => {
    expect(await docs.aggregate(pipeline).toArray()).toEqual(expected);
  });

  it('$lookup joins another collection by equal fields', async () => {
    await db.collection('kinds').insertMany([
      { _id: 'a', name: 'A' },
      { _id: 'c', name: 'C' },
    ] as never);
    const joined = docs.aggregate([
      { $sort: { _id: 1 } },
      { $lookup: { from: 'kinds', localField: 'kind', foreignField: '_id', as: 'kinds' } },
      { $project: { kinds: 1 } },
      { $limit: 2 },
    ]);
    expect(await joined.toArray()).toEqual([
      { _id: 1, kinds: [{ _id: 'a', name: 'A' }] },
      { _id: 2, kinds: [] },
    ]);
  });

  it('$lookup runs its pipeline on what it joins', async () => {
    await db.collection('words').createIndex({ kind: 1, 'in.list': 1 });
    await db.collection('words').insertMany([
      { _id: 3, kind: 'a', in: [{ list: 'x' }, { list: 'y' }] },
      { _id: 4, kind: 'b', in: [{ list: 'x' }] },
      { _id: 5, kind: 'a', in: [{ list: 'x' }] },
    ] as never);
    await db.collection('lists').insertMany([{ _id: 'x' }, { _id: 'y' }, { _id: 'z' }] as never);
    const pipeline = [
      { $match: { kind: 'a' } },
      { $sort: { _id: -1 } },
      { $limit: 1 },
      { $project: { _id: 1 } },
    ];
    const joined = db
      .collection('lists')
      .aggregate([
        { $sort: { _id: 1 } },
        { $lookup: { from: 'words', localField: '_id', foreignField: 'in.list', pipeline, as: 'words' } },
      ]);
    expect(await joined.toArray()).toEqual([
      { _id: 'x', words: [{ _id: 5 }] },
      { _id: 'y', words: [{ _id: 3 }] },
      { _id: 'z', words: [] },
    ]);
  });
});

describe('clients of the store', () => {
  it('Mongoose validates, indexes, saves and reports duplicates', async () => {
    const connection = await mongoose.createConnection(database.uri, { autoCreate: false }).asPromise();
    const schema = new mongoose.Schema(
      { slug: { type: String, unique: true }, tags: [String], at: Date, sub: { n: Number } },
      { timestamps: true, optimisticConcurrency: true },
    );
    const Post = connection.model('Post', schema);
    await Post.init();
    const post = await Post.create({ slug: 'first', tags: ['a'], at: new Date(5), sub: { n: 1 } });
    post.tags.push('b');
    await post.save();
    const stored = await Post.findOne({ tags: 'b' }).lean();
    expect(stored).toMatchObject({ slug: 'first', tags: ['a', 'b'], at: new Date(5), sub: { n: 1 }, __v: 1 });
    await expect(Post.create({ slug: 'first' })).rejects.toMatchObject({ code: 11000 });
    await connection.close();
  });

  it('GridFS keeps files of many chunks', async () => {
    const bucket = new GridFSBucket(db);
    const content = Buffer.alloc(700_000, 'content');
    const upload = bucket.openUploadStream('logo.png', { metadata: { kind: 'logo' } });
    await new Promise<void>((resolve, reject) => {
      upload
        .once('finish', () => resolve())
        .once('error', reject)
        .end(content);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of bucket.openDownloadStream(upload.id)) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
    await bucket.delete(upload.id);
    expect(await bucket.find().toArray()).toEqual([]);
  });

  it('Agenda runs a task once, in one of two workers', async () => {
    const runs: string[] = [];
    const workers = ['one', 'two'].map((name) => {
      const agenda = new Agenda({
        backend: new MongoBackend({ mongo: db }),
        processEvery: 50,
        defaultLockLifetime: 1_000,
      });
      agenda.define('task', async () => {
        runs.push(name);
      });
      return agenda;
    });
    for (const worker of workers) await worker.start();
    await workers[0]?.now('task', {});
    await until(() => runs.length > 0);
    await sleep(200);
    for (const worker of workers) await worker.stop();
    expect(runs).toHaveLength(1);
  });
});
