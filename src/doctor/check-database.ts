import { type Document, type WriteConcern } from 'mongodb';
import { databaseSkewMs, tolerableSkewMs } from '../database/clock-skew.js';
import { ConnectError, type Database, databaseOf, hasStore, withDatabase } from '../database/connect.js';
import { formOf } from '../database/record-format.js';
import { demoData } from '../demo/demo-data.js';
import { isEmpty } from '../demo/seed.js';
import { type Models, modelsOf } from '../models.js';
import { type Settings } from '../settings/settings.js';
import { about, type Finding } from './finding.js';
import { oldestMongoDb } from './start-fault.js';

const { ok, warn } = about('database');

/** @throws ConnectError, RecordFormatError */
export async function checkDatabase(settings: Settings, now: () => Date): Promise<Finding[]> {
  const { mongodbUri, dataDir } = settings;
  // Opening the store would create it.
  if (mongodbUri === undefined && !hasStore(settings))
    return [ok(`the built-in store will be made on the first start, in ${dataDir}, with demo data`)];
  try {
    return await withDatabase(settings, (database) => checkOpened(database, settings, now));
  } catch (error) {
    if (!(error instanceof ConnectError && error.isFolderInUse)) throw error;
    return [ok(`the built-in store in ${dataDir} is in use by a running process, so it is not checked`)];
  }
}

async function checkOpened(
  { tasks, description }: Database,
  settings: Settings,
  now: () => Date,
): Promise<Finding[]> {
  const db = databaseOf(tasks);
  const [hello, buildInfo] = [await db.command({ hello: 1 }), await db.command({ buildInfo: 1 })];
  return [
    versionFinding(buildInfo, description),
    durabilityFinding(db.writeConcern ?? {}, hello, buildInfo),
    ...((await formOf(db)) === 'former' ? [formerFinding] : []),
    ...(await clockFindings(modelsOf(tasks), now)),
    ...(await dataFindings(modelsOf(tasks), settings)),
  ];
}

async function clockFindings({ media }: Models, now: () => Date): Promise<Finding[]> {
  const clock = about('clock');
  const skewMs = await databaseSkewMs(media, now);
  if (skewMs === null) return [];
  const isOff = Math.abs(skewMs) > tolerableSkewMs;
  if (!isOff) return [clock.ok('this machine and the database tell the same time')];
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  return [
    clock.warn(
      `the clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database’s: tokens, ends of jobs and idempotency keys end at the wrong time`,
      'let NTP set both clocks',
    ),
  ];
}

const formerFinding = warn(
  'the next start takes over the records of 2.0.0, which then refuses to start',
  'take a back-up, and stop every process of 2.0.0 before the start',
);

function versionFinding({ version }: Document, description: string): Finding {
  const isOld = Number(String(version).split('.')[0]) < oldestMongoDb;
  return isOld
    ? warn(
        `${description} has version ${String(version)}, which the gateway is not tested with`,
        `use MongoDB ${oldestMongoDb}.0 or newer`,
      )
    : ok(`${description} answers, version ${String(version)}`);
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

async function dataFindings(models: Models, settings: Settings): Promise<Finding[]> {
  const data = about('data');
  if (await isEmpty(models))
    return [
      data.warn(
        'the database holds no media, so callers reach nothing',
        'import media with npm run import -- FILE; to try the gateway, npm run seed adds demo data',
      ),
    ];
  const demoIds = demoData(new Date()).media.map(({ _id }) => _id);
  const demo = await models.media.find({ _id: { $in: demoIds } }, { publicId: 1 }).lean();
  const findings: Finding[] = [];
  if (settings.environment === 'production' && demo.length > 0)
    findings.push(
      data.warn(
        `the demo data is in production: ${demo.map(({ publicId }) => publicId).join(', ')}`,
        'npm run seed -- --remove --yes',
      ),
    );
  if (await models.media.exists({ _id: { $nin: demoIds } })) findings.push(...developmentFindings(settings));
  return findings.length > 0 ? findings : [data.ok('the database holds media')];
}

/** For a database with more than demo data. */
function developmentFindings({ environment, jwtProviders, jwksUrl, keyFile }: Settings): Finding[] {
  const findings: Finding[] = [];
  if (environment !== 'production')
    findings.push(
      about('data').warn(
        `the database holds more than demo data, but NODE_ENV is ${environment}: what production refuses is allowed, such as the development key`,
        'set NODE_ENV=production',
      ),
    );
  if ((jwtProviders ?? jwksUrl ?? keyFile) === undefined)
    findings.push(
      about('keys').warn(
        'the database holds more than demo data, but tokens are verified with the development key: whoever reads DATA_DIR can make a token for any caller',
        'set JWT_PROVIDERS, JWT_JWKS_URL or JWT_KEY_FILE',
      ),
    );
  return findings;
}
