import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db } from 'mongodb';
import { createConnection, mongo } from 'mongoose';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger } from 'pino';
import { withLease } from '../../src/change/records-lease.js';
import { singleBatch } from '../../src/database/single-batch.js';
import { UnconvertedError } from '../../src/database/record-format.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { shutdownTimes } from '../../src/http/draining.js';
import { indexesOf, type Models, modelsOf, prepareDatabase } from '../../src/models.js';
import { parseSettings } from '../../src/settings/settings.js';
import { convertRecords, OtherProcessError } from '../../src/upgrade/convert-records.js';
import { allCredentials } from '../permissions/matrix/callers.js';
import { outcomesAt } from '../permissions/matrix/decided.js';
import { rows } from '../permissions/matrix/operations.js';
import { type PlaceName, places } from '../permissions/matrix/places.js';
import { commandsOn, recordsOf } from '../support/commands.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { type TestGateway, silentLog } from '../support/gateway.js';
import { loseLease } from '../support/lease.js';
import { logInMemory } from '../support/log-in-memory.js';
import { dataOf, graphql, rest } from '../support/requests.js';
import { settle } from '../support/settle.js';
import { tokenFactory } from '../support/tokens.js';
import { until } from '../support/until.js';
import { type DumpedCall, type DumpedChange, loadDump } from './dump.js';

type Dump = Awaited<ReturnType<typeof loadDump>>;

/** A stored document. */
type Stored = Record<string, unknown> & { publishedAt: Date };

interface Old {
  database: TestDatabase;
  db: Db;
  models: Models;
  dump: Dump;
}

async function openDump(): Promise<Old> {
  const database = await openTestDatabase();
  const db = database.connection.getClient().db(database.connection.name);
  return { database, db, models: modelsOf(database.connection), dump: await loadDump(db) };
}

const options = { clock: () => new Date(), lifetimeMs: 90 * 86_400_000, isShared: true };
const convert = (models: Models, log: Logger = silentLog) => convertRecords(models, { ...options, log });

/** All that a conversion writes, except instants of the conversion itself. */
async function stored(db: Db): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const name of ['jobs', 'companies', 'history', 'idempotency', 'departures', 'formats', 'tasks'])
    all[name] = await db.collection(name).find({}, singleBatch).sort({ _id: 1 }).toArray();
  const leases = db.collection<{ _id: string; rest: { publicId: string }[] }>('leases');
  all.rest = [...new Set((await leases.findOne({ _id: 'records' }))?.rest.map(({ publicId }) => publicId))];
  return all;
}

