import { beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveExpiredJobs } from '../../src/archiver/archive-expired-jobs.tasks.js';
import { runDoctorCommand } from '../../src/cli/doctor.js';
import { startGateway } from '../../src/gateway.js';
import { commandsOn, importInto } from '../support/commands.js';
import { silentLog } from '../support/gateway.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';
import { markAsMoving } from '../support/lease.js';
import { letSettle, settle } from '../support/settle.js';
import { taskRun } from '../support/task-run.js';

const sent = new SentCommands();
const gateway = ownGateway({ ARCHIVER: 'off' }, { tracing: sent.tracing });
beforeEach(() => gateway.reset());

interface Change {
  kind: string;
  public_id: string;
  company_public_id: string;
  version: number;
  changed_at: string;
  state: string;
}
interface Feed {
  data: Change[];
  after: string | null;
  more: boolean;
}

const media = 'demo-media';

async function page(query: Record<string, string> = {}, claims = {}): Promise<Feed> {
  const parameters = new URLSearchParams({ 'media-public-id': media, ...query });
  const { body } = await rest(gateway, 'GET', `/changes?${parameters.toString()}`, undefined, {
    token: await gateway.token(claims),
  });
  return body as unknown as Feed;
}

async function follow(after: string | null, { first = 100, claims = {} } = {}): Promise<Feed> {
  const all: Change[] = [];
  for (let cursor = after; ;) {
    const {
      data,
      after: last,
      more,
    } = await page({ first: String(first), ...(cursor && { after: cursor }) }, claims);
    all.push(...data);
    if (!more) return { data: all, after: last, more };
    expect(last).not.toBe(cursor);
    cursor = last;
  }
}

async function followLater(after: string | null): Promise<Feed> {
  await letSettle(gateway);
  return follow(after);
}

const named = ({ data }: Feed) => data.map(({ public_id: publicId, state }) => `${publicId} ${state}`);
const update = async (publicId: string, salary: string) => {
  const { status } = await rest(
    gateway,
    'PATCH',
    `/jobs/${publicId}`,
    { json: { media_public_id: media, company_public_id: 'acme', salary } },
    { token: await gateway.token() },
  );
  expect(status).toBe(200);
};

