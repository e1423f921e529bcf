import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type HistoryEntry } from '../../src/history/history-entry.js';
import { runEraseCommand } from '../../src/cli/erase.js';
import { importInto } from '../support/commands.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { graphql, rest } from '../support/requests.js';
import { openSeverableDatabase, type Severable } from '../support/severable.js';
import { updateJob } from '../support/updates.js';

let gateway: TestGateway;
let way: Severable;
let token: string;
let now = new Date();

beforeAll(async () => {
  const database = await openSeverableDatabase();
  way = database.way;
  gateway = await startTestGateway({ ARCHIVER: 'off' }, { database, clock: () => now });
  token = await gateway.token({ lifetimeMs: 7 * 86_400_000 });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  now = new Date();
  await gateway.reset();
});

/** The outcome of a call over either API. */
interface End {
  status: number;
  code: string | undefined;
  isReplayed: boolean;
  shown: unknown;
}
type Call = (value: string, options?: { key?: string; version?: number }) => Promise<End>;

const endOf = (
  { status, headers }: { status: number; headers: Headers },
  code: string | undefined,
  shown: unknown,
): End => ({
  status,
  code,
  isReplayed: headers.get('idempotency-replayed') === 'true',
  shown,
});

const companyOverGraphQL: Call = async (description, { key, version } = {}) => {
  const reply = await graphql(
    gateway,
    `
      mutation ($input: UpdateCompanyInput!, $key: String, $version: Int) {
        updateCompany(input: $input, idempotencyKey: $key, expectedVersion: $version) {
          company {
            content {
              description
            }
          }
        }
      }
    `,
    { input: { mediaPublicId: 'demo-media', companyPublicId: 'acme', description }, key, version },
    { token },
  );
  const [error] = reply.body.errors ?? [];
  const payload = reply.body.data?.updateCompany as
    { company: { content: { description: string } } } | null | undefined;
  return endOf(
    { ...reply, status: error?.extensions.status ?? reply.status },
    error?.extensions.error,
    payload?.company.content.description,
  );
};
const jobOverRest: Call = async (salary, { key, version } = {}) => {
  const headers = {
    ...(key && { 'idempotency-key': key }),
    ...(version && { 'if-match': `"${version}"` }),
  };
  const reply = await updateJob(gateway, { salary }, { token, headers });
  return endOf(reply, reply.body.error, reply.body.data?.salary);
};

/** Removes all stored answers, as if each process had died before it answered. */
const die = () =>
  gateway.models.idempotency.updateMany(
    {},
    { $unset: { payload: 1 }, $set: { claim: 'of the dead', claimedAt: new Date(now.getTime() - 10_000) } },
  );

const ways = [
  ['updateJob over REST', 'jobs', jobOverRest],
  ['updateCompany over GraphQL', 'companies', companyOverGraphQL],
] as const;

describe.each(ways)(
  'a keyed call of %s whose process died before it answered (Contract 6.2.2)',
  (_, kind, call) => {
    const stored = async () =>
      kind === 'jobs'
        ? gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean()
        : gateway.models.companies.findOne({ publicId: 'acme' }).lean();
    const entries = async (): Promise<HistoryEntry[]> => {
      const record = await stored();
      if (!record) return [];
      const moved = await gateway.models.history.find({ record: record._id }).lean<HistoryEntry[]>();
      return [...moved, ...record.pendingHistory];
    };

    it('overwrites no later change when repeated, and returns the current record (Contract 6.2.2)', async () => {
      await call('first', { key: 'key' });
      await die();
      await call('of another');
      await call('of another');
      const again = await call('first', { key: 'key' });
      expect(again).toMatchObject({ code: undefined, isReplayed: true, shown: 'of another' });
      expect(await stored()).toMatchObject({ version: 3 });
      expect((await stored())?.keyedCalls).toMatchObject([{ version: 2 }]);
      // The key now replays the answer in `again`.
      await call('of a third');
      expect(await call('first', { key: 'key' })).toMatchObject({ isReplayed: true, shown: 'of another' });
    });

    it('is recognised when repeated after 15 other keyed calls, but not after 16 (Contract 6.2.2)', async () => {
      await call('first', { key: 'key' });
      for (let count = 1; count <= 15; count += 1) await call(`${count}`, { key: `other-${count}` });
      // More calls without a key than a record keeps history entries.
      for (let count = 0; count < 32; count += 1) await call(`${count} of another`);
      await die();
      expect(await call('first', { key: 'key' })).toMatchObject({ isReplayed: true, shown: '31 of another' });
      expect(await stored()).toMatchObject({ version: 49, keyedCalls: { length: 16 } });
      await call('last', { key: 'other-16' });
      await die();
      expect(await call('first', { key: 'key' })).toMatchObject({ isReplayed: false, shown: 'first' });
    });

    it('may run again if it changed nothing', async () => {
      await call('same');
      await call('same', { key: 'key' });
      expect(await stored()).not.toHaveProperty('keyedCalls');
      await die();
      await call('of another');
      expect(await call('same', { key: 'key' })).toMatchObject({ isReplayed: false, shown: 'same' });
    });

    it('causes no version conflict with its own change when repeated (Contract 6.2.2)', async () => {
      await call('first', { key: 'key', version: 1 });
      await die();
      expect(await call('first', { key: 'key', version: 1 })).toMatchObject({
        isReplayed: true,
        shown: 'first',
      });
    });

    it('is refused as idempotency-key-reuse with another input (Contract 6.2.5)', async () => {
      await call('first', { key: 'key' });
      await die();
      expect(await call('second', { key: 'key' })).toMatchObject({
        status: 422,
        code: 'idempotency-key-reuse',
      });
      await die();
      expect(await call('first', { key: 'key' })).toMatchObject({ isReplayed: true, shown: 'first' });
      expect(await stored()).toMatchObject({ version: 2 });
    });

    it('runs again after 24 hours (Contract 6.2.1)', async () => {
      await call('first', { key: 'key' });
      await die();
      now = new Date(now.getTime() + 86_400_001);
      await call('of another');
      expect(await call('first', { key: 'key' })).toMatchObject({ isReplayed: false, shown: 'first' });
    });

    it.each(['with a key', 'without a key'])(
      'gets 503 if the reply of the database is lost; repeated %s, it adds no second history entry (Contract 6.1.3)',
      async (how) => {
        const options = how === 'with a key' ? { key: 'key' } : {};
        await call('before');
        way.loseReplyTo('findAndModify', kind, 'pendingHistory');
        const first = await call('lost', options);
        expect([first.status, first.code]).toEqual([503, 'service-unavailable']);
        let again = first;
        for (let tries = 0; tries < 20 && again.status === 503; tries += 1)
          again = await call('lost', options);
        expect(again.shown).toBe('lost');
        const values = (await entries()).flatMap(({ changes }) => changes.map(({ after }) => after));
        expect(values.filter((value) => value === 'lost')).toHaveLength(1);
      },
    );
  },
);

