import { beforeAll, describe, expect, it } from '@jest/globals';
import { type GraphQLObjectType } from 'graphql';
import { type Schema, Types } from 'mongoose';
import pino from 'pino';
import { tombstoneSchema } from '../../src/change/tombstone.record.js';
import { companySchema } from '../../src/company/company.mongoose.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { referenceKinds } from '../../src/fields/reference-snapshot.js';
import { historyEntrySchema } from '../../src/history/history.mongoose.js';
import { jobSchema } from '../../src/job/job.mongoose.js';
import { referenceSchema } from '../../src/reference/reference.record.js';
import { everything } from '../support/everything.js';
import { ownGateway } from '../support/own-gateway.js';
import { dataOf, graphql } from '../support/requests.js';
import { settle } from '../support/settle.js';

const lines: string[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
const gateway = ownGateway({ ARCHIVER: 'off' }, { log });
let token: string;
beforeAll(async () => {
  token = await gateway.token();
  await storeDamaged();
});

/** Stands for a path that the record lacks. */
const missing = Symbol('missing');
const values = [null, missing, 'yesterday', 5, [], {}, ['x'], new Types.ObjectId(), new Date(0)];

/** Every path of the schema: also inside objects, and inside the first element of lists. */
const pathsOf = (schema: Schema): string[][] => [
  ...[...new Set(Object.keys(schema.paths).flatMap((path) => path.split('.').slice(0, -1)))].map((path) => [
    path,
  ]),
  ...Object.entries(schema.paths).flatMap(([path, type]) => {
    const own = path.split('.');
    const element = type.instance === 'Array' ? ['0'] : [];
    const inside = type.schema ? pathsOf(type.schema).map((below) => [...own, ...element, ...below]) : [];
    return [own, ...inside];
  }),
];

/** Copies of a record, each with one damaged path. */
function damagedCopies<Stored extends { publicId: string }>(
  record: Stored,
  schema: Schema,
  identity: (publicId: string) => object,
): Record<string, unknown>[] {
  const paths = pathsOf(schema).filter(([head]) => head !== '_id' && head !== 'pendingHistory');
  return paths.flatMap((path) =>
    values.map((value, index) => {
      const publicId = `damaged ${path.join('.')} ${index}`;
      const copy = structuredCloneOf({
        ...record,
        _id: new Types.ObjectId(),
        publicId,
        ...identity(publicId),
      });
      let holder = copy;
      for (const part of path.slice(0, -1)) holder = (holder[part] ??= {}) as Record<string, unknown>;
      const last = path.at(-1) ?? '';
      if (value === missing) delete holder[last];
      else holder[last] = value;
      return copy;
    }),
  );
}

/** Objects and lists are new; other values are shared. */
function structuredCloneOf<Value>(value: Value): Record<string, unknown> {
  const copied = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(copied);
    const isPlain =
      each !== null && typeof each === 'object' && Object.getPrototypeOf(each) === Object.prototype;
    return isPlain ? structuredCloneOf(each) : each;
  };
  return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, copied(each)]));
}

const sound = { jobs: [] as string[], companies: [] as string[], references: [] as string[] };

async function storeDamaged(): Promise<void> {
  const { companies, jobs, tombstones, references } = gateway.models;
  const idsOf = (records: readonly { publicId: string }[]) => records.map(({ publicId }) => publicId);
  sound.jobs = idsOf(await jobs.find({ media: 'demo-media' }).lean());
  sound.companies = idsOf(await companies.find({ 'memberships.media': 'demo-media' }).lean());
  sound.references = (await references.find().lean()).map(({ kind, publicId }) => `${kind} ${publicId}`);
  const job = await jobs.collection.findOne({ publicId: 'acme-backend-engineer' });
  const company = await companies.collection.findOne({ publicId: 'acme' });
  const reference = await references.collection.findOne({ kind: 'contract' });
  if (!job || !company || !reference) throw new Error('the demo data have changed');
  const range = { minimum: '1', maximum: '2', currency: 'EUR', period: 'year' };
  const whole = { ...job, salaryRange: range, updatedAt: new Date() };
  const departed = { kind: 'job', media: 'demo-media', company: 'acme', version: 2, brand: null };
  const tombstone = { ...departed, publicId: '', createdBy: 'x', changedAt: new Date(0) };
  const damagedCompanies = damagedCopies(company as never, companySchema, (key) => ({
    nameKey: key,
    domainKey: key,
  }));
  const employed = damagedCompanies.map(({ publicId }, index) => ({
    ...{ ...whole, _id: new Types.ObjectId(), publicId: `employed ${index}`, company: publicId },
  }));
  const added: [{ collection: unknown }, object[]][] = [
    [jobs, [...damagedCopies(whole as never, jobSchema, () => ({})), ...employed]],
    [companies, damagedCompanies],
    [references, damagedCopies(reference as never, referenceSchema, () => ({}))],
    [tombstones, damagedCopies(tombstone, tombstoneSchema, (_id) => ({ _id }))],
  ];
  for (const [{ collection }, records] of added)
    // Unique indexes and the type of an `_id` reject some damage.
    await (collection as typeof jobs.collection)
      .insertMany(records as never, { ordered: false })
      .catch((error: { insertedCount: number }) => expect(error.insertedCount).toBeGreaterThan(0));
  await settle(gateway);
}

