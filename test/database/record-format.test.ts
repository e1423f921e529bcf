import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db } from 'mongodb';
import { Readable } from 'node:stream';
import { claimRecordFormat, recordFormat, RecordFormatError } from '../../src/database/record-format.js';
import { runSeedCommand } from '../../src/demo/seed-command.js';
import { runEraseCommand } from '../../src/exchange/erase-command.js';
import { runExportCommand } from '../../src/exchange/export-command.js';
import { runImportCommand } from '../../src/exchange/import-command.js';
import { startGateway } from '../../src/gateway.js';
import { parseSettings } from '../../src/settings.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';

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

describe('the format of the stored records (Contract 11.11)', () => {
  it('is noted once, however many processes start', async () => {
    await Promise.all(Array.from({ length: 8 }, () => claimRecordFormat(db)));
    expect(await formats().find().toArray()).toEqual([{ _id: 'records', version: recordFormat }]);
  });

  it('takes the place of an older one', async () => {
    await formats().insertOne({ _id: 'records', version: recordFormat - 1 });
    await claimRecordFormat(db);
    expect(await stored()).toBe(recordFormat);
  });

  it('keeps an older version from starting, and stays', async () => {
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
    'keeps an older version of the command %s from misreading it',
    async (command) => {
      await formats().insertOne({ _id: 'records', version: recordFormat + 1 });
      const [name = '', ...args] = command.split(' ');
      const environment = { NODE_ENV: 'test', MONGODB_URI: database.uri };
      const output = { write: async () => undefined, stderr: { write: () => true } };
      const run = {
        export: () => runExportCommand(args, output, environment),
        erase: () => runEraseCommand(args, environment),
        import: () => runImportCommand(args, { ...output, stdin: Readable.from('') }, environment),
        seed: () => runSeedCommand(args, environment),
      }[name]!;
      expect(await run()).toEqual({
        ...{ stdout: '', exitCode: 2 },
        stderr: expect.stringContaining(`holds records of format ${recordFormat + 1}`),
      });
    },
  );
});