describe('a company renamed after a keyed call found it by name (Contract 6.2.2)', () => {
  const rename = (name: string, fields: Record<string, string>, headers = {}) =>
    rest(
      gateway,
      'PATCH',
      '/companies',
      { form: { media_public_id: 'demo-media', name, ...fields } },
      { token, headers },
    );

  it('is found by its record’s keyed calls, even if another company took the name (Contract 6.2.2)', async () => {
    const headers = { 'idempotency-key': 'key' };
    await rename('Acme', { description: 'first' }, headers);
    await die();
    const renamed = { media_public_id: 'demo-media', name: 'Acme of old' };
    const path = (id: string) => `/companies?company-public-id=${id}`;
    expect((await rest(gateway, 'PATCH', path('acme'), { form: renamed }, { token })).status).toBe(201);
    const absent = await rename('Acme', { description: 'first' }, headers);
    expect([absent.status, absent.body.company?.public_id]).toEqual([201, 'acme']);
    await die();
    const taken = { media_public_id: 'demo-media', name: 'Acme' };
    const other = await gateway.models.companies
      .findOne({ publicId: { $ne: 'acme' }, 'memberships.media': 'demo-media' })
      .lean();
    await rest(gateway, 'PATCH', path(other?.publicId ?? ''), { form: taken }, { token });
    const mistaken = await rename('Acme', { description: 'first' }, headers);
    expect([mistaken.status, mistaken.body.company?.public_id]).toEqual([201, 'acme']);
    const untouched = await gateway.models.companies.findOne({ publicId: other?.publicId ?? '' }).lean();
    expect(untouched?.description).toBe(other?.description);
  });

  const byOperators: [string, () => Promise<unknown>][] = [
    ['an import', () => importInto(gateway, { kind: 'company', public_id: 'acme', name: 'Acme of old' })],
    [
      'an erasure',
      () =>
        runEraseCommand(['acme@mail.example'], {
          NODE_ENV: 'test',
          MONGODB_URI: gateway.settings.mongodbUri,
        }),
    ],
  ];

  it.each(byOperators)(
    'is found by its record’s keyed calls, even if %s renamed it (Contract 6.2.2)',
    async (_by, operatorsRename) => {
      const { companies } = gateway.models;
      const called = { name: 'acme@mail.example', nameKey: 'acme@mail.example' };
      await companies.updateOne({ publicId: 'acme' }, called);
      const update = () =>
        rename('acme@mail.example', { description: 'first' }, { 'idempotency-key': 'key' });
      expect((await update()).status).toBe(201);
      await die();
      await operatorsRename();
      const absent = await update();
      expect([absent.status, absent.body.company?.public_id]).toEqual([201, 'acme']);
      await die();
      await companies.updateOne({ publicId: 'globex' }, called);
      const mistaken = await update();
      expect([mistaken.status, mistaken.body.company?.public_id]).toEqual([201, 'acme']);
    },
  );

  it('is not shown once it has left the media, nor is another company of its name changed (Contract 5.2.7, 6.2.2)', async () => {
    const headers = { 'idempotency-key': 'key' };
    const { companies } = gateway.models;
    expect((await rename('Acme', { description: 'first' }, headers)).status).toBe(201);
    await die();
    const elsewhere = { name: 'Acme of old', nameKey: 'acme of old', memberships: [] };
    await companies.updateOne({ publicId: 'acme' }, { $set: elsewhere });
    for (const namesake of [null, 'globex']) {
      if (namesake) await companies.updateOne({ publicId: namesake }, { name: 'Acme', nameKey: 'acme' });
      const { status, body } = await rename('Acme', { description: 'first' }, headers);
      expect([status, body.error, body.company]).toEqual([404, 'company-not-found', undefined]);
    }
  });

  it('is another one once the key is a day old (Contract 6.2.1)', async () => {
    const headers = { 'idempotency-key': 'key' };
    await rename('Acme', { description: 'first' }, headers);
    const { companies } = gateway.models;
    await companies.updateOne({ publicId: 'acme' }, { name: 'Acme of old', nameKey: 'acme of old' });
    await companies.updateOne({ publicId: 'globex' }, { name: 'Acme', nameKey: 'acme' });
    now = new Date(now.getTime() + 86_400_001);
    const { body } = await rename('Acme', { description: 'second' }, headers);
    expect(body.company?.public_id).toBe('globex');
  });
});
