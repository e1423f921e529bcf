import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mongo, Types } from 'mongoose';
import { type Db } from 'mongodb';
import { Readable } from 'node:stream';
import {
  claimRecordFormat,
  recordFormat,
  RecordFormatError,
  UnconvertedError,
} from '../../src/database/record-format.js';
import { runSeedCommand } from '../../src/cli/seed.js';
import { runEraseCommand } from '../../src/cli/erase.js';
import { exportCommand } from '../../src/cli/export.js';
import { importCommand } from '../../src/cli/import.js';
import { startGateway } from '../../src/gateway.js';
import { parseSettings } from '../../src/settings/settings.js';
import { placesRefused } from '../../src/database/insert-absent.js';
import { type Models, modelsOf, prepareDatabase } from '../../src/models.js';
import { demoData } from '../../src/demo/demo-data.js';
import { isDuplicateKey, toDomainError } from '../../src/database/mask-error.js';
import { rest } from '../support/requests.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { logInMemory } from '../support/log-in-memory.js';
import { startTestGateway } from '../support/gateway.js';

describe('format of the database', () => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await openTestDatabase();
    db = database.connection.getClient().db(database.connection.name);
  });
  afterAll(() => database.close());

  const formats = () => db.collection<{ _id: string; version: number }>('formats');
  afterEach(async () => void (await formats().deleteMany({})));
  const stored = async () => (await formats().findOne({ _id: 'records' }))?.version;

  describe('format of the stored records (Contract 11.11)', () => {
    it('is stored once, however many processes start', async () => {
      await Promise.all(Array.from({ length: 8 }, () => claimRecordFormat(db)));
      expect(await formats().find().toArray()).toEqual([{ _id: 'records', version: recordFormat }]);
    });

    it('is not stored by a command beside records of an older version', async () => {
      await formats().insertOne({ _id: 'records', version: recordFormat - 1 });
      await expect(claimRecordFormat(db)).rejects.toThrow(UnconvertedError);
      expect(await stored()).toBe(recordFormat - 1);
    });

    it('keeps an older version from starting, and is not overwritten', async () => {
      await formats().insertOne({ _id: 'records', version: recordFormat + 1 });
      const settings = parseSettings({
        NODE_ENV: 'test',
        PORT: '0',
        MONGODB_URI: database.uri,
        LOG_LEVEL: 'fatal',
      });
      await expect(startGateway(settings)).rejects.toThrow(RecordFormatError);
      expect(await stored()).toBe(recordFormat + 1);
    });

    it.each(['export', 'erase somebody@mail.example', 'import --dry-run -', 'seed'])(
      'stops the command %s of an older version',
      async (command) => {
        await formats().insertOne({ _id: 'records', version: recordFormat + 1 });
        const [name = '', ...args] = command.split(' ');
        const environment = { NODE_ENV: 'test', MONGODB_URI: database.uri };
        const output = { write: async () => undefined, stderr: { write: () => true } };
        const run = {
          export: exportCommand(output),
          erase: runEraseCommand,
          import: importCommand({ ...output, stdin: Readable.from('') }),
          seed: runSeedCommand,
        }[name]!;
        expect(await run(args, environment)).toEqual({
          ...{ stdout: '', exitCode: 2 },
          stderr: expect.stringContaining(`holds records of format ${recordFormat + 1}`),
        });
      },
    );
  });
});

