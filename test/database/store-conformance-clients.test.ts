import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoBackend } from '@agendajs/mongo-backend';
import { Agenda } from 'agenda';
import { type Db, GridFSBucket, MongoClient, ObjectId } from 'mongodb';
import mongoose from 'mongoose';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { type EmbeddedStore } from '../../src/database/embedded/server.js';
import { startMemoryStore } from '../support/memory-store.js';
import { until } from '../support/until.js';

/** The conformance suite's clients: what the gateway is built of connects unchanged. */
const databaseName = `conformance_${new ObjectId().toHexString()}`;
let store: EmbeddedStore | undefined;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  store = process.env.MONGODB_URI ? undefined : await startMemoryStore();
  client = await new MongoClient(store?.uri ?? process.env.MONGODB_URI ?? '').connect();
  db = client.db(databaseName);
});

afterAll(async () => {
  await db.dropDatabase();
  await client.close();
  await store?.close();
});

describe('clients', () => {
  it('Mongoose validates, indexes, saves and reports duplicates', async () => {
    const connection = await mongoose
      .createConnection(store?.uri ?? process.env.MONGODB_URI ?? '', {
        dbName: databaseName,
        autoCreate: false,
      })
      .asPromise();
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

  it('Agenda runs a task, and two workers never the same one', async () => {
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
    await delay(200);
    for (const worker of workers) await worker.stop();
    expect(runs).toHaveLength(1);
  });

  it('RateLimiterMongo counts concurrent callers together', async () => {
    const options = { storeClient: client, dbName: databaseName, points: 5, duration: 60 };
    const limiter = new RateLimiterMongo({ ...options, disableIndexesCreation: true });
    await db.collection('rlflx').createIndexes([
      { key: { expire: -1 }, expireAfterSeconds: 0 },
      { key: { key: 1 }, unique: true },
    ]);
    // The first call makes the record: engines differ on who wins when several make it at once.
    await limiter.consume('caller');
    const results = await Promise.allSettled(Array.from({ length: 7 }, () => limiter.consume('caller')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });
});

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
