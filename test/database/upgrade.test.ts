import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
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
import { isDuplicateKey, toDomainError } from '../../src/database/database-errors.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';

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
