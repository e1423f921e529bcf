import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { commandsOn, linesOf, recordsOf } from '../support/commands.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { startTestGateway } from '../support/gateway.js';

const dayMs = 86_400_000;
const publicId = 'acme-backend-engineer';
const start = new Date();
let now = start;
const gateway = ownGateway({ ARCHIVER: 'off' }, { clock: () => now });
let token: string;
beforeAll(async () => void (token = await gateway.token({ lifetimeMs: 400 * dayMs })));
beforeEach(async () => {
  now = start;
  await gateway.reset();
});

const inDays = (days: number, ms = 0) => new Date(start.getTime() + days * dayMs + ms);
const dayOf = (instant: Date) => instant.toISOString().slice(0, 10);
const send = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  rest(gateway, 'POST', `/jobs/${publicId}`, { form }, { token, headers });
const read = (headers: Record<string, string> = {}) =>
  rest(gateway, 'GET', `/jobs/${publicId}`, undefined, { token, headers });
const stored = async () => (await gateway.models.jobs.findOne({ publicId }).lean())!;
const dataOf = ({ body }: { body: object }) => (body as { data: Record<string, unknown> }).data;
const latest = async () => new Date((await stored()).publishedAt!.getTime() + 90 * dayMs);
const publish = async () => {
  await send({ state: 'archived' });
  await send({ state: 'published' });
};