async function startOn({ database, models }: Old): Promise<TestGateway> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-'));
  const lifted = '1000000/1s';
  const settings = parseSettings({
    ...{ NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'silent', ARCHIVE_EVERY: '1h', REQUEST_TIMEOUT: '5m' },
    ...{ UPDATE_JOB_QUOTA: lifted, MUTATION_QUOTA: lifted, READ_QUOTA: lifted, AUTH_FAILURE_QUOTA: lifted },
    ...{ DATA_DIR: dataDir, MONGODB_URI: database.uri, ARCHIVER: 'off', DATABASE_TIMEOUT: '1m' },
  });
  const gateway: Gateway = await startGateway(settings, { log: silentLog });
  await until(async () => (await fetch(`${gateway.url}/ready`)).ok);
  return {
    ...{ url: gateway.url, gateway, settings, models, token: await tokenFactory(settings) },
    reset: async () => undefined,
    stop: async () => {
      await gateway.stop({ ...shutdownTimes, delayMs: 1, idleMs: 150 });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

describe('a database of 1.2.0', () => {
  let old: Old;
  let gateway: TestGateway;
  beforeAll(async () => {
    old = await openDump();
  });
  afterAll(async () => {
    await gateway.stop();
    await old.database.close();
  });

  it.each(['export', 'import'] as const)(
    'is refused by the command %s, which says to start the gateway (Contract 11.11.2)',
    async (command) => {
      const { exportAll, importFiles } = commandsOn(old.database.uri);
      const { code, stderr } = await (command === 'export' ? exportAll() : importFiles(['-'], '{}'));
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/older version.*start the gateway/),
      });
      await expect(prepareDatabase(old.models)).rejects.toThrow(UnconvertedError);
    },
  );

  it('is ready after the first start, without a version more (Contract 11.11.1)', async () => {
    const { db, models } = old;
    const versionsOf = async (name: string) =>
      db
        .collection(name)
        .find({}, { projection: { _id: 0, publicId: 1, version: 1 } })
        .toArray();
    const before = [await versionsOf('jobs'), await versionsOf('companies')];
    gateway = await startOn(old);
    expect([await versionsOf('jobs'), await versionsOf('companies')]).toEqual(before);
    expect(await db.collection('formats').find().toArray()).toEqual([{ _id: 'records', version: 2 }]);
    for (const model of Object.values(models)) {
      const names = (await model.collection.indexes()).map(({ name }) => name);
      expect(names).toHaveLength(indexesOf(model).length + 1);
    }
  });

  it('has in every record what 2.0.0 stores (Contract 11.11.1)', async () => {
    const { db } = old;
    for (const name of ['jobs', 'companies']) {
      const lacking = { $or: [{ changedAt: null }, { updatedAt: null }, { nameKey: null }] };
      expect(await db.collection(name).find(lacking).toArray()).toEqual([]);
      expect(
        await db
          .collection(name)
          .find({ unsettledMedia: { $exists: true } })
          .toArray(),
      ).toEqual([]);
    }
    const jobs = db.collection('jobs');
    expect(await jobs.find({ companyVersion: null }).toArray()).toEqual([]);
    expect(await jobs.find({ publishedAt: { $ne: null }, expiresAt: null }).toArray()).toEqual([]);
    expect(await jobs.find({ salaryRange: { $exists: false } }).toArray()).toEqual([]);
    expect(
      await db
        .collection('idempotency')
        .find({ movedFrom: { $exists: false } })
        .toArray(),
    ).toEqual([]);
    const pages = { publicId: { $in: ['page-facebook', 'page-linkedin'] }, domainKey: { $exists: true } };
    expect(await db.collection('companies').find(pages).toArray()).toEqual([]);
  });

  it('takes updatedAt of records of 1.0.0 from their last entry, else their publication (Contract 11.11.1)', async () => {
    const { db, dump } = old;
    const former = await db
      .collection('jobs')
      .find({ publicId: { $in: dump.former } })
      .toArray();
    expect(former).toHaveLength(10);
    for (const { pendingHistory, publishedAt, updatedAt, _id } of former) {
      const entry = (pendingHistory as { at: Date }[]).at(-1);
      expect(updatedAt).toEqual(entry?.at ?? publishedAt ?? _id.getTimestamp());
    }
  });

  it('is exported as 1.2.0 exported it, and with the end of each job', async () => {
    const { exportAll } = commandsOn(old.database.uri);
    const { stdout, code } = await exportAll('--with-history');
    expect(code).toBe(0);
    const lines = recordsOf(stdout).map(({ expires_at: end, ...line }) => {
      if (line.published_at && line.state === 'published')
        expect(Date.parse(end as string) - Date.parse(line.published_at as string)).toBe(90 * 86_400_000);
      return line;
    });
    const idOf = ({ kind, public_id, record, type, version }: Record<string, unknown>) =>
      JSON.stringify([kind, type, public_id, record, version]);
    const byId = (all: Record<string, unknown>[]) =>
      Object.fromEntries(all.map((line) => [idOf(line), line]));
    expect(byId(lines)).toEqual(byId(old.dump.exported));
  });

  it('goes on with its followers: they get what 1.2.0 would give them, and nothing again (Contract 4.6.3)', async () => {
    for (const [media, { after, changes }] of Object.entries(old.dump.followed)) {
      const token = await gateway.token({ media: [media] });
      const path = `/changes?media-public-id=${media}&first=100&after=${after}`;
      const { status, body } = await rest(gateway, 'GET', path, undefined, { token });
      expect(status).toBe(200);
      const shown = (all: readonly DumpedChange[]) =>
        all.map(({ kind, public_id: id, version, state }) => `${kind} ${id} ${version} ${state}`).sort();
      expect(changes.length).toBeGreaterThan(2);
      // By hand, the dump lacks the departure of a company that a killed import has not written.
      const expected = changes.filter(
        ({ kind, public_id: id, state }) =>
          media !== 'third-media' || kind !== 'company' || id !== 'multi-leaving' || state !== 'gone',
      );
      expect(shown(body.data as never)).toEqual(shown(expected));
    }
  });

  describe('with calls that 1.2.0 has answered', () => {
    const documents: Record<DumpedCall['kind'], string> = {
      job: `mutation ($input: UpdateJobInput!, $key: String) {
        updateJob(input: $input, idempotencyKey: $key) {
          job {
            publicId name state salary publishedAt managerEmails questions { name ref }
            mediaPublicId company { publicId name } employer { publicId name mediaPublicIds content { description } }
            updatedAt version history(first: 2) { edges { node { actor } } }
          }
          warnings { field message }
        }
      }`,
      company: `mutation ($input: UpdateCompanyInput!, $key: String) {
        updateCompany(input: $input, idempotencyKey: $key) {
          company { publicId name mediaPublicIds content { description } version }
          warnings { field message }
        }
      }`,
    };
    const repeated = async ({ kind, publicId, media, key, isRest, body }: DumpedCall) => {
      const token = await gateway.token({ media: [media] });
      const headers = { 'idempotency-key': key };
      if (!isRest) return graphql(gateway, documents[kind], { input: body, key }, { token });
      return kind === 'job'
        ? rest(gateway, 'POST', `/jobs/${publicId}`, { json: body }, { token, headers })
        : rest(
            gateway,
            'PATCH',
            `/companies?company-public-id=${publicId}`,
            { json: body },
            { token, headers },
          );
    };
    /** Without what 2.0.0 shows differently: the codes of warnings, and the cost. */
    const shown = (reply: unknown): unknown =>
      JSON.parse(
        JSON.stringify(reply, (name, value: unknown) =>
          ['code', 'extensions'].includes(name) ||
          (name === 'warnings' && !(value as object[] | null)?.length)
            ? undefined
            : value,
        ),
      );

    it('answers each of them again with its first answer, and changes nothing (Contract 9.3.1)', async () => {
      const before = await stored(old.db);
      for (const call of old.dump.calls) {
        const { body } = await repeated(call);
        // The process that died did not store the warnings, either (Contract 9.3.9).
        const expected = { ...call.reply, ...(call.isUnanswered && { warnings: null }) };
        expect({ key: call.key, body: shown(body) }).toEqual({ key: call.key, body: shown(expected) });
      }
      const { jobs, companies } = await stored(old.db);
      expect({ jobs, companies }).toEqual({ jobs: before.jobs, companies: before.companies });
    });
  });

  it('shows every job to a form, whose values change nothing when they are sent back (Contract 2.2.9)', async () => {
    const isUpdatable = { isCompanyInMedia: true, company: { $ne: 'globex' } };
    const jobs = await old.db.collection('jobs').find(isUpdatable).toArray();
    expect(jobs.length).toBeGreaterThan(140);
    const token = await gateway.token({ media: ['demo-media', 'other-media', 'third-media'] });
    const references = ['contract', 'worktime', 'education', 'experience', 'jobCategory', 'remote'];
    for (const { publicId } of jobs) {
      const { job } = await dataOf<{ job: Record<string, { id: string } | null> & { updatedAt: string } }>(
        gateway,
        `{ job(publicId: "${publicId}") { salary localisation managerEmails version updatedAt
          ${references.map((path) => `${path} { id }`).join(' ')} } }`,
        {},
        { token },
      );
      expect(job.updatedAt).toEqual(expect.any(String));
      const { salary, localisation, managerEmails, version } = job;
      const input = {
        ...{ jobPublicId: publicId as string, salary, localisation, managerEmails },
        ...{ contractId: job.contract?.id, educationId: job.education?.id },
      };
      const { updateJob } = await dataOf<{ updateJob: { job: { version: number }; warnings: object[] } }>(
        gateway,
        'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } warnings { code } } }',
        { input },
        { token },
      );
      expect(updateJob).toEqual({ job: { version }, warnings: [] });
    }
  });

  const cells = Object.entries(rows).filter(([, { isPlaceless }]) => !isPlaceless);
  it.each(cells)(
    'gives every caller of %s the outcome in the contract (Contract 5.6.1, 5.6.2, 5.6.3)',
    async (name, operation) => {
      const credentials = (await allCredentials(gateway)).filter(({ scopeSet }) => scopeSet === 'write');
      for (const placeName of Object.keys(places) as PlaceName[]) {
        await settle(gateway);
        const { actual, expected } = await outcomesAt(gateway, [name, operation], placeName, credentials);
        expect([placeName, actual]).toEqual([placeName, expected]);
      }
    },
  );
});

