import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CommandStartedEvent } from 'mongodb';
import { type Connection, createConnection, type Model, Types } from 'mongoose';
import { eachOf, inPages } from '../../src/database/in-pages.js';
import { type Models, modelsOf } from '../../src/database/models.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let connection: Connection;
let models: Models;
let sent: CommandStartedEvent[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  connection = await createConnection(database.uri, { monitorCommands: true }).asPromise();
  connection.getClient().on('commandStarted', (event) => sent.push(event));
  models = modelsOf(connection);
});
beforeEach(async () => {
  for (const { collection } of Object.values(models)) await collection.deleteMany({});
  sent = [];
});
afterAll(async () => {
  await connection.close();
  await database.close();
});

const names = () => sent.map(({ commandName }) => commandName);

describe('what a model looks for', () => {
  it.each(Object.keys(modelsOf(createConnection())) as (keyof Models)[])(
    'comes in one reply, however many there are: %s',
    async (name) => {
      const model = models[name] as unknown as Model<{ _id: unknown }>;
      await model.collection.insertMany(Array.from({ length: 150 }, () => ({ _id: new Types.ObjectId() })));
      sent = [];
      expect(await model.find().lean()).toHaveLength(150);
      let count = 0;
      for await (const { _id } of model.find({}, { _id: 1 }).lean().cursor()) count += _id ? 1 : 0;
      expect(count).toBe(150);
      expect(names()).toEqual(['find', 'find']);
    },
  );

  it('comes in so many as a query says', async () => {
    await models.media.collection.insertMany(Array.from({ length: 5 }, () => ({})));
    sent = [];
    expect(await models.media.find().batchSize(3).lean()).toHaveLength(5);
    expect(names()).toEqual(['find', 'getMore']);
  });
});

describe('pages of documents', () => {
  const store = (count: number, more: object = {}) =>
    models.media.collection.insertMany(
      Array.from({ length: count }, (_, index) => ({
        publicId: `m${String(index).padStart(4, '0')}`,
        ...more,
      })),
    );

  it('have them all, each once and in order, by queries that leave no cursor behind', async () => {
    await store(2_500);
    sent = [];
    const pages: { publicId: string }[][] = [];
    const wanted = { projection: { publicId: 1 }, key: 'publicId' };
    for await (const page of inPages<{ publicId: string }>(models.media, wanted)) pages.push(page);
    expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    expect(pages.flat().map(({ publicId }) => publicId)).toEqual(
      Array.from({ length: 2_500 }, (_, index) => `m${String(index).padStart(4, '0')}`),
    );
    expect(names()).toEqual(['find', 'find', 'find', 'find']);
  });

  it('leave out what does not match, by the key too', async () => {
    await store(1_200);
    const filter = { publicId: { $in: ['m0001', 'm1100', 'none'] } };
    const found: string[] = [];
    for await (const { publicId } of eachOf<{ publicId: string }>(models.media, { filter, key: 'publicId' }))
      found.push(publicId);
    expect(found).toEqual(['m0001', 'm1100']);
  });

  it('have as many as a reply may hold where they are long', async () => {
    for (let part = 0; part < 4; part += 1)
      await models.media.collection.insertMany(
        Array.from({ length: 5 }, (_, index) => ({
          publicId: `${part}${index}`,
          text: 'x'.repeat(1_000_000),
        })),
      );
    sent = [];
    const lengths: number[] = [];
    for await (const page of inPages(models.media)) lengths.push(page.length);
    expect(lengths.length).toBeGreaterThan(1);
    expect(lengths.reduce((sum, length) => sum + length)).toBe(20);
    expect(new Set(names())).toEqual(new Set(['find']));
  });
});