describe('the closing date of a job', () => {
  it('is set, seen, changed and taken back by an edit form (Contract 2.5.4, 4.5.2, 5.4.8, 6.1.4)', async () => {
    const form = `mutation ($input: UpdateJobInput!, $dryRun: Boolean!) { updateJob(input: $input, dryRun: $dryRun) {
      job { state expiresAt version jobPosting history(first: 1) { edges { node { changes { field before after } } } } } } }`;
    interface Saved {
      updateJob: {
        job: {
          expiresAt: string;
          jobPosting: { validThrough: string };
          version: number;
          history: { edges: object[] };
        };
      };
    }
    const save = async (expiresAt: string | null | undefined, dryRun = false) => {
      const variables = { input: { jobPublicId: publicId, expiresAt }, dryRun };
      const { body } = await graphql(gateway, form, variables, { token });
      expect(body.errors).toBeUndefined();
      return (body.data as unknown as Saved).updateJob.job;
    };
    const before = (await latest()).toISOString();
    const chosen = inDays(20).toISOString();
    expect(await save(chosen, true)).toMatchObject({ expiresAt: chosen, version: 2 });
    expect((await stored()).version).toBe(1);
    expect(await save(chosen)).toMatchObject({
      ...{ state: 'published', expiresAt: chosen, version: 2, jobPosting: { validThrough: chosen } },
      history: { edges: [{ node: { changes: [{ field: 'expiresAt', before, after: chosen }] } }] },
    });
    expect(await save(chosen)).toMatchObject({ version: 2 });
    expect(await save(dayOf(inDays(30)))).toMatchObject({
      expiresAt: `${dayOf(inDays(30))}T23:59:59.999Z`,
      version: 3,
    });
    expect(await save(null)).toMatchObject({ expiresAt: before, version: 4 });
  });

  it('is set, seen, changed and taken back by a nightly script (Contract 4.4.1, 4.4.2, 4.4.7, 5.4.8)', async () => {
    const seen = async () => {
      const reply = await read();
      const { data } = (await rest(gateway, 'GET', '/jobs?media-public-id=demo-media', undefined, { token }))
        .body as unknown as {
        data: { public_id: string; expires_at: string }[];
      };
      expect(data.find((job) => job.public_id === publicId)?.expires_at).toBe(dataOf(reply).expires_at);
      expect(reply.headers.get('job-expires')).toBe(dataOf(reply).expires_at);
      return dataOf(reply).expires_at;
    };
    const reply = await send({ expires_at: dayOf(inDays(20)) });
    expect([reply.status, reply.headers.get('job-expires')]).toEqual([
      200,
      `${dayOf(inDays(20))}T23:59:59.999Z`,
    ]);
    expect(Object.keys(dataOf(reply))).not.toContain('expires_at');
    expect(await seen()).toBe(`${dayOf(inDays(20))}T23:59:59.999Z`);
    await send({ expires_at: inDays(10).toISOString() });
    expect(await seen()).toBe(inDays(10).toISOString());
    const refused = await send({ expires_at: dayOf(inDays(100)) }, { 'accept-language': 'fr' });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: 'expires_at-format-error' }] } });
    const offered = /\d{4}-[^\s"]+Z/.exec(JSON.stringify(refused.body))?.[0];
    expect(offered).toBe((await latest()).toISOString());
    await send({ expires_at: offered! });
    expect(await seen()).toBe(offered);
  });

  it('is the same millisecond for every read, list and update (Contract 2.5.5, 2.5.6, 2.5.7, 4.3.3, 4.4.7, 4.5.1)', async () => {
    const end = inDays(20);
    await send({ expires_at: end.toISOString() });
    const listed = async (state: string) => {
      const query = `{ jobs(mediaPublicId: "demo-media", filter: { states: [${state}] }) { edges { node { publicId state } } } }`;
      const { body } = await graphql(gateway, query, {}, { token });
      const { jobs } = body.data as { jobs: { edges: { node: { publicId: string; state: string } }[] } };
      for (const { node } of jobs.edges) expect(node.state).toBe(state);
      return jobs.edges.some(({ node }) => node.publicId === publicId);
    };
    const all = async () => ({
      state: dataOf(await read()).state,
      header: (await read()).headers.get('job-expires'),
      posting: (await read({ accept: 'application/ld+json' })).status,
      published: await listed('published'),
      archived: await listed('archived'),
    });
    now = inDays(20, -1);
    expect(await all()).toEqual({
      ...{ state: 'published', header: end.toISOString(), posting: 200, published: true, archived: false },
    });
    now = end;
    // A list of archived jobs has it once the archiving is stored (Contract 2.5.6).
    expect(await all()).toEqual({
      ...{ state: 'archived', header: null, posting: 404, published: false, archived: false },
    });
    expect(dataOf(await read())).toMatchObject({ expires_at: null, updated_at: end.toISOString() });
    await send({ salary: 'late' });
    expect(await listed('archived')).toBe(true);
    expect((await stored()).pendingHistory.slice(-2)).toMatchObject([
      { at: end, actor: 'system', changes: [{ field: 'state', after: 'archived' }] },
      { changes: [{ field: 'salary', after: 'late' }] },
    ]);
  });

  it('ends with the publication: published again, the job gets the default (Contract 2.5.4)', async () => {
    await publish();
    await send({ expires_at: inDays(5).toISOString() });
    now = inDays(1);
    await publish();
    expect((await stored()).expiresAt).toEqual(await latest());
  });

  it('stays when JOB_LIFETIME changes; a later publication gets the new default (Contract 2.5.4)', async () => {
    const other = await startTestGateway({ ARCHIVER: 'off', JOB_LIFETIME: '10d' });
    const at = async () => {
      const reply = await rest(other, 'GET', `/jobs/${publicId}`, undefined, { token: await other.token() });
      return new Date(reply.headers.get('job-expires') ?? '');
    };
    const { publishedAt, expiresAt } = (await other.models.jobs.findOne({ publicId }).lean())!;
    expect(await at()).toEqual(expiresAt);
    expect(expiresAt!.getTime() - publishedAt!.getTime()).toBe(90 * dayMs);
    const by = { token: await other.token() };
    const sentBack = { json: { expires_at: expiresAt!.toISOString() } };
    expect((await rest(other, 'PATCH', `/jobs/${publicId}`, sentBack, by)).status).toBe(200);
    for (const state of ['archived', 'published'])
      expect((await rest(other, 'PATCH', `/jobs/${publicId}`, { json: { state } }, by)).status).toBe(200);
    const again = (await other.models.jobs.findOne({ publicId }).lean())!;
    expect(again.expiresAt!.getTime() - again.publishedAt!.getTime()).toBe(10 * dayMs);
    await other.stop();
  });
});

