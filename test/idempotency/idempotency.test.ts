import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, getNamedType, type GraphQLObjectType, isObjectType } from 'graphql';
import { BSON, Collection, MongoServerError } from 'mongodb';
import { type IdempotencyRecord } from '../../src/idempotency/idempotency.record.js';
import { everything } from '../support/everything.js';
import { inputOfFields } from '../support/input-name.js';
import { ownGateway } from '../support/own-gateway.js';
import { root } from '../support/process.js';
import { graphql, rest } from '../support/requests.js';
import { ofJob, updateJob } from '../support/updates.js';

let token: string;
let now = new Date();

const gateway = ownGateway({}, { clock: () => now });
beforeAll(async () => void (token = await gateway.token()));
beforeEach(async () => {
  now = new Date();
  await gateway.reset();
});

const update = (fields: Record<string, string>, key: string, { as = token, language = 'en' } = {}) =>
  updateJob(gateway, fields, { token: as, headers: { 'idempotency-key': key, 'accept-language': language } });
const storedJob = () => gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();

describe('Idempotency-Key over REST (Contract 6.2)', () => {
  it('a repeated call gets the same bytes, does not run again and spends read units alone (Contract 6.2.1)', async () => {
    const first = await update({ salary: '1k', bar: 'x' }, 'key-1');
    await update({ salary: '2k' }, 'key-2');
    // Neither the language nor ignored fields need to match.
    const repeated = await update({ salary: '1k', baz: 'y' }, 'key-1', { language: 'fr' });
    expect(first.body.warnings).toEqual([expect.objectContaining({ code: 'unknown-field', field: 'bar' })]);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    const charges = ['cost', 'limit'].map((name) => repeated.headers.get(`ratelimit-${name}`));
    expect(charges).toEqual(['1', '1000000']);
    expect(JSON.stringify(repeated.body)).toBe(JSON.stringify(first.body));
    expect(repeated.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await storedJob()).toMatchObject({ salary: '2k', version: 3 });
  });

  it('a call that changed the demo job takes at most 6 kB to store', async () => {
    await update({ salary: '1k' }, 'key');
    const stored = await gateway.models.idempotency.collection.findOne({});
    expect(BSON.calculateObjectSize(stored ?? {})).toBeLessThanOrEqual(6_000);
  });

  it('100 parallel calls with one key run once and get equal answers (Contract 6.2.3)', async () => {
    // A slow machine may refuse a call that waits too long with 503, which asks its client to repeat it.
    const updated = async (): ReturnType<typeof update> => {
      const reply = await update({ salary: '7k' }, 'twins');
      return reply.status === 503 ? updated() : reply;
    };
    const replies = await Promise.all(Array.from({ length: 100 }, updated));
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(replies[0]?.status).toBe(200);
    expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(99);
    expect((await storedJob())?.version).toBe(2);
  });

  it.each(['contract_id', 'media_public_id'])(
    'null and omitted %s are different inputs, over REST and over GraphQL (Contract 6.2.5)',
    async (field) => {
      const sendRest = async (fields: object, key: string) =>
        (
          await rest(
            gateway,
            'POST',
            '/jobs/acme-backend-engineer',
            { json: { salary: '1k', ...fields } },
            { token, headers: { 'idempotency-key': key } },
          )
        ).body.error;
      const document = `mutation ($input: UpdateJobInput!, $key: String!) {
        updateJob(input: $input, idempotencyKey: $key) { job { version } }
      }`;
      const sendGraphQL = async (fields: object, key: string) => {
        const input = { jobPublicId: 'acme-backend-engineer', salary: '1k', ...inputOfFields(fields) };
        const { body } = await graphql(gateway, document, { input, key }, { token });
        return body.errors?.[0]?.extensions.error;
      };
      for (const [api, send] of Object.entries({ sendRest, sendGraphQL })) {
        expect(await send({}, api)).toBeUndefined();
        expect(await send({ [field]: null }, api)).toBe('idempotency-key-reuse');
        expect(await send({}, api)).toBeUndefined();
      }
    },
  );

  // The database aborts because of a lock, another write or an operator, so a retry may succeed.
  it.each([24, 112, 11_601, 16_908_292])(
    'an update that the database aborts with error %i gets 503, and runs once when retried (Contract 6.2.2, 7.2.1)',
    async (code) => {
      const collection: { findOneAndUpdate: (...given: never[]) => unknown } = Collection.prototype;
      const original = collection.findOneAndUpdate;
      const write = jest.spyOn(collection, 'findOneAndUpdate');
      write.mockImplementation(function (this: Collection, ...given) {
        if (this.collectionName !== 'jobs') return original.apply(this, given);
        write.mockRestore();
        throw new MongoServerError({ code, message: 'given up' });
      });
      const refused = await update({ salary: '1k' }, 'key');
      expect([refused.status, refused.body.error]).toEqual([503, 'service-unavailable']);
      expect(refused.headers.get('retry-after')).toBe('1');
      for (const isReplayed of [null, 'true']) {
        const { status, headers } = await update({ salary: '1k' }, 'key');
        expect([status, headers.get('idempotency-replayed')]).toEqual([200, isReplayed]);
      }
      const job = await storedJob();
      expect([job?.salary, job?.version, job?.pendingHistory.length]).toEqual(['1k', 2, 1]);
    },
  );

  it('a caller without authority gets 401 and no replay', async () => {
    await update({ salary: '1k' }, 'key');
    const reader = await gateway.token({ scope: 'r_jobs' });
    expect((await update({ salary: '1k' }, 'key', { as: reader })).status).toBe(401);
  });
});