describe('changes of a media', () => {
  it('lists each job and company once, at its last change, in pages of any size (Contract 4.6.1, 4.6.2)', async () => {
    await settle(gateway);
    const whole = await follow(null);
    const jobs = await gateway.models.jobs.find({ media }).lean();
    const companies = await gateway.models.companies.find({ 'memberships.media': media }).lean();
    expect(new Set(whole.data.map(({ kind, public_id: id }) => `${kind} ${id}`))).toEqual(
      new Set([
        ...jobs.map(({ publicId }) => `job ${publicId}`),
        ...companies.map(({ publicId }) => `company ${publicId}`),
      ]),
    );
    for (const first of [1, 2, 3]) expect(named(await follow(null, { first }))).toEqual(named(whole));
    const instants = whole.data.map(({ changed_at: at }) => at);
    expect(instants).toEqual([...instants].sort());
  });

  it('lists the same over GraphQL as over REST (Contract 1.2, 4.6.2)', async () => {
    await settle(gateway);
    const query = `{ changes(mediaPublicId: "${media}", first: 4) {
      totalCount edges { node { kind publicId companyPublicId version changedAt state } } pageInfo { hasNextPage endCursor } } }`;
    const { body } = await graphql(gateway, query, {}, { token: await gateway.token() });
    const { changes } = body.data as {
      changes: { totalCount: number; edges: { node: Record<string, unknown> }[]; pageInfo: object };
    };
    const { data, more } = await page({ first: '4' });
    expect(changes.edges.map(({ node }) => Object.values<unknown>(node))).toEqual(
      data.map((each) => Object.values({ ...each } as Record<string, unknown>)),
    );
    expect(changes).toMatchObject({
      totalCount: (await follow(null)).data.length,
      pageInfo: { hasNextPage: more, endCursor: expect.anything() as unknown },
    });
  });

  it('lists records written since the cursor, with their version; an empty page renews the cursor (Contract 4.6.1, 4.6.4)', async () => {
    await settle(gateway);
    const { after } = await follow(null);
    const empty = await page({ after: after ?? '' });
    expect(empty).toMatchObject({ data: [], more: false });
    expect(empty.after).toEqual(expect.any(String));
    await update('acme-backend-engineer', '1 €');
    expect((await page({ after: empty.after ?? '' })).data).toEqual([]);
    await importInto(gateway, {
      ...{
        kind: 'job',
        public_id: 'new-job',
        media_public_id: media,
        company_public_id: 'acme',
        name: 'New',
      },
    });
    await sleep(5_200);
    const later = await follow(empty.after);
    expect(later.data).toMatchObject([
      {
        kind: 'job',
        public_id: 'acme-backend-engineer',
        company_public_id: 'acme',
        version: 2,
        state: 'published',
      },
      { kind: 'job', public_id: 'new-job', version: 1, state: 'draft' },
    ]);
    expect((await page({ after: later.after ?? '' })).data).toEqual([]);
  });

  it('lists a job whose end has come once the task has stored that it is archived (Contract 2.5.6)', async () => {
    await settle(gateway);
    const { after } = await follow(null);
    const { collection } = gateway.models.jobs;
    await collection.updateMany({}, { $set: { expiresAt: null } });
    await collection.updateOne(
      { publicId: 'acme-backend-engineer' },
      { $set: { expiresAt: new Date(Date.now() - 60_000) } },
    );
    expect((await page({ after: after ?? '' })).data).toEqual([]);
    await archiveExpiredJobs(
      {
        ...{ jobs: gateway.models.jobs, clock: () => new Date() },
        ...{ onLag: () => undefined, onBatch: () => undefined },
      },
      taskRun,
    );
    expect((await followLater(after)).data).toMatchObject([
      { public_id: 'acme-backend-engineer', version: 2, state: 'archived' },
    ]);
  });

  it('goes on after a cursor of 2.0.0 that stands at the end of a job', async () => {
    await settle(gateway);
    const whole = await follow(null);
    const { public_id: id, changed_at: at } = whole.data.find(({ kind }) => kind === 'job')!;
    const day = Math.floor(Date.now() / 86_400_000);
    const cursor = JSON.stringify([media, day, new Date(at).getTime(), 'end', 'zzz']);
    const { data } = await follow(Buffer.from(cursor).toString('base64url'));
    expect(named({ data } as Feed)[0]).toMatch(new RegExp(`^${id} `));
  });

  it('a follower that is up to date costs one query of each list of the media', async () => {
    await settle(gateway);
    const { after } = await follow(null);
    sent.forget();
    expect(await page({ after: after ?? '' })).toEqual({ data: [], after, more: false });
    // The media, which is cached for a second, may be read again in the background.
    const queries = sent.names.filter((name) => /^(find(?! media)|aggregate|hello) /.test(name)).sort();
    expect(queries).toEqual(['find companies', 'find departures', 'find jobs']);
  });

  it('lists only records that the roles and scopes of the token allow (Contract 3.3, 4.6.1)', async () => {
    await settle(gateway);
    const kinds = async (claims: object) => new Set((await page({}, claims)).data.map(({ kind }) => kind));
    expect(await kinds({ scope: 'r_jobs' })).toEqual(new Set(['job']));
    expect(await kinds({ scope: 'r_companies' })).toEqual(new Set(['company']));
    expect(await kinds({ scope: 'r_jobs r_companies' })).toEqual(new Set(['job', 'company']));
    const jobs = await gateway.models.jobs.find({ media }).lean();
    const companies = await gateway.models.companies.find({ 'memberships.media': media }).lean();
    const seen = async (claims: object) =>
      new Set((await follow(null, { claims })).data.map(({ public_id: id }) => id));
    const ids = (records: readonly { publicId: string }[]) =>
      new Set(records.map(({ publicId }) => publicId));
    const partner = jobs[0]?.createdBy;
    expect(await seen({ sub: partner, roles: ['media_partner'] })).toEqual(
      ids([...jobs, ...companies].filter(({ createdBy }) => createdBy === partner)),
    );
    const brand = companies.find((company) => company.brand)?.brand;
    const ofBrand = companies.filter((company) => company.brand === brand);
    expect(await seen({ roles: ['brand_admin'], brand, media: undefined })).toEqual(
      ids([...ofBrand, ...jobs.filter(({ company }) => ids(ofBrand).has(company))]),
    );
  });
});