describe('the conversion (Contract 11.11.1)', () => {
  const olds: Old[] = [];
  afterAll(() => Promise.all(olds.map(({ database }) => database.close())));
  const open = async () => {
    const old = await openDump();
    olds.push(old);
    return old;
  };

  /** Fails each write to the database from the nth on. Returns what the work threw, or null. */
  async function killedAt(nth: number, work: () => Promise<void>): Promise<unknown> {
    const { prototype } = mongo.Collection;
    const names = ['bulkWrite', 'updateOne', 'deleteMany', 'dropIndex'] as const;
    const own = names.map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name)!] as const);
    let count = 0;
    for (const [name, { value: run }] of own)
      Object.defineProperty(prototype, name, {
        configurable: true,
        writable: true,
        async value(this: unknown, ...given: unknown[]) {
          if ((count += 1) >= nth) throw new Error('killed');
          return (run as (...all: unknown[]) => unknown).apply(this, given);
        },
      });
    try {
      await work();
      return null;
    } catch (error) {
      return error;
    } finally {
      for (const [name, descriptor] of own) Object.defineProperty(prototype, name, descriptor);
    }
  }

  it('goes on where it was killed, at any write, and leaves the same records', async () => {
    const whole = await open();
    await convert(whole.models);
    const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g;
    // The databases were loaded at different instants.
    const comparable = async ({ db }: Old) =>
      JSON.parse(JSON.stringify(await stored(db)).replaceAll(instant, 'at')) as unknown;
    const expected = await comparable(whole);
    for (let nth = 1, error: unknown = new Error(); error; nth += 1) {
      const killed = await open();
      error = await killedAt(nth, () => convert(killed.models));
      await loseLease(killed.models);
      await convert(killed.models);
      expect(await comparable(killed)).toEqual(expected);
      expect(error ?? nth).not.toBe(1);
    }
  });

  it('is done once if two processes start at once: the second waits, and says so', async () => {
    const { models, database } = await open();
    const other = await createConnection(database.uri).asPromise();
    const [first, second] = [logInMemory('info'), logInMemory('info')];
    await Promise.all([convert(models, first.log), convert(modelsOf(other), second.log)]);
    const messages = [...first.parsed(), ...second.parsed()].map(({ msg }) => msg);
    expect(messages.filter((msg) => msg === 'converted all records: building indexes')).toHaveLength(1);
    await other.close();
  });

  it('does not begin while a task or a command of another process runs, and names that process', async () => {
    const { models, db } = await open();
    await db
      .collection('tasks')
      .updateOne(
        { name: 'archive-expired-jobs' },
        { $set: { lockedAt: new Date(), lastModifiedBy: 'host-1:7' } },
      );
    await expect(convert(models)).rejects.toThrow(
      new OtherProcessError('the process host-1:7 runs the task archive-expired-jobs'),
    );
    const holder = { command: 'import', actor: 'jo', host: 'host-1' };
    await withLease(models.media, holder, { waitMs: 0 }, async () => {
      await expect(convert(models)).rejects.toThrow(/import by jo on host-1/);
    });
    expect(await db.collection('formats').findOne()).toEqual({ _id: 'records', version: 1 });
  });

  it('raises the format of the records before it writes, so 1.2.0 does not start any more (Contract 11.11)', async () => {
    const { models, db } = await open();
    const before = await stored(db);
    const { companies } = models;
    const bulkWrite = companies.collection.bulkWrite.bind(companies.collection);
    let then: object | null = null;
    Object.assign(companies.collection, {
      bulkWrite: async (...given: Parameters<typeof bulkWrite>) => {
        then ??= { formats: await db.collection('formats').find().toArray(), jobs: (await stored(db)).jobs };
        return bulkWrite(...given);
      },
    });
    await convert(models);
    // 1.2.0 reads at most format 1.
    expect(then).toEqual({
      formats: [{ _id: 'records', version: 2, isConverting: true }],
      jobs: before.jobs,
    });
  });

  it('skips damaged records, and logs each of them', async () => {
    const { models, db } = await open();
    const jobs = db.collection('jobs');
    await jobs.updateOne({ publicId: 'job-001' }, { $set: { publishedAt: 'soon' } });
    await jobs.updateOne({ publicId: 'job-002' }, { $set: { name: { a: 1 }, version: 'x' } });
    await jobs.updateOne({ publicId: 'job-003' }, { $set: { pendingHistory: 7 } });
    const { log, parsed } = logInMemory('error');
    await convert(models, log);
    await prepareDatabase(models);
    expect(parsed().map(({ publicId, task }) => [task, publicId])).toEqual(
      expect.arrayContaining([['upgrade', 'job-001']]),
    );
    expect(await jobs.findOne({ publicId: 'job-002' })).toMatchObject({ version: 'x', nameKey: '' });
    expect(await jobs.findOne({ publicId: 'job-004' })).toMatchObject({ companyVersion: expect.any(Number) });
  });

  it('converts what 2.0.0-next.0 stored, and keeps the ends that employers chose', async () => {
    const { models, db } = await open();
    const jobs = db.collection('jobs');
    const { publishedAt } = (await jobs.findOne<Stored>({ publicId: 'job-005' }))!;
    const expiresAt = new Date(publishedAt.getTime() + 86_400_000);
    const next = { expiresAt, brand: 'former', isCompanyInMedia: false, reachVersion: 4 };
    await jobs.updateOne({ publicId: 'job-005' }, { $set: { ...next, expiresFor: publishedAt } });
    // 1.2.0 has published this job again.
    await jobs.updateOne({ publicId: 'job-009' }, { $set: { ...next, expiresFor: new Date(0) } });
    await db.collection('companies').updateOne({ publicId: 'multi' }, { $set: { narrowedVersion: 3 } });
    const answered = (await db.collection('idempotency').findOne())!;
    await db
      .collection('idempotency')
      .updateOne({ _id: answered._id }, { $set: { packed: 'x' }, $unset: { payload: '', claim: '' } });
    await convert(models);
    const [one, other] = await jobs
      .find<Stored>({ publicId: { $in: ['job-005', 'job-009'] } })
      .sort({ publicId: 1 })
      .toArray();
    expect(one).toMatchObject({ expiresAt, brand: 'second-group', companyVersion: expect.any(Number) });
    expect(other?.expiresAt).toEqual(new Date(Number(other?.publishedAt) + 90 * 86_400_000));
    for (const record of [one, other, await db.collection('companies').findOne({ publicId: 'multi' })])
      for (const path of ['reachVersion', 'expiresFor', 'narrowedVersion'])
        expect(record).not.toHaveProperty(path);
    expect(await db.collection('idempotency').findOne({ _id: answered._id })).toMatchObject({
      claim: '',
      claimedAt: new Date(0),
      movedFrom: [],
    });
  });

  it('gives a company whose name another company has a key that no name has, and logs it', async () => {
    const { models, db } = await open();
    const companies = db.collection('companies');
    await companies.updateOne(
      { publicId: 'page-linkedin' },
      { $set: { name: 'Braille Books', nameKey: 'braille books' } },
    );
    const { log, parsed } = logInMemory('warn');
    await convert(models, log);
    expect(parsed()).toContainEqual(expect.objectContaining({ companies: ['braille'] }));
    expect(await companies.findOne({ publicId: 'braille' })).toMatchObject({
      nameKey: 'braille books\u200bbraille',
      updatedAt: expect.any(Date),
    });
  });
});
