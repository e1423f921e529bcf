import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from 'pino';
import { shutdownTimes } from '../../src/http/draining.js';
import { createLog } from '../../src/log/log.js';
import { type ListBounds, listBounds } from '../../src/database/list.js';
import { prepareDatabase, type Models, modelsOf } from '../../src/models.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { parseSettings, type Settings } from '../../src/settings/settings.js';
import { type Tracing } from '../../src/tracing/start-tracing.js';
import { openTestDatabase, type TestDatabase } from './database.js';
import { jobLifetimeMs, resetRecords } from './reset-records.js';
import { type TokenFactory, tokenFactory } from './tokens.js';

/** The gateway of one test file: real HTTP, real tokens, and its own database. */
export interface TestGateway {
  url: string;
  gateway: Gateway;
  settings: Settings;
  models: Models;
  token: TokenFactory;
  /** Restores every record to the demo data, and clears history and quotas. */
  reset(): Promise<void>;
  /** Gives the database the records of a new one, with their stamps, and forgets what a file left. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

/** No test reaches these quotas unless it sets its own. */
const liftedQuotas = {
  UPDATE_JOB_QUOTA: '1000000/1s',
  MUTATION_QUOTA: '1000000/1s',
  READ_QUOTA: '1000000/1s',
  AUTH_FAILURE_QUOTA: '1000000/1s',
};

/**
 * No test reaches these timeouts, even on a busy machine. A test with its own database keeps the default database timeout, because the
 * test may be about timeouts.
 */
const patientRequests = { REQUEST_TIMEOUT: '5m' };
const patientDatabase = { DATABASE_TIMEOUT: '1m' };
const patientLists = { ...listBounds, queryMs: 60_000 };

/** Collections that a gateway fills at its start, and needs later. */
const keptCollections = new Set(['formats', 'secrets', 'epochs', 'tasks']);

/** How far the demo data's dates may be behind. */
const staleMs = 10_000;

/** One for all gateways of a process: each log looks every 50 ms for lines to write, and nothing ends it. */
export const silentLog = createLog({ logLevel: 'silent', environment: 'test' });

/** Starts a gateway on a new database with the demo data. */
export async function startTestGateway(
  environment: Record<string, string> = {},
  options: {
    clock?: () => Date;
    log?: Logger;
    tracing?: Tracing;
    database?: TestDatabase;
    bounds?: ListBounds;
  } = {},
): Promise<TestGateway> {
  const database = options.database ?? (await openTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-'));
  const settings = parseSettings({
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ARCHIVE_EVERY: '1h',
    DATA_DIR: dataDir,
    MONGODB_URI: database.uri,
    ...liftedQuotas,
    ...patientRequests,
    ...(!options.database && patientDatabase),
    ...environment,
  });
  const models = modelsOf(database.connection);
  await prepareDatabase(models);
  const now = options.clock ?? (() => new Date());
  /** The collections that were written to since the start, or since they were emptied. */
  const touched = new Set<string>();
  const takeWritten = () => {
    const written = options.database ? undefined : database.takeWritten();
    for (const name of written ?? []) touched.add(name);
    return written;
  };
  let resetAtMs = NaN;
  const reset = async (at: Date) => {
    const written = takeWritten();
    // The demo data have dates that depend on the clock.
    const isOnlyWritten = Math.abs(at.getTime() - resetAtMs) < staleMs;
    if (!isOnlyWritten) resetAtMs = at.getTime();
    await resetRecords(models, new Date(resetAtMs), isOnlyWritten ? written : undefined);
  };
  await seedDemoData(models, now(), jobLifetimeMs);
  const gateway = await startGateway(settings, {
    log: silentLog,
    bounds: patientLists,
    ...options,
  });
  takeWritten();
  touched.clear();
  return {
    url: gateway.url,
    gateway,
    settings,
    models,
    token: await tokenFactory(settings),
    reset: () => reset(now()),
    empty: async () => {
      takeWritten();
      const left = [...touched].filter((name) => !keptCollections.has(name));
      await Promise.all(left.map((name) => models.media.db.collection(name).deleteMany({})));
      await seedDemoData(models, now(), jobLifetimeMs);
      resetAtMs = NaN;
      // The gateway keeps media and references for a second.
      if (touched.has('media') || touched.has('references')) await sleep(1_100);
      takeWritten();
      touched.clear();
    },
    stop: async () => {
      await gateway.stop({ ...shutdownTimes, delayMs: 1, idleMs: 150 });
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