describe('the end of a job in files', () => {
  const { importFiles, exportAll } = {
    importFiles: (lines: readonly object[]) =>
      commandsOn(gateway.settings.mongodbUri!).importFiles(['-'], linesOf(lines)),
    exportAll: () => commandsOn(gateway.settings.mongodbUri!).exportAll('--kind', 'job'),
  };
  const line = (given: object) => ({ kind: 'job', public_id: publicId, ...given });
  const fresh = (given: object) =>
    line({
      public_id: 'fresh',
      media_public_id: 'demo-media',
      company_public_id: 'acme',
      name: 'Fresh',
      ...given,
    });
  const storedFresh = () => gateway.models.jobs.findOne({ publicId: 'fresh' }).lean();

  it('is imported, exported while the job is published, and imported again without a change (Contract 9.2.4)', async () => {
    const chosen = inDays(20).toISOString();
    expect(await importFiles([fresh({ state: 'published', expires_at: chosen })])).toMatchObject({ code: 0 });
    expect(await storedFresh()).toMatchObject({ state: 'published', expiresAt: inDays(20) });
    const exported = recordsOf((await exportAll()).stdout);
    expect(exported.find((each) => each.public_id === 'fresh')).toMatchObject({ expires_at: chosen });
    for (const each of exported) expect('expires_at' in each).toBe(each.state === 'published');
    expect((await importFiles(exported)).stdout).toContain('0 inserted, 0 changed');
  });

  it('may have passed: the job is then archived, and the same line later changes nothing (Contract 9.2.2)', async () => {
    const over = fresh({ state: 'published', expires_at: inDays(-1).toISOString() });
    expect((await importFiles([over])).stdout).toContain('1 inserted');
    expect(await storedFresh()).toMatchObject({ state: 'archived', expiresAt: inDays(-1) });
    expect((await importFiles([over])).stdout).toContain('0 inserted, 0 changed');
    await importFiles([line({ expires_at: dayOf(inDays(-1)) })]);
    expect(await stored()).toMatchObject({
      state: 'archived',
      expiresAt: new Date(`${dayOf(inDays(-1))}T23:59:59.999Z`),
    });
  });

  it('is at most JOB_LIFETIME after published_at, and needs a published job (Contract 5.4.8, 5.4.9)', async () => {
    const published_at = inDays(-10).toISOString();
    const { code, stderr } = await importFiles([
      fresh({ state: 'published', published_at, expires_at: inDays(80, 1).toISOString() }),
      fresh({ public_id: 'draft', expires_at: inDays(5).toISOString() }),
      fresh({ public_id: 'blank', state: 'published', expires_at: '' }),
    ]);
    expect(code).toBe(1);
    expect(
      [...stderr.matchAll(/^-:(\d): expires_at: expires_at-format-error/gm)].map(([, number]) => number),
    ).toEqual(['1', '2', '3']);
    const latestDay = fresh({ state: 'published', published_at, expires_at: dayOf(inDays(80)) });
    expect(await importFiles([latestDay])).toMatchObject({ code: 0 });
    expect(await storedFresh()).toMatchObject({ expiresAt: inDays(80) });
  });

  it('stays with its publication, and null or another published_at gives the default (Contract 2.5.4)', async () => {
    const published_at = inDays(-10).toISOString();
    await importFiles([fresh({ state: 'published', published_at, expires_at: inDays(5).toISOString() })]);
    await importFiles([fresh({ state: 'published', published_at, salary: '1' })]);
    expect(await storedFresh()).toMatchObject({ expiresAt: inDays(5), salary: '1' });
    await importFiles([fresh({ expires_at: null })]);
    expect(await storedFresh()).toMatchObject({ expiresAt: inDays(80) });
    await importFiles([fresh({ published_at: inDays(-20).toISOString() })]);
    expect(await storedFresh()).toMatchObject({ expiresAt: inDays(70) });
  });
});
