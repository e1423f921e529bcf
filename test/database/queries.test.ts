import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CommandStartedEvent } from 'mongodb';
import { type Connection, createConnection, type Model, Types } from 'mongoose';
import { parseIndexDefinition } from '../../src/database/embedded/index/definition.js';
import { planAccess } from '../../src/database/embedded/query/plan.js';
import { parseSort } from '../../src/database/embedded/query/sort.js';
import { Collection } from '../../src/database/embedded/storage/collection.js';
import { type BsonDocument } from '../../src/database/embedded/values/document.js';
import { indexesOf, type Models, modelsOf } from '../../src/models.js';
import { eachOf, inPages } from '../../src/database/in-pages.js';
import { noDisk } from '../support/memory-store.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';
import { type usualClaims } from '../support/tokens.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';

const sent = new SentCommands();
const gateway = ownGateway({ ARCHIVER: 'off' }, { tracing: sent.tracing });

const ofOthers = 500;
const own = 3;

/** A collection with a model's indexes, many records with `common`, and a few with `values` instead. */
function collectionOf(model: Models[keyof Models], common: BsonDocument, values: BsonDocument): Collection {
  const collection = new Collection(1, noDisk, { database: 'd', name: 'c', indexes: [] });
  collection.createIndexes(
    indexesOf(model).map((index, serial) => parseIndexDefinition({ name: String(serial), ...index })),
  );
  for (let _id = 0; _id < ofOthers + own; _id += 1) {
    const unique = { _id, publicId: `id-${_id}`, nameKey: `${_id}` };
    collection.insert({ ...unique, ...common, ...(_id < own && values) });
  }
  return collection;
}

/** How many records each query examines with the collection's indexes. */
const examinedIn = (collection: Collection, name: string): number[] =>
  sent.to(name).map(({ filter, sort, pipeline }) => {
    const [match, order] = pipeline
      ? (pipeline as BsonDocument[]).map((stage) => Object.values(stage)[0] as BsonDocument)
      : [filter as BsonDocument, Object.fromEntries((sort ?? []) as Iterable<[string, 1]>)];
    return [...planAccess(collection, match!, parseSort(order!)).records].length;
  });

const partner = { roles: ['media_partner'], sub: 'own' } as const;
const brandAdmin = { roles: ['brand_admin'], brand: 'own', media: undefined } as const;
const jobs = 'jobs(mediaPublicId: "demo-media") { edges { cursor } }';
const drafts = 'jobs(mediaPublicId: "demo-media", filter: { states: [draft] }) { edges { cursor } }';
const companies = 'companies(mediaPublicId: "demo-media") { edges { cursor } }';

describe('in a large media, indexes exclude the records of other owners', () => {
  it.each<[string, Partial<typeof usualClaims>, string]>([
    ['jobs of a partner', partner, jobs],
    ['jobs in a state', {}, drafts],
    ['companies of a partner', partner, companies],
    ['companies of a brand', brandAdmin, companies],
    ['jobs of a brand', brandAdmin, jobs],
  ])('for %s', async (_, claims, query) => {
    const { companies: companyModel, jobs: jobModel } = gateway.models;
    const company = { brand: 'other', createdBy: 'other', memberships: [{ media: 'demo-media' }] };
    const job = { media: 'demo-media', company: 'other', createdBy: 'other', state: 'archived' };
    // A brand without a company in the media reaches nothing there.
    await companyModel.collection.updateOne({ publicId: 'acme' }, { $set: { brand: 'own' } });
    const token = await gateway.token(claims);
    sent.forget();
    const { body } = await graphql(gateway, `{ ${query} }`, {}, { token });
    expect(body.errors).toBeUndefined();
    const values = { brand: 'own', createdBy: 'own', company: 'acme', state: 'draft' };
    const examined = [
      ...examinedIn(collectionOf(companyModel, company, values), 'companies'),
      ...examinedIn(collectionOf(jobModel, job, values), 'jobs'),
    ];
    expect(examined.length).toBeGreaterThan(0);
    expect(Math.max(...examined)).toBeLessThanOrEqual(own);
  });
});

describe('replies of the database', () => {
  let database: TestDatabase;
  let connection: Connection;
  let models: Models;
  let seen: CommandStartedEvent[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    connection = await createConnection(database.uri, { monitorCommands: true }).asPromise();
    connection.getClient().on('commandStarted', (event) => seen.push(event));
    models = modelsOf(connection);
  });
  beforeEach(async () => {
    for (const { collection } of Object.values(models)) await collection.deleteMany({});
    seen = [];
  });
  afterAll(async () => {
    await connection.close();
    await database.close();
  });

  const names = () => seen.map(({ commandName }) => commandName);

  describe('replies to a query of a model', () => {
    it.each(Object.keys(modelsOf(createConnection())) as (keyof Models)[])(
      'come in one batch, however many: %s',
      async (name) => {
        const model = models[name] as unknown as Model<{ _id: unknown }>;
        await model.collection.insertMany(Array.from({ length: 150 }, () => ({ _id: new Types.ObjectId() })));
        seen = [];
        expect(await model.find().lean()).toHaveLength(150);
        let count = 0;
        for await (const { _id } of model.find({}, { _id: 1 }).lean().cursor()) count += _id ? 1 : 0;
        expect(count).toBe(150);
        expect(names()).toEqual(['find', 'find']);
      },
    );

    it('come in batches of the size that a query sets', async () => {
      await models.media.collection.insertMany(Array.from({ length: 5 }, () => ({})));
      seen = [];
      expect(await models.media.find().batchSize(3).lean()).toHaveLength(5);
      expect(names()).toEqual(['find', 'getMore']);
    });
  });

  describe('inPages', () => {
    const store = (count: number, more: object = {}) =>
      models.media.collection.insertMany(
        Array.from({ length: count }, (_, index) => ({
          publicId: `m${String(index).padStart(4, '0')}`,
          ...more,
        })),
      );

    it('returns all documents once, in order, and leaves no cursor open', async () => {
      await store(2_500);
      seen = [];
      const pages: { publicId: string }[][] = [];
      const wanted = { projection: { publicId: 1 }, key: 'publicId' };
      for await (const page of inPages<{ publicId: string }>(models.media, wanted)) pages.push(page);
      expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
      expect(pages.flat().map(({ publicId }) => publicId)).toEqual(
        Array.from({ length: 2_500 }, (_, index) => `m${String(index).padStart(4, '0')}`),
      );
      expect(names()).toEqual(['find', 'find', 'find', 'find']);
    });

    it('applies the filter, even on the key', async () => {
      await store(1_200);
      const filter = { publicId: { $in: ['m0001', 'm1100', 'none'] } };
      const found: string[] = [];
      for await (const { publicId } of eachOf<{ publicId: string }>(models.media, {
        filter,
        key: 'publicId',
      }))
        found.push(publicId);
      expect(found).toEqual(['m0001', 'm1100']);
    });

    it('returns smaller pages of long documents', async () => {
      for (let part = 0; part < 4; part += 1)
        await models.media.collection.insertMany(
          Array.from({ length: 5 }, (_, index) => ({
            publicId: `${part}${index}`,
            text: 'x'.repeat(1_000_000),
          })),
        );
      seen = [];
      const lengths: number[] = [];
      for await (const page of inPages(models.media)) lengths.push(page.length);
      expect(lengths.length).toBeGreaterThan(1);
      expect(lengths.reduce((sum, length) => sum + length)).toBe(20);
      expect(new Set(names())).toEqual(new Set(['find']));
    });
  });
});