describe('name keys of 1.0.0', () => {
  let database: TestDatabase;
  let models: Models;
  beforeEach(async () => {
    database = await openTestDatabase();
    models = modelsOf(database.connection);
    await claimRecordFormat(database.connection.getClient().db(database.connection.name));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await database.close();
  });

  const acme = demoData(new Date()).companies.find(({ publicId }) => publicId === 'acme')!;

  /** In name keys, 1.0.0 dropped combining marks and kept invisible characters. */
  const store = (records: readonly { publicId: string; name: string; nameKey: string }[]) =>
    models.companies.collection.insertMany(
      records.map(({ publicId, name, nameKey }) => {
        const domains = { domainUrl: `${publicId}.example`, domainKey: `${publicId}.example` };
        return { ...acme, ...domains, _id: new Types.ObjectId(), publicId, name, nameKey };
      }),
    );
  const keyOf = async (publicId: string) =>
    (await models.companies.findOne({ publicId }).lean())?.nameKey.normalize('NFC');

  const paris = { publicId: 'paris', name: 'パリ', nameKey: 'ハリ' };
  const kraj = { publicId: 'kraj', name: 'Край', nameKey: 'краи' };

  describe('a name whose key 1.0.0 stored in another form', () => {
    it('still finds its company after the upgrade, and no other name finds that company (Contract 4.1.6.2)', async () => {
      await store([paris, kraj]);
      const gateway = await startTestGateway({}, { database });
      const update = (name: string) =>
        rest(
          gateway,
          'PATCH',
          '/companies',
          { json: { media_public_id: 'demo-media', name, description: 'Changed.' } },
          { token },
        );
      const token = await gateway.token();
      expect(await update('パリ')).toMatchObject({ status: 201, body: { company: { public_id: 'paris' } } });
      expect(await update('краЙ')).toMatchObject({ status: 201, body: { company: { public_id: 'kraj' } } });
      for (const name of ['バリ', 'ハリ', 'Краи']) expect(await update(name)).toMatchObject({ status: 404 });
      // Correcting the key, which callers don't see, does not raise the version.
      expect((await models.companies.findOne({ publicId: 'paris' }).lean())?.version).toBe(acme.version + 1);
      await gateway.stop();
      database = await openTestDatabase();
    });

    it('gets the right key at each start, in every batch', async () => {
      const many = Array.from({ length: 1_200 }, (_, index) => ({
        ...{ publicId: `p-${index}`, name: `ガス ${index}`, nameKey: `カス ${index}` },
      }));
      await store(many);
      await prepareDatabase(models);
      expect([await keyOf('p-0'), await keyOf('p-1199')]).toEqual(['ガス 0', 'ガス 1199']);
      await prepareDatabase(models);
      // A process of 1.0.0 still runs, and stores a company.
      await store([paris]);
      await prepareDatabase(models);
      expect(await keyOf('paris')).toBe('パリ');
    });

    it('keeps its key if another company has the right key, and each start logs a warning', async () => {
      // Some servers enforce only unique indexes that are created with the collection.
      await prepareDatabase(models);
      await store([
        { publicId: 'hidden', name: 'Umb\u200brella', nameKey: 'umb\u200brella' },
        { publicId: 'umbrella', name: 'Umbrella', nameKey: 'umbrella' },
        paris,
      ]);
      for (let start = 0; start < 2; start += 1) {
        expect(await prepareDatabase(models)).toEqual(['hidden']);
        expect([await keyOf('hidden'), await keyOf('paris')]).toEqual(['umb\u200brella', 'パリ']);
      }
      const { log, parsed } = logInMemory('warn');
      const gateway = await startTestGateway({}, { database, log });
      expect(parsed()).toMatchObject([{ level: 40, companies: ['hidden'] }]);
      await gateway.stop();
      database = await openTestDatabase();
    });

    it('keeps its key if the company is damaged, and other companies get the right key', async () => {
      await store([{ publicId: 'damaged', name: { a: 1 } as never, nameKey: 'damaged' }, paris]);
      expect(await prepareDatabase(models)).toEqual([]);
      expect([await keyOf('damaged'), await keyOf('paris')]).toEqual(['damaged', 'パリ']);
    });

    it('gets the key of the new name if the company is renamed during the upgrade', async () => {
      await prepareDatabase(models);
      await store([paris, kraj]);
      const { collection } = models.companies;
      const bulkWrite = collection.bulkWrite.bind(collection);
      jest.spyOn(collection, 'bulkWrite').mockImplementationOnce(async (...given) => {
        await collection.updateOne({ publicId: 'paris' }, { $set: { name: 'Paris', nameKey: 'paris' } });
        return bulkWrite(...given);
      });
      await prepareDatabase(models);
      expect([await keyOf('paris'), await keyOf('kraj')]).toEqual(['paris', 'край']);
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
      ['cut short and had a duplicate key', failing([duplicate, { code: 50 }])],
    ])(
      'fails with service-unavailable, not with a taken name, when it was %s (Contract 7.1.1)',
      async (_, error) => {
        const thrown: unknown = await placesRefused(Promise.reject(error)).catch((other: unknown) => other);
        expect(isDuplicateKey(error)).toBe(true);
        expect([isDuplicateKey(thrown), toDomainError(thrown).code]).toEqual([false, 'service-unavailable']);
      },
    );
  });
});
