import { afterEach, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { Readable } from 'node:stream';
import { ascending, indexName } from '../../src/database/indexes.js';
import {
  assertRecordFormat,
  claimRecordFormat,
  RecordFormatError,
} from '../../src/database/record-format.js';
import { runSeedCommand } from '../../src/cli/seed.js';
import { runEraseCommand } from '../../src/cli/erase.js';
import { exportCommand } from '../../src/cli/export.js';
import { importCommand } from '../../src/cli/import.js';
import { startGateway } from '../../src/gateway.js';
import { indexesOf } from '../../src/models.js';
import { parseSettings } from '../../src/settings/settings.js';
import { takeOver } from '../../src/start/take-over.js';
import { databaseOf } from '../../src/database/connect.js';
import { placesRefused } from '../../src/database/insert-records.js';
import { isDuplicateKey, toDomainError } from '../../src/database/database-errors.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { leasesOf, leaveLease } from '../support/lease.js';
import { logInMemory } from '../support/log-in-memory.js';
import { ownDatabase } from '../support/own-database.js';
import { jobLifetimeMs } from '../support/reset-records.js';

describe('format of the records (Contract 9.3.4)', () => {
  const { database, models } = ownDatabase();
  const db = () => databaseOf(database.connection);
  const formats = () => db().collection<{ _id: string; version: number }>('formats');
  const store = (values: object | null) =>
    values ? formats().updateOne({ _id: 'records' }, { $set: values }, { upsert: true }) : null;
  afterEach(async () => void (await formats().deleteMany({})));

  const settings = () =>
    parseSettings({ NODE_ENV: 'test', PORT: '0', MONGODB_URI: database.uri, LOG_LEVEL: 'fatal' });

  it('is stored once, however many processes start', async () => {
    await Promise.all(Array.from({ length: 8 }, () => claimRecordFormat(db())));
    expect(await formats().find().toArray()).toEqual([{ _id: 'records', version: 3 }]);
  });

  it.each<[string, object | null]>([
    ['format 4, but this version reads at most format 3', { version: 4 }],
    ['a version before 2.0.0', { version: 1 }],
    ['a version before 2.0.0', { version: 2, isConverting: true }],
    ['a version before 2.0.0', null],
  ])('keeps a start and each command from a database of %s: %p', async (what, values) => {
    await models.media.collection.insertOne({ publicId: 'm' });
    await store(values);
    const before = await formats().find().toArray();
    await expect(startGateway(settings())).rejects.toThrow(RecordFormatError);
    const environment = { NODE_ENV: 'test', MONGODB_URI: database.uri };
    for (const [args, run] of [
      [[], exportCommand(async () => undefined)],
      [['somebody@mail.example'], runEraseCommand],
      [['--dry-run', '-'], importCommand(Readable.from(''))],
      [[], runSeedCommand],
    ] as const)
      expect(await run(args, environment)).toEqual({
        ...{ stdout: '', exitCode: 2 },
        stderr: expect.stringMatching(new RegExp(`${what}.*: start `)),
      });
    expect(await formats().find().toArray()).toEqual(before);
    await models.media.collection.deleteMany({});
  });

  it('of 2.0.0 is raised by the first start alone, which replaces the indexes of 2.0.0 alone, and completes a killed import', async () => {
    await seedDemoData(models, new Date(), jobLifetimeMs);
    const publicId = 'acme-backend-engineer';
    const { jobs, companies } = models;
    await store({ version: 2 });
    await expect(assertRecordFormat(db())).rejects.toThrow('records of 2.0.0');
    // As 2.0.0 leaves an import that is killed between an insert and its date, and between the move of a company and of its jobs.
    await jobs.collection.updateOne(
      { publicId },
      { $set: { changedAt: new Date('9999-12-31T23:59:59.999Z') } },
    );
    await jobs.collection.updateOne({ publicId: 'globex-accountant' }, { $set: { state: 'archived' } });
    const memberships = { memberships: { media: 'demo-media' } };
    await companies.collection.updateOne({ publicId: 'acme' }, { $pull: memberships } as never);
    await leaveLease(models, {
      rest: [{ kind: 'company', publicId: 'acme', media: ['demo-media'] }],
    });
    const ofEnds = [
      'media',
      'isCompanyInMedia',
      'brand',
      'state',
      'expiresAt',
      'publicId',
      'nameKey',
      'company',
    ];
    await jobs.collection.createIndex(ascending(...ofEnds));
    await jobs.collection.createIndex({ updatedAt: 1 }, { name: 'of-an-operator' });
    const { log, parsed } = logInMemory('warn');
    const start = () => takeOver(models, { log, isShared: true });
    await Promise.all([start(), start()]);
    expect(await formats().find().toArray()).toEqual([{ _id: 'records', version: 3 }]);
    expect(await leasesOf(models).findOne()).not.toHaveProperty('rest');
    expect(await companies.exists({ isSyncDue: true })).toBeNull();
    const job = await jobs.findOne({ publicId }).lean();
    expect(job?.isCompanyInMedia).toBe(false);
    // 2.0.0 stored no instant of archiving.
    const archived = await jobs.findOne({ publicId: 'globex-accountant' }).lean();
    expect(Math.abs(Number(archived?.archivedAt) - Date.now())).toBeLessThan(60_000);
    expect(Number(job?.changedAt)).toBeLessThan(Date.now() + 60_000);
    const names = (await jobs.collection.indexes()).map(({ name }) => name).sort();
    expect(names).toEqual(['_id_', 'of-an-operator', ...indexesOf(jobs).map(indexName)].sort());
    expect(parsed().flatMap(({ index }) => index ?? [])).toEqual([`jobs.${ofEnds.join('_1_')}_1`]);
    await expect(assertRecordFormat(db())).resolves.toBeUndefined();
  });
});

describe('bulk write that leaves records unstored', () => {
  const duplicate = { index: 3, code: 11_000 };
  const failing = (writeErrors: object[], concern?: object) =>
    Object.assign(
      new mongo.MongoBulkWriteError({ message: 'no', code: 11_000, writeErrors } as never, {} as never),
      {
        result: { getWriteConcernError: () => concern },
        writeErrors,
      },
    );

  it('fails, unless every missing record was refused for a duplicate key', async () => {
    expect(await placesRefused(Promise.reject(failing([duplicate])))).toEqual([3]);
    for (const error of [failing([]), new Error()])
      await expect(placesRefused(Promise.reject(error))).rejects.toBe(error);
  });

  it.each([
    ['not stored with the requested write concern', failing([duplicate], { code: 64 })],
    ['undone by a change of primary', failing([], { code: 100 })],
    ['cut short and had a duplicate key', failing([duplicate, { code: 50 }])],
  ])(
    'fails with service-unavailable, not with a taken name, when it was %s (Contract 7.2.1)',
    async (_, error) => {
      const thrown: unknown = await placesRefused(Promise.reject(error)).catch((other: unknown) => other);
      expect(isDuplicateKey(error)).toBe(true);
      expect([isDuplicateKey(thrown), toDomainError(thrown).code]).toEqual([false, 'service-unavailable']);
    },
  );
});
