import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Collection as DriverCollection } from 'mongodb';
import { mongo } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { completeImportTask } from '../../src/archiver/upkeep.tasks.js';
import { markAsMoving } from '../support/lease.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { taskRun } from '../support/task-run.js';
import { until } from '../support/until.js';

const gateway = ownGateway();
beforeEach(() => gateway.reset());

const ids = { media_public_id: 'demo-media', company_public_id: 'acme' };
type Claims = Parameters<typeof gateway.token>[0];
const partner: Claims = { roles: ['media_partner'], sub: 'partner' };

async function post(
  fields: Record<string, string>,
  { claims, headers }: { claims?: Claims; headers?: Record<string, string> } = {},
) {
  return rest(
    gateway,
    'POST',
    '/jobs',
    { form: fields },
    { token: await gateway.token(claims), ...(headers && { headers }) },
  );
}
const stored = (publicId: string) => gateway.models.jobs.findOne({ publicId }).lean();

/** Whether the unique index of public ids is built: DocumentDB that shards answers before. */
async function isIndexBuilt(): Promise<boolean> {
  const publicId = 'acme-backend-engineer';
  const twin = { ...(await stored(publicId))!, _id: new mongo.ObjectId() };
  const { collection } = gateway.models.jobs;
  const isRefused = await collection.insertOne(twin).then(
    () => false,
    () => true,
  );
  await collection.deleteOne({ _id: twin._id, publicId });
  return isRefused;
}

const countJobs = () => gateway.models.jobs.countDocuments();

async function createJob(input: Record<string, unknown>, args: Record<string, unknown> = {}) {
  const text = `mutation ($input: CreateJobInput!, $idempotencyKey: String, $dryRun: Boolean! = false) {
    createJob(input: $input, idempotencyKey: $idempotencyKey, dryRun: $dryRun) {
      job { publicId name state version publishedAt expiresAt applicationMethod history { edges { node { actor transport changes { field before after } } } } }
      warnings { code } } }`;
  const all = { mediaPublicId: 'demo-media', companyPublicId: 'acme', ...input };
  const { body } = await graphql(gateway, text, { input: all, ...args }, { token: await gateway.token() });
  return {
    created: (body.data?.createJob as { job: Record<string, unknown> } | null)?.job,
    error: body.errors?.[0],
  };
}