it('the list of changes has the bounds and refusals of other lists, and counts as a read (Contract 4.3.1)', async () => {
  const ask = async (query: string, claims = {}) =>
    rest(gateway, 'GET', `/changes?${query}`, undefined, { token: await gateway.token(claims) });
  const ofMedia = `media-public-id=${media}`;
  expect(await ask(`${ofMedia}&first=101`)).toMatchObject({
    status: 422,
    body: { errors: [{ code: 'first-format-error' }] },
  });
  expect(await ask('')).toMatchObject({
    status: 422,
    body: { errors: [{ code: 'missing-media-public-id' }] },
  });
  for (const claims of [{ media: ['other-media'] }, { roles: [] }, { scope: '' }])
    expect((await ask(ofMedia, claims)).status).toBe(401);
  expect((await ask(ofMedia)).headers.get('ratelimit-limit')).toBe(String(gateway.settings.readQuota.limit));
});

describe('records that left a media', () => {
  const membership = { public_id: 'acme', kind: 'company' };
  const memberships = async () =>
    (await gateway.models.companies.findOne({ publicId: 'acme' }).lean())?.memberships ?? [];
  const asLine = (all: Awaited<ReturnType<typeof memberships>>) =>
    all.map(({ media: id, isPublished, isVmePagePublished }) => ({
      ...{ media_public_id: id, is_published: isPublished, is_vme_page_published: isVmePagePublished },
    }));

  it('a company that leaves is gone with its jobs, and all are listed again when it returns (Contract 4.6.3)', async () => {
    await settle(gateway);
    const { after } = await follow(null);
    const before = await memberships();
    const jobs = await gateway.models.jobs.find({ media, company: 'acme' }).lean();
    await importInto(gateway, {
      ...membership,
      memberships: asLine(before.filter((each) => each.media !== media)),
    });
    const gone = await followLater(after);
    expect(named(gone).sort()).toEqual(
      ['acme', ...jobs.map(({ publicId }) => publicId)].map((id) => `${id} gone`).sort(),
    );
    await importInto(gateway, { ...membership, memberships: asLine(before) });
    const back = await followLater(gone.after);
    expect(back.data.map(({ public_id: id }) => id).sort()).toEqual(
      ['acme', ...jobs.map(({ publicId }) => publicId)].sort(),
    );
    expect(named(back).filter((each) => each.endsWith('gone'))).toEqual([]);
  });

  it('a job moved to another media is gone from the first media (Contract 4.6.3)', async () => {
    await settle(gateway);
    const { after } = await follow(null);
    await importInto(
      gateway,
      {
        kind: 'media',
        public_id: 'other-media',
        name: 'Other',
        job_url_template: 'https://other.example/{company}/{job}',
      },
      { kind: 'job', public_id: 'acme-office-manager', media_public_id: 'other-media' },
    );
    const { data } = await followLater(after);
    expect(data).toMatchObject([
      { kind: 'job', public_id: 'acme-office-manager', company_public_id: 'acme', version: 2, state: 'gone' },
    ]);
  });

  it('a job that two imports move to another media and back at the same time is gone only while it is elsewhere (Contract 4.6.3)', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `shuttle-${index}`);
    const move = (to: string) =>
      importInto(gateway, ...ids.map((id) => ({ kind: 'job', public_id: id, media_public_id: to })));
    const other = {
      kind: 'media',
      public_id: 'other-media',
      name: 'Other',
      job_url_template: 'https://other.example/{job}',
    };
    const place = { media_public_id: media, company_public_id: 'acme', name: 'Shuttle' };
    await importInto(gateway, other, ...ids.map((id) => ({ kind: 'job', public_id: id, ...place })));
    for (let round = 0; round < 4; round += 1) await Promise.all([move('other-media'), move(media)]);
    await letSettle(gateway);
    const { jobs, tombstones } = gateway.models;
    const there = (await jobs.find({ media, publicId: { $in: ids } }).lean()).map(({ publicId }) => publicId);
    const gone = named(await follow(null)).filter((each) => each.endsWith(' gone'));
    expect(gone.sort()).toEqual(
      ids
        .filter((id) => !there.includes(id))
        .map((id) => `${id} gone`)
        .sort(),
    );
    expect(await tombstones.countDocuments({ media, publicId: { $in: there }, isBack: false })).toBe(0);
  });

  it('records that a killed import removed are listed as gone after the next import (Contract 4.6.3)', async () => {
    await settle(gateway);
    const { after } = await follow(null);
    await gateway.models.companies.collection.updateOne({ publicId: 'acme' }, {
      $pull: { memberships: { media } },
    } as never);
    await markAsMoving(gateway.models, 'acme', [media]);
    await importInto(gateway, { kind: 'company', public_id: 'globex', brand: 'globex' });
    expect(await gateway.models.companies.exists({ isSyncDue: true })).toBeNull();
    const { data } = await followLater(after);
    expect(data).toContainEqual(
      expect.objectContaining({ public_id: 'acme', kind: 'company', state: 'gone' }),
    );
    expect(data).toContainEqual(
      expect.objectContaining({ public_id: 'acme-backend-engineer', state: 'gone' }),
    );
  });
});

