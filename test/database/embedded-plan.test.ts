import { beforeEach, describe, expect, it } from '@jest/globals';
import { deserialize, serialize } from 'bson';
import fc from 'fast-check';
import { readCommands } from '../../src/database/embedded/commands/read.js';
import { parseIndexDefinition } from '../../src/database/embedded/index/definition.js';
import { compileExpression } from '../../src/database/embedded/language/expression.js';
import { findRecords } from '../../src/database/embedded/query/find-records.js';
import { planAccess } from '../../src/database/embedded/query/plan.js';
import { parseSort } from '../../src/database/embedded/query/sort.js';
import { Catalog } from '../../src/database/embedded/storage/catalog.js';
import { Collection } from '../../src/database/embedded/storage/collection.js';
import type { BsonDocument } from '../../src/database/embedded/values/document.js';
import { sortKey } from '../../src/database/embedded/values/sort-key.js';
import { noDisk } from '../support/memory-store.js';

const scalar = fc.constantFrom<unknown>(
  null,
  -1,
  0,
  1,
  2.5,
  '',
  'a',
  'b',
  'é',
  true,
  new Date(0),
  new Date(1),
);
const list = fc.array(scalar, { maxLength: 3 });
const value = fc.oneof({ weight: 5, arbitrary: scalar }, list, fc.record({ d: fc.oneof(scalar, list) }));
const fields = fc.record(
  { a: value, b: value, c: fc.oneof(value, fc.array(fc.record({ d: scalar }), { maxLength: 2 })) },
  { requiredKeys: [] },
);
const condition = fc.oneof(
  value,
  fc.array(scalar, { maxLength: 3 }).map(($in) => ({ $in })),
  fc
    .record({ $gt: scalar, $gte: scalar, $lt: scalar, $lte: scalar }, { requiredKeys: [] })
    .filter((range) => Object.keys(range).length > 0),
  fc.record({ $ne: scalar }),
  fc.record({ $exists: fc.boolean() }),
);
const path = fc.constantFrom('a', 'b', 'c.d', '_id');
const conditions = fc.array(fc.tuple(path, condition), { maxLength: 3 });
const filter = conditions.map((pairs): BsonDocument => ({
  $and: [{}, ...pairs.map(([name, operand]) => ({ [name]: operand }))],
}));
const direction = fc.constantFrom(1, -1);
const sort = fc.array(fc.tuple(path, direction), { maxLength: 2 }).map((pairs) => Object.fromEntries(pairs));
const index = fc.record({
  key: fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c.d'), direction), {
      minLength: 1,
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map((pairs) => Object.fromEntries(pairs)),
  kind: fc.constantFrom(
    {},
    { sparse: true },
    { partialFilterExpression: { a: 1 } },
    { partialFilterExpression: { b: 'a' } },
  ),
});

describe('query plan of the built-in store', () => {
  it('finds the same documents as a scan, in the requested order, whatever the indexes', () => {
    fc.assert(
      fc.property(
        fc.array(fields, { maxLength: 12 }),
        fc.array(index, { maxLength: 3 }),
        filter,
        sort,
        (bodies, indexes, query, order) => {
          const [plain, indexed] = [
            new Collection(1, noDisk, { database: 'd', name: 'c', indexes: [] }),
            new Collection(2, noDisk, { database: 'd', name: 'c', indexes: [] }),
          ];
          const definitions = indexes.map(({ key, kind }, serial) =>
            parseIndexDefinition({ key, name: String(serial), ...kind }),
          );
          const documents = bodies.map((body, _id) => overWire({ _id, ...body }));
          const wanted = overWire(query);
          try {
            for (const definition of definitions) indexed.createIndexes([definition]);
            for (const document of documents.slice(0, 6)) indexed.insert(document);
            findRecords(indexed, { filter: wanted, sort: parseSort(order) });
            for (const document of documents.slice(6)) indexed.insert(document);
          } catch {
            // Skip equal indexes, and an index over two arrays.
            fc.pre(false);
          }
          for (const document of documents) plain.insert(document);
          // Sort by `_id` last, so that only one order is right.
          const total = parseSort({ ...order, ...('_id' in order ? {} : { _id: 1 }) });
          const ids = (collection: Collection) =>
            findRecords(collection, { filter: wanted, sort: total }).map(({ document }) => document._id);
          expect(ids(indexed)).toEqual(ids(plain));
        },
      ),
      { seed: 20_260_401, numRuns: Number(process.env.FUZZ_REQUESTS ?? 200) },
    );
  });

  it('does not examine documents that an index excludes', () => {
    const jobs = new Collection(1, noDisk, { database: 'd', name: 'jobs', indexes: [] });
    jobs.createIndexes([
      parseIndexDefinition({ key: { publicId: 1 }, name: 'publicId', unique: true }),
      parseIndexDefinition({ key: { state: 1, at: 1 }, name: 'state_at' }),
    ]);
    for (let _id = 0; _id < 1_000; _id++) {
      jobs.insert({ _id, publicId: `job-${_id}`, state: _id % 2 ? 'draft' : 'published', at: new Date(_id) });
    }
    const examined = (query: BsonDocument, order = {}) =>
      [...planAccess(jobs, query, parseSort(order)).records].length;
    expect(examined({ _id: 5 })).toBe(1);
    expect(examined({ _id: { $in: [5, 6, -1] } })).toBe(2);
    expect(examined({ publicId: 'job-7' })).toBe(1);
    expect(examined({ publicId: { $in: ['job-7', 'job-8'] } })).toBe(2);
    expect(examined({ state: 'published', at: { $lte: new Date(99) } })).toBe(50);
    expect(examined({ _id: { $gt: 989 } })).toBe(11);
    const due = planAccess(jobs, { state: 'published', at: { $lte: new Date(99) } }, parseSort({ at: -1 }));
    expect(due.isSorted).toBe(true);
    expect([...due.records].slice(0, 2).map(({ document }) => document._id)).toEqual([98, 96]);
    const all = { state: { $in: ['draft', 'published'] } };
    expect(examined({ ...all, at: { $gt: new Date(989) } })).toBe(11);
    const latest = planAccess(jobs, all, parseSort({ at: -1, state: 1 }));
    expect(latest.isSorted).toBe(true);
    expect([...latest.records].slice(0, 3).map(({ document }) => document._id)).toEqual([999, 998, 997]);
  });
});