describe('POST /jobs', () => {
  it('creates a draft and answers 201 with the documented body, Location, ETag and Job-State (Contract 5.5.1, 5.5.3)', async () => {
    const { status, headers, body } = await post({
      ...ids,
      name: ' Data  Engineer ',
      job_public_id: 'data-engineer',
      salary: '50 k€',
    });
    expect(status).toBe(201);
    expect([headers.get('location'), headers.get('etag'), headers.get('job-state')]).toEqual([
      'jobs/data-engineer',
      '"1"',
      'draft',
    ]);
    expect(Object.keys(body.data as object)).toEqual(
      Object.keys(
        (
          await rest(
            gateway,
            'POST',
            '/jobs/acme-backend-engineer',
            { form: {} },
            { token: await gateway.token() },
          )
        ).body.data as object,
      ),
    );
    expect(body.data).toMatchObject({
      name: 'Data  Engineer',
      public_id: 'data-engineer',
      salary: '50 k€',
      office: null,
      publishedAt: null,
      is_redirect_apply: false,
    });
    expect((body.data as { questions: { ref: string }[] }).questions.map(({ ref }) => ref)).toEqual([
      'firstname',
      'lastname',
      'email',
      'phone_number',
      'comment',
      'resume',
    ]);
    const job = await stored('data-engineer');
    expect(job).toMatchObject({
      createdBy: 'tester',
      media: 'demo-media',
      company: 'acme',
      brand: 'acme-group',
      isCompanyInMedia: true,
      version: 1,
    });
    expect(Math.abs(job!.changedAt.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('makes an id of the folded name and six characters, and names may repeat (Contract 5.5.2, 5.5.5)', async () => {
    const made = await Promise.all([1, 2].map(() => post({ ...ids, name: 'Développeur·euse C++ (H/F)' })));
    const publicIds = made.map(({ body }) => (body.data as { public_id: string }).public_id);
    for (const id of publicIds) expect(id).toMatch(/^developpeur-euse-c-h-f-[a-z0-9]{6}$/);
    expect(new Set(publicIds).size).toBe(2);
    const { body } = await post({ ...ids, name: `${'é'.repeat(150)}` });
    expect((body.data as { public_id: string }).public_id).toMatch(/^e{93}-[a-z0-9]{6}$/);
    expect(((await post({ ...ids, name: '職' })).body.data as { public_id: string }).public_id).toMatch(
      /^[a-z0-9]{6}$/,
    );
  });

  it('tells missing identifiers first, then the company, then every field at once (Contract 5.5.2, 5.5.3, 5.5.5)', async () => {
    const codesOf = async (fields: Record<string, string>) => {
      const { body } = await post(fields);
      return body.errors?.map(({ code }) => code) ?? body.error;
    };
    expect(await codesOf({ media_public_id: ' ', state: 'archived' })).toEqual([
      'missing-media_public_id',
      'missing-company_public_id',
    ]);
    expect(await codesOf({ ...ids, company_public_id: 'nowhere' })).toBe('company-not-found');
    expect(await codesOf({ ...ids, company_public_id: 'globex' })).toBe('company-not-published');
    expect(
      await codesOf({
        ...ids,
        job_public_id: 'No id',
        state: 'archived',
        application_method: 'external_apply',
        contract_id: 'x',
      }),
    ).toEqual([
      'state-format-error',
      'job_public_id-format-error',
      'missing-name',
      'contract_id-not-found',
      'missing-application_url',
    ]);
    expect(await codesOf({ ...ids, name: 'A', expires_at: '2030-01-01' })).toEqual([
      'expires_at-format-error',
    ]);
    expect(await codesOf({ ...ids, name: 'A', job_public_id: `a${'-'.repeat(100)}b` })).toEqual([
      'job_public_id-too-long',
    ]);
    expect(await codesOf({ ...ids, name: 'A'.repeat(151) })).toEqual(['name-too-long']);
    expect(await codesOf({ ...ids, name: 'A\u0007' })).toEqual(['name-format-error']);
  });

  it('refuses a taken public id with job-already-existed, in whatever media it is taken, a dry run too (Contract 2.4.3, 5.5.6)', async () => {
    const other = (await gateway.models.jobs.findOne({ media: 'other-media' }).lean())!.publicId;
    await until(isIndexBuilt);
    const before = await countJobs();
    for (const headers of [{}, { prefer: 'validate-only' }] as Record<string, string>[])
      for (const job_public_id of ['acme-backend-engineer', other]) {
        const { status, body } = await post({ ...ids, name: 'A', job_public_id }, { headers });
        expect([status, body.error]).toEqual([409, 'job-already-existed']);
      }
    expect(await countJobs()).toBe(before);
  });

  it('refuses If-Match and If-None-Match (Contract 5.5.8)', async () => {
    const { status, body } = await post(
      { ...ids, name: 'A' },
      { headers: { 'if-match': '*', 'if-none-match': '*' } },
    );
    expect([status, body.errors?.map(({ code }) => code)]).toEqual([
      422,
      ['if_match-format-error', 'if_none_match-format-error'],
    ]);
  });

  it('answers a dry run with version 1 and stores nothing (Contract 5.5.8)', async () => {
    const before = await countJobs();
    const { status, headers } = await post({ ...ids, name: 'A' }, { headers: { prefer: 'validate-only' } });
    expect([status, headers.get('location'), headers.get('etag'), headers.get('preference-applied')]).toEqual(
      [201, null, null, 'validate-only'],
    );
    expect((await createJob({ name: 'A' }, { dryRun: true })).created).toMatchObject({ version: 1 });
    expect(await countJobs()).toBe(before);
  });
});

describe('createJob', () => {
  it('publishes at once if asked, with an entry of version 1 that has every value (Contract 5.5.3, 5.5.7)', async () => {
    const { created } = await createJob({
      name: 'Data Engineer',
      state: 'published',
      salary: '50 k€',
      recruiterEmails: ['a@b.example'],
    });
    expect(created).toMatchObject({ state: 'published', version: 1, applicationMethod: 'internal_apply' });
    const lifetimeMs = Date.parse(created!.expiresAt as string) - Date.parse(created!.publishedAt as string);
    expect(lifetimeMs).toBe(90 * 86_400_000);
    const { edges } = created!.history as {
      edges: {
        node: {
          version: number;
          actor: string;
          changes: { field: string; before: unknown; after: unknown }[];
        };
      }[];
    };
    expect(edges).toHaveLength(1);
    expect(edges[0]!.node).toMatchObject({ actor: 'tester', transport: 'graphql' });
    expect(edges[0]!.node.changes.map(({ field, before }) => [field, before])).toEqual(
      ['name', 'salary', 'recruiterEmails', 'state', 'publishedAt', 'expiresAt'].map((field) => [
        field,
        null,
      ]),
    );
    expect(edges[0]!.node.changes.find(({ field }) => field === 'recruiterEmails')?.after).toBeNull();
  });

  it('is listed, counted and shown to followers like any job (Contract 5.5.7)', async () => {
    const publicId = 'listed-job';
    await createJob({ name: 'Listed', jobPublicId: publicId, state: 'published' });
    const { body } = await graphql(
      gateway,
      '{ jobs(mediaPublicId: "demo-media", filter: { publicIds: ["listed-job"] }) { edges { node { publicId } } } node: jobs(mediaPublicId: "demo-media", first: 100) { edges { node { publicId } } } }',
      {},
      { token: await gateway.token() },
    );
    expect(JSON.stringify(body.data).split(publicId)).toHaveLength(3);
  });

  it('makes one job of repeated and parallel calls with a key, and refuses the key with another input (Contract 5.5.8, 6.2.2, 6.2.3)', async () => {
    const before = await countJobs();
    const calls = await Promise.all(
      [1, 2, 3].map(() => createJob({ name: 'Once' }, { idempotencyKey: 'once' })),
    );
    expect(new Set(calls.map(({ created }) => created?.publicId)).size).toBe(1);
    // The answer is lost: the job itself is the evidence.
    await gateway.models.idempotency.deleteMany({});
    expect((await createJob({ name: 'Once' }, { idempotencyKey: 'once' })).created?.publicId).toBe(
      calls[0]!.created?.publicId,
    );
    expect(
      (await createJob({ name: 'Once', salary: '1' }, { idempotencyKey: 'once' })).error?.extensions.error,
    ).toBe('idempotency-key-reuse');
    expect(await countJobs()).toBe(before + 1);
  });
});

describe('reach of createJob', () => {
  it('lets a media_partner create for companies that it created or has a job of its own in, and update what it made (Contract 5.5.4)', async () => {
    const attempt = async () => (await post({ ...ids, name: 'Mine' }, { claims: partner })).status;
    expect(await attempt()).toBe(401);
    await gateway.models.companies.updateOne({ publicId: 'acme' }, { $set: { createdBy: 'partner' } });
    expect(await attempt()).toBe(201);
    await gateway.models.companies.updateOne({ publicId: 'acme' }, { $set: { createdBy: 'someone' } });
    const { status, body } = await post({ ...ids, name: 'Mine' }, { claims: partner });
    expect(status).toBe(201);
    const { public_id } = body.data as { public_id: string };
    const token = await gateway.token(partner);
    expect(
      (await rest(gateway, 'POST', `/jobs/${public_id}`, { form: { salary: '1' } }, { token })).status,
    ).toBe(200);
  });
});

describe('a company that changes while its job is made', () => {
  afterEach(() => void jest.restoreAllMocks());

  /** Runs a change right after the insert, before the job is shown. */
  function afterInsert(change: () => Promise<unknown>): void {
    const { prototype } = mongo.Collection as unknown as { prototype: DriverCollection };
    const insertMany = Reflect.get<typeof prototype, 'insertMany'>(prototype, 'insertMany');
    jest.spyOn(prototype, 'insertMany').mockImplementation(async function (this: DriverCollection, ...args) {
      const inserted = await insertMany.apply(this, args);
      if (this.collectionName === 'jobs') await change();
      return inserted;
    });
  }
  const acme = (set: object) =>
    gateway.models.companies.updateOne({ publicId: 'acme' }, { $set: set, $inc: { version: 1 } });
  const unpublished = [{ media: 'demo-media', isPublished: false, isVmePagePublished: false }];
  const brandAdmin: Claims = { roles: ['brand_admin'], brand: 'acme-group' };

  it.each([
    ['leaves the media', { memberships: [] }, undefined, 'company-not-found'],
    ['is unpublished', { memberships: unpublished }, undefined, 'company-not-published'],
    ['gets another brand', { brand: 'other-group' }, brandAdmin, 'unauthorized-limitation'],
  ])(
    '%s: the job is removed, and then the call refused (Contract 5.5.4)',
    async (_what, set, claims, error) => {
      const before = await countJobs();
      afterInsert(() => acme(set));
      const { prototype } = mongo.Collection as unknown as { prototype: DriverCollection };
      const deleteOne = Reflect.get<typeof prototype, 'deleteOne'>(prototype, 'deleteOne');
      jest.spyOn(prototype, 'deleteOne').mockImplementation(async function (this: DriverCollection, ...args) {
        await sleep(50);
        return deleteOne.apply(this, args);
      });
      const { body } = await post({ ...ids, name: 'A', state: 'published' }, claims && { claims });
      expect(body.error).toBe(error);
      expect(await countJobs()).toBe(before);
    },
  );

  it('gets another brand: the job of a media_admin has the new one (Contract 5.5.4)', async () => {
    afterInsert(() => acme({ brand: 'other-group' }));
    const { status } = await post({ ...ids, name: 'A', job_public_id: 'rebranded' });
    expect(status).toBe(201);
    const { version } = (await gateway.models.companies.findOne({ publicId: 'acme' }).lean())!;
    expect(await stored('rebranded')).toMatchObject({ brand: 'other-group', companyVersion: version });
  });

  it('a job whose process died after the insert is in no list and no count, and is found by the repeated call (Contract 3.3.5, 4.3.9, 6.2.2)', async () => {
    afterInsert(() => Promise.reject(new Error('killed')));
    await createJob({ name: 'A', jobPublicId: 'half-made' }, { idempotencyKey: 'half' });
    jest.restoreAllMocks();
    const listed = async () => {
      const text = `query ($of: JobFilter) {
        jobs(mediaPublicId: "demo-media", filter: $of) { edges { node { publicId } } totalCount }
        jobCounts(mediaPublicId: "demo-media", filter: $of) { count }
      }`;
      const of = { publicIds: ['half-made'] };
      const { body } = await graphql(gateway, text, { of }, { token: await gateway.token() });
      const { jobs, jobCounts } = body.data as {
        jobs: { edges: object[]; totalCount: number };
        jobCounts: { count: number }[];
      };
      return [jobs.edges.length, jobs.totalCount, jobCounts.reduce((sum, { count }) => sum + count, 0)];
    };
    expect(await listed()).toEqual([0, 0, 0]);
    await gateway.models.idempotency.deleteMany({});
    const { created } = await createJob({ name: 'A', jobPublicId: 'half-made' }, { idempotencyKey: 'half' });
    expect([created?.publicId, ...(await listed())]).toEqual(['half-made', 1, 1, 1]);
  });

  it.each([
    ['before the call', () => markAsMoving(gateway.models, 'acme', ['demo-media']), () => undefined],
    [
      'while the job is made',
      () => undefined,
      () => afterInsert(() => markAsMoving(gateway.models, 'acme', ['demo-media'])),
    ],
  ])(
    'is marked by an import %s: the call is 503, and no job stays (Contract 5.5.4)',
    async (_when, before, during) => {
      await before();
      during();
      const { status, body } = await post({ ...ids, name: 'A', job_public_id: 'too-early' });
      expect([status, body.error]).toEqual([503, 'service-unavailable']);
      expect(await stored('too-early')).toBeNull();
      jest.restoreAllMocks();
      await completeImportTask(gateway.models).run(taskRun);
      expect((await post({ ...ids, name: 'A', job_public_id: 'too-early' })).status).toBe(201);
    },
  );

  it.each([
    ['leaves the media', { memberships: [] }, false],
    ['is unpublished', { memberships: unpublished }, false],
    ['gets another brand', { brand: 'other-group' }, false],
    ['stays as it was', {}, true],
  ])(
    '%s: the hourly task decides alike on the job of a killed call (Contract 5.5.4)',
    async (_what, set, isShown) => {
      afterInsert(() => Promise.reject(new Error('killed')));
      await post({ ...ids, name: 'A', job_public_id: 'half-made' });
      jest.restoreAllMocks();
      await acme(set);
      await completeImportTask(gateway.models).run(taskRun);
      const job = await stored('half-made');
      expect(job !== null).toBe(isShown);
      if (isShown) expect(Number(job?.changedAt)).toBeLessThan(Date.now() + 60_000);
    },
  );
});