describe('cursor of changes', () => {
  const refused = { errors: [{ field: 'after', code: 'after-format-error' }] };
  const changed = (cursor: string, change: (parts: unknown[]) => void) => {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    change(parts);
    return Buffer.from(JSON.stringify(parts)).toString('base64url');
  };

  it.each<[string, (parts: unknown[]) => void]>([
    ['31 days old', (parts) => (parts[1] = Number(parts[1]) - 31)],
    ['of another media', (parts) => (parts[0] = 'other-media')],
    ['with only one part', (parts) => parts.splice(0, parts.length, 'x')],
    ['with an object for its day', (parts) => (parts[1] = { toString: 1, valueOf: 1 })],
    ['with an invalid instant', (parts) => (parts[2] = 'now')],
    ['with an instant past the last possible date', (parts) => (parts[2] = 9e15)],
  ])('%s is rejected, and the message says what to do (Contract 4.6.4)', async (_what, change) => {
    await settle(gateway);
    const { after } = await page({ first: '1' });
    const answer = await page({ after: changed(after ?? '', change) });
    expect(answer).toMatchObject(refused);
    expect(JSON.stringify(answer)).toContain('or none, to start over');
  });

  it('is accepted when it is 30 days old (Contract 4.6.4)', async () => {
    await settle(gateway);
    const { after } = await page({ first: '1' });
    const old = changed(after ?? '', (parts) => (parts[1] = Number(parts[1]) - 30));
    expect((await page({ after: old })).data.length).toBeGreaterThan(0);
  });
});

describe('cursor of a database that is restored', () => {
  it('is refused from `npm run doctor -- --restored` on, and one of 2.0.0 belongs to the first epoch (Contract 4.6.4)', async () => {
    await settle(gateway);
    const { after: former = '' } = await page();
    // Such as 2.0.0 wrote it.
    expect(JSON.parse(Buffer.from(former ?? '', 'base64url').toString())).toHaveLength(5);
    const renew = () =>
      runDoctorCommand(['--restored'], { NODE_ENV: 'test', MONGODB_URI: gateway.settings.mongodbUri });
    const ask = async (after: string | null) => {
      const restarted = await startGateway(gateway.settings, { log: silentLog });
      try {
        const query = `/changes?media-public-id=${media}&after=${after}`;
        return await rest(restarted, 'GET', query, undefined, { token: await gateway.token() });
      } finally {
        await restarted.stop({ delayMs: 0, idleMs: 0, timeoutMs: 1_000 });
      }
    };
    const first = await ask(former);
    expect([first.status, (first.body as unknown as Feed).data]).toEqual([200, []]);
    expect(await renew()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('within 15 seconds'),
    });
    const refused = await ask(former);
    expect(refused.body).toMatchObject({
      status: 422,
      errors: [
        { field: 'after', code: 'after-format-error', message: expect.stringContaining('begin again') },
      ],
    });
    const exported = await commandsOn(gateway.settings.mongodbUri ?? '').exportAll('--since', former ?? '');
    expect(exported).toMatchObject({ code: 2, stderr: expect.stringContaining('since the last restore') });
    const restarted = await startGateway(gateway.settings, { log: silentLog });
    const begun = await rest(restarted, 'GET', `/changes?media-public-id=${media}`, undefined, {
      token: await gateway.token(),
    });
    await restarted.stop({ delayMs: 0, idleMs: 0, timeoutMs: 1_000 });
    const { after } = begun.body as unknown as Feed;
    expect((await ask(after)).status).toBe(200);
    // The same back-up can be restored twice.
    await renew();
    expect((await ask(after)).status).toBe(422);
  });
});