describe('pipeline of the built-in store', () => {
  const jobs = new Collection(1, noDisk, { database: 'd', name: 'jobs', indexes: [] });
  jobs.createIndexes([parseIndexDefinition({ key: { media: 1, publicId: 1 }, name: 'media_publicId' })]);
  const looks = { media: 0, publicId: 0 };
  for (let _id = 0; _id < 1_000; _id++)
    jobs.insert({
      _id,
      get publicId() {
        looks.publicId += 1;
        return -_id;
      },
      get media() {
        looks.media += 1;
        return 'demo';
      },
    });
  const page = (...pipeline: BsonDocument[]): unknown =>
    readCommands.aggregate.run({ aggregate: 'jobs', pipeline, cursor: {} }, {
      catalog: { find: () => jobs },
      cursors: { start: (_name: string, documents: unknown) => documents },
    } as unknown as Parameters<typeof readCommands.aggregate.run>[1]).cursor;
  const match = { $match: { media: 'demo' } };
  const sort = { $sort: { publicId: 1 } };

  beforeEach(() => {
    // The first query builds the index.
    page(match, sort);
    Object.assign(looks, { media: 0, publicId: 0 });
  });

  it('examines only the first page if an index has the requested order', () => {
    expect(page(match, sort, { $limit: 2 }, { $project: { publicId: 1 } })).toEqual([
      { _id: 999, publicId: -999 },
      { _id: 998, publicId: -998 },
    ]);
    expect(looks.media + looks.publicId).toBeLessThan(10);
  });

  it('matches each document once and does not sort if an index has the requested order', () => {
    expect(page(match, sort)).toHaveLength(1_000);
    expect(looks).toEqual({ media: 1_000, publicId: 0 });
  });
});

describe('order of values in the built-in store', () => {
  it('is the same as in MongoDB', () => {
    const ordered = [
      null,
      NaN,
      -Infinity,
      -1.5,
      0,
      1,
      2 ** 53,
      Infinity,
      '',
      '\0',
      'a',
      'a\0',
      'ab',
      'é',
      '\uffff',
      '😀',
      {},
      { a: 1 },
      { a: 2 },
      { b: 1 },
      { a: 'x' },
      [],
      [1],
      [1, 1],
      [2],
      false,
      true,
      new Date(-1),
      new Date(1),
    ];
    for (const [left, a] of ordered.entries()) {
      for (const [right, b] of ordered.entries()) {
        const [one, other] = [sortKey(a), sortKey(b)];
        expect([a, b, one < other, one === other]).toEqual([a, b, left < right, left === right]);
      }
    }
    expect(sortKey(-0)).toBe(sortKey(0));
    expect(sortKey({ a: 1, b: 2 })).not.toBe(sortKey({ b: 2, a: 1 }));
  });
});

describe('indexes of the built-in store', () => {
  const definitions = [
    { key: { publicId: 1 }, name: 'publicId' },
    { key: { at: 1 }, name: 'at', expireAfterSeconds: 60 },
  ];
  const opened = () => {
    const collections = [
      { key: 1, value: serialize({ database: 'd', name: 'records', indexes: definitions }) },
    ];
    const records = [0, 1, 2].map((minute) => ({
      key: [1, minute] as [number, number],
      value: serialize({ _id: minute, publicId: `${minute}`, at: new Date(minute * 60_000) }),
    }));
    const catalog = new Catalog({
      ...noDisk,
      collections: { ...noDisk.collections, entries: () => collections },
      records: { ...noDisk.records, entries: () => records },
    });
    const collection = catalog.get('d', 'records');
    return { catalog, collection, complete: () => [...collection.indexes].map((one) => one.isComplete) };
  };

  it('are not complete when a command opens the store; the removal of expired documents completes only TTL indexes', () => {
    const { catalog, collection, complete } = opened();
    expect(complete()).toEqual([false, false, false]);
    catalog.deleteExpired(new Date(2 * 60_000));
    expect([complete(), [...collection.records()].length]).toEqual([[false, false, true], 1]);
  });

  it('are complete once the catalog is told to, and new indexes once they are created', () => {
    const { catalog, collection, complete } = opened();
    collection.createIndexes([parseIndexDefinition({ key: { a: 1 }, name: 'a' })]);
    expect(complete()).toEqual([false, false, false, true]);
    catalog.completeIndexes();
    expect(complete()).toEqual([true, true, true, true]);
  });
});

describe('$indexOfArray', () => {
  it('builds the key of the searched value only once', () => {
    let keysMade = 0;
    const sought = {
      get a() {
        keysMade += 1;
        return 1;
      },
    };
    const elements = [...Array.from({ length: 1_000 }, (_, a) => ({ a: -a })), { a: 1 }];
    expect(compileExpression({ $indexOfArray: ['$elements', '$sought'] })({ elements, sought })).toBe(1_000);
    expect(keysMade).toBe(1);
  });
});

function overWire(document: BsonDocument): BsonDocument {
  return deserialize(serialize(document));
}