describe('idempotencyKey over GraphQL (Contract 6.2)', () => {
  it('a replayed payload has the history up to its version (Contract 6.2.1)', async () => {
    const entries = async (key: string, salary: string) => {
      const query = `mutation { updateJob(idempotencyKey: "${key}", input: {
        mediaPublicId: "demo-media", companyPublicId: "acme", jobPublicId: "acme-backend-engineer", salary: "${salary}"
      }) { job { salary history { edges { node { changes { after } } } } } } }`;
      const { body } = await graphql(gateway, query, {}, { token });
      const { job } = (body.data as { updateJob: { job: { salary: string; history: { edges: unknown[] } } } })
        .updateJob;
      return [job.salary, job.history.edges.length];
    };
    expect(await entries('one', '1k')).toEqual(['1k', 1]);
    expect(await entries('two', '2k')).toEqual(['2k', 2]);
    expect(await entries('one', '1k')).toEqual(['1k', 1]);
  });

  it('a GraphQL call is replayed over REST', async () => {
    const document = `mutation ($input: UpdateJobInput!) {
      updateJob(input: $input, idempotencyKey: "shared") { job { salary } } }`;
    await graphql(gateway, document, { input: { ...ofJob, salary: '5k', name: 'x' } }, { token });
    const { headers } = await update({ salary: '5k', name: 'x' }, 'shared');
    expect(headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('an answer that an earlier release stored', () => {
  const schemaAt = (path: string) => buildSchema(readFileSync(join(root, 'schema', path), 'utf8'));
  const [released, schema] = [schemaAt('released/schema.graphql'), schemaAt('schema.graphql')];

  /** What 2.0.0 lacks, whose databases this version takes over. */
  const newer = ['Job.nextStates', 'JobCompany.id'];

  /** Removes the fields that the type did not have in 2.0.0 and in the last release, at every depth. */
  function prune(view: unknown, typeName: string): void {
    if (typeof view !== 'object' || view === null) return;
    const [had, has] = [released, schema].map((each) =>
      (each.getType(typeName) as GraphQLObjectType).getFields(),
    );
    for (const [name, value] of Object.entries(view)) {
      if (!has?.[name]) continue;
      const below = had?.[name] && getNamedType(had[name].type);
      if (!below || newer.includes(`${typeName}.${name}`)) delete (view as Record<string, unknown>)[name];
      if (isObjectType(below)) for (const each of [value].flat()) prune(each, below.name);
    }
  }

  it.each([
    ['updateJob', 'job', 'Job', { ...ofJob, salary: '1k' }],
    [
      'updateCompany',
      'company',
      'Company',
      { mediaPublicId: 'demo-media', companyPublicId: 'acme', description: 'x' },
    ],
  ])('is repeated with what %s has shown since (Contract 6.2.1)', async (mutation, name, typeName, input) => {
    const selection = everything(schema.getType(typeName) as GraphQLObjectType);
    const document = `mutation ($input: ${typeName === 'Job' ? 'UpdateJobInput' : 'UpdateCompanyInput'}!) {
      ${mutation}(input: $input, idempotencyKey: "older") { ${name} { ${selection} } } }`;
    const { body: first } = await graphql(gateway, document, { input }, { token });
    expect(first.errors).toBeUndefined();
    const { collection } = gateway.models.idempotency;
    const stored = await collection.findOne<{ payload: Record<string, unknown> }>({});
    const payload = stored?.payload ?? {};
    prune(payload[name], typeName);
    await collection.updateMany({}, { $set: { payload } });
    const { body: repeated } = await graphql(gateway, document, { input }, { token });
    expect(repeated.data).toEqual(first.data);
  });
});

describe('the digest of the input', () => {
  it.each([
    [
      '/jobs/acme-backend-engineer',
      { salary_currency: 'EUR', salary_minimum: '1', salary_period: 'day' },
      {
        jobPublicId: 'acme-backend-engineer',
        salaryRange: { minimum: '1', currency: 'EUR', period: 'day' },
      },
    ],
    [
      '/companies',
      {
        sector_id: 'health;retail',
        description: 'x',
        media_public_id: 'demo-media',
        company_public_id: 'acme',
      },
      { mediaPublicId: 'demo-media', companyPublicId: 'acme', sectorId: 'health;retail', description: 'x' },
    ],
  ])(
    'of a call to %s over REST, which is stored for 24 hours, never changes (Contract 6.2.1)',
    async (path, form, input) => {
      expect(
        (await rest(gateway, 'POST', path, { form }, { token, headers: { 'idempotency-key': 'digest' } }))
          .body.error,
      ).toBeUndefined();
      const stored = await gateway.models.idempotency.findOne().lean<IdempotencyRecord>();
      const digested = JSON.stringify([JSON.stringify({ ...input, refused: [] })]);
      expect(stored?.inputDigest).toBe(createHash('sha256').update(digested).digest('base64url'));
    },
  );
});

describe('a keyed call whose process died before answering (Contract 6.2.2)', () => {
  /** Makes the stored call a claim last renewed `ageMs` ago, as if its process had died. */
  const abandon = (ageMs: number) =>
    gateway.models.idempotency.updateMany(
      {},
      { $unset: { payload: 1 }, $set: { claim: 'of the dead', claimedAt: new Date(now.getTime() - ageMs) } },
    );
  /** Resets the job, as if the process had changed nothing. */
  const undo = () =>
    gateway.models.jobs.updateOne(
      { publicId: 'acme-backend-engineer' },
      { $set: { salary: 'before', version: 1, pendingHistory: [], keyedCalls: [] } },
    );
  it('runs once after its claim expires, however many callers repeat it (Contract 6.2.2)', async () => {
    await update({ salary: '1k' }, 'key');
    await abandon(10_000);
    await undo();
    const replies = await Promise.all([update({ salary: '1k' }, 'key'), update({ salary: '1k' }, 'key')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(1);
    expect(await storedJob()).toMatchObject({ salary: '1k', version: 2 });
  });

  it('leaves its key to a call with another input, whose answer the key then replays (Contract 6.2.4, 6.2.5)', async () => {
    await update({ salary: '1k' }, 'key');
    await abandon(10_000);
    await undo();
    expect((await update({ salary: '2k' }, 'key')).status).toBe(200);
    expect((await storedJob())?.salary).toBe('2k');
    expect((await update({ salary: '2k' }, 'key')).headers.get('idempotency-replayed')).toBe('true');
    expect((await update({ salary: '1k' }, 'key')).body.error).toBe('idempotency-key-reuse');
  });
});