interface Listed {
  list: {
    totalCount: number;
    edges: { node: { publicId: string; kind?: string } }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}

const decoded = (cursor: string) => Buffer.from(cursor, 'base64url').toString();

async function follow(field: string, type: string, args = '', first = 5): Promise<string[]> {
  const node = everything(buildSchema().getType(type) as GraphQLObjectType);
  const ids: string[] = [];
  const cursors = new Set<string>();
  for (let after = ''; ;) {
    const query = `{ list: ${field}(mediaPublicId: "demo-media", first: ${first}, after: "${after}" ${args}) {
      totalCount edges { node { ${node} } } pageInfo { hasNextPage endCursor } } }`;
    const { body } = await graphql(gateway, query, {}, { token });
    expect({ after: decoded(after), errors: body.errors, log: body.errors && lines.at(-1) }).toEqual({
      after: decoded(after),
      errors: undefined,
    });
    const { edges, pageInfo } = (body.data as unknown as Listed).list;
    ids.push(...edges.map(({ node: { kind, publicId } }) => (kind ? `${kind} ${publicId}` : publicId)));
    if (!pageInfo.hasNextPage) return ids;
    after = pageInfo.endCursor ?? '';
    expect(cursors).not.toContain(after);
    cursors.add(after);
  }
}

describe('lists with damaged records: each wrong value of each path (Contract 9.3.3)', () => {
  it.each([
    ['jobs', 'Job', '', 20],
    ['jobs', 'Job', ', sort: updated_at_desc', 21],
    ['companies', 'Company', '', 20],
    ['companies', 'Company', ', sort: updated_at_desc', 21],
  ] as const)(
    'no page of %s (%s%s) fails, and every sound record is on one',
    async (list, type, args, first) => {
      const ids = await follow(list, type, args, first);
      expect(ids).toEqual(expect.arrayContaining(sound[list]));
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  it('no page of changes fails, and every sound record is on one', async () => {
    const ids = await follow('changes', 'Change', '', 53);
    const expected = [
      ...sound.jobs.map((id) => `job ${id}`),
      ...sound.companies.map((id) => `company ${id}`),
    ];
    expect(ids).toEqual(expect.arrayContaining(expected));
  });

  it('the lists of references have every sound one', async () => {
    const node = everything(buildSchema().getType('Reference') as GraphQLObjectType);
    for (const kind of referenceKinds) {
      const query = `{ list: references(kind: ${kind}) { ${node} } }`;
      const { list } = await dataOf<{ list: { publicId: string }[] }>(gateway, query, {}, { token });
      expect(list.map(({ publicId }) => publicId)).toEqual(
        expect.arrayContaining(
          sound.references.filter((id) => id.startsWith(`${kind} `)).map((id) => id.slice(kind.length + 1)),
        ),
      );
    }
  });

  it('a history has every sound entry, also beside a record that cannot be read', async () => {
    const { jobs, history } = gateway.models;
    const entry = { version: 2, at: new Date(), actor: 'a', transport: 'rest', requestId: 'r', changes: [] };
    const entries = damagedCopies({ ...entry, publicId: '' }, historyEntrySchema, () => ({}));
    const [, publicId = '', broken = ''] = sound.jobs;
    for (const [index, id] of [publicId, broken].entries()) {
      const pendingHistory = index === 0 ? [] : [{ ...entry, version: 999, changes: 'x' }];
      await jobs.collection.updateOne({ publicId: id }, { $set: { version: 999, pendingHistory } });
      const record = (await jobs.findOne({ publicId: id }).lean())?._id;
      const stored = [...entries, { ...entry, version: 900 }].map((each, at) => ({
        ...{ ...each, _id: `job:${String(record)}:${at + 900 - entries.length}`, record },
      }));
      await history.collection.insertMany(stored as never, { ordered: false }).catch(() => undefined);
      const query = `{ job(publicId: "${id}") { history(first: 100) { totalCount edges { cursor node { at transport requestId actor changes { field before after } } } } } }`;
      const { job } = await dataOf<{ job: object }>(gateway, query, {}, { token });
      expect(job).toHaveProperty('history.edges.0.cursor', Buffer.from('900').toString('base64url'));
    }
  });

  it('each skipped record is logged once, with its collection, id and path', async () => {
    await follow('jobs', 'Job', '', 20);
    const logged = lines.map((line) => JSON.parse(line) as { collection: string; id: unknown; path: string });
    const names = logged.map(({ collection, id }) => `${collection} ${JSON.stringify(id)}`);
    expect(new Set(names).size).toBe(names.length);
    expect(logged).toEqual(
      expect.arrayContaining(
        [
          { collection: 'jobs', id: 'damaged publishedAt 2', path: 'publishedAt' },
          { collection: 'jobs', id: 'damaged version 1', path: 'version' },
          { collection: 'companies', id: 'damaged memberships 0', path: 'memberships' },
          { collection: 'references', id: 'damaged name 0', path: 'name' },
        ].map((each) => expect.objectContaining(each) as unknown),
      ),
    );
  });
});
