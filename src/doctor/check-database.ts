import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Db, type Document, type WriteConcern } from 'mongodb';
import { Types } from 'mongoose';
import {
  ConnectError,
  type Database,
  databaseOf,
  namesDatabase,
  unnamedDatabase,
  withDatabase,
} from '../database/connect.js';
import { type Models, modelsOf } from '../models.js';
import { formOf, RecordFormatError } from '../database/record-format.js';
import { messageWithCauses } from '../errors/messages.js';
import { type Settings } from '../settings/settings.js';
import { plannedConversion } from '../upgrade/convert-records.js';
import { checkData } from './check-data.js';
import { folderFault } from './check-folder.js';
import { checkIndexes } from './check-indexes.js';
import { about, type Finding } from './finding.js';
import { formatFinding, oldestMongoDb, unwritableFinding } from './start-fault.js';

const { ok, warn } = about('database');
/** Without `authSource`, the server looks for the user in the database that the URI names. */
const nameIt =
  'write its name after the host, as in mongodb://HOST/gateway, or /test to keep this one; with a user, add authSource=admin if there is no authSource';

/** @throws ConnectError if the database cannot be reached */
export async function checkDatabase(settings: Settings): Promise<Finding[]> {
  if (settings.mongodbUri === undefined) {
    const { dataDir } = settings;
    const fault = await folderFault('database', dataDir);
    if (fault) return [fault];
    // Opening the store would create it.
    if (!existsSync(join(dataDir, 'data.mdb')))
      return [ok(`the built-in store will be made on the first start, in ${dataDir}, with demo data`)];
  }
  try {
    return await withDatabase(settings, (database) => checkOpened(database, settings));
  } catch (error) {
    if (!(error instanceof ConnectError && error.isCausedBy('FolderInUseError'))) throw error;
    return [
      ok(`the built-in store in ${settings.dataDir} is in use by a running process, so it is not checked`),
    ];
  }
}

async function checkOpened(database: Database, settings: Settings): Promise<Finding[]> {
  const { tasks: connection } = database;
  const db = databaseOf(connection);
  const models = modelsOf(connection);
  const ask = (command: 'hello' | 'buildInfo') => db.command({ [command]: 1 });
  const checks: [string, () => Promise<Finding[]>][] = [
    ['database', async () => [versionFinding(await ask('buildInfo'), database.description)]],
    ['database', () => checkRights(db)],
    [
      'database',
      async () => [durabilityFinding(db.writeConcern ?? {}, await ask('hello'), await ask('buildInfo'))],
    ],
    ['database', () => checkForm(models, db)],
    ['indexes', () => checkIndexes(models, db, settings)],
    ['data', () => checkData(models, settings, database)],
  ];
  const findings = namesDatabase(settings) ? [] : [warn(unnamedDatabase, nameIt)];
  for (const [subject, check] of checks) {
    try {
      findings.push(...(await check()));
    } catch (error) {
      findings.push(
        error instanceof RecordFormatError
          ? formatFinding(error)
          : about(subject).warn(
              `could not be checked: ${messageWithCauses(error)}`,
              'give the user of MONGODB_URI the role readWrite on its database',
            ),
      );
    }
  }
  return findings;
}

async function checkForm(models: Models, db: Db): Promise<Finding[]> {
  if ((await formOf(db)) !== 'unconverted') return [];
  return [
    warn(await plannedConversion(models), 'take a back-up and stop every process of 1.x before the start'),
  ];
}

function versionFinding({ version }: Record<string, unknown>, description: string): Finding {
  const isOld = Number(String(version).split('.')[0]) < oldestMongoDb;
  return isOld
    ? warn(
        `${description} has version ${String(version)}, which the gateway is not tested with`,
        `use MongoDB ${oldestMongoDb}.0 or newer`,
      )
    : ok(`${description} answers, version ${String(version)}`);
}

/** The update matches no record, but the server rejects it if the user has no right to write. */
async function checkRights(db: Db): Promise<Finding[]> {
  try {
    await db.collection('tasks').updateOne({ _id: new Types.ObjectId() }, { $set: { doctor: true } });
    return [ok('can be written')];
  } catch (error) {
    return [unwritableFinding(error)];
  }
}

/** DocumentDB and the built-in store write each change to disk before they acknowledge it, whatever the URI says. */
const isAlwaysJournaled = ({ gitVersion, storageEngines }: Document): boolean =>
  gitVersion === 'documentdb' || (Array.isArray(storageEngines) && storageEngines.includes('built-in'));

/** Whether an acknowledged change survives a crash, by the server's replies to `hello` and `buildInfo`. */
export function durabilityFinding(
  { w, journal }: Pick<WriteConcern, 'w' | 'journal'>,
  hello: Document,
  buildInfo: Document,
): Finding {
  const isStandalone = !hello.setName && hello.msg !== 'isdbgrid';
  if (!isStandalone && w === 1)
    return warn(
      'MONGODB_URI has w=1, so an acknowledged change can be lost when the primary crashes',
      'set w=majority in MONGODB_URI, or leave w out',
    );
  if (isStandalone && !journal && !isAlwaysJournaled(buildInfo))
    return warn(
      'a standalone server acknowledges changes before they reach the disk, and can lose them in a crash',
      'set journal=true in MONGODB_URI, or use a replica set',
    );
  return ok('acknowledged changes survive a crash');
}
