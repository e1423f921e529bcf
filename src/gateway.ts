import { type FastifyInstance } from 'fastify';
import { type AddressInfo } from 'node:net';
import { type Logger } from 'pino';
import { createFailureLimiter } from './access/failure-limiter.js';
import { type Keys, loadKeys } from './access/keys.js';
import { Admission } from './access/admission.js';
import { callerKey, callerNames } from './access/caller-name.js';
import { buildQuotaIndexes } from './access/quota-indexes.js';
import { Quotas } from './access/quotas.js';
import { watchRevocations } from './access/revocations.js';
import { createTokenVerifier } from './access/token-verifier.js';
import { archiveExpiredJobsTask } from './archiver/archive-expired-jobs.task.js';
import { Archiver } from './archiver/archiver.js';
import {
  completeReachTask,
  rebuildQuotaIndexesTask,
  removeOldCallsTask,
  removeOldHistoryTasks,
  removeOrphanLogosTask,
  repairJobNamesTask,
  completeImportTask,
} from './archiver/upkeep.tasks.js';
import { registerLogoRoutes } from './company/logo/logo.routes.js';
import { outageReason, watchPool } from './database/watch-client.js';
import { type ListBounds, listBounds } from './database/bounded-list.js';
import { databaseSkewMs } from './database/clock-skew.js';
import {
  connect,
  ConnectError,
  type Database,
  databaseOf,
  namesDatabase,
  unnamedDatabase,
} from './database/connect.js';
import { isDatabaseAway } from './database/mask-error.js';
import { isEmpty, seedDemoData } from './demo/seed.js';
import { isDiskFull } from './folder/disk-space.js';
import { startApollo } from './graphql/apollo.js';
import { registerGraphQLRoutes } from './graphql/graphql.routes.js';
import { replySettler } from './graphql/settle-reply.js';
import { readTrustedDocuments } from './graphql/trusted/trusted-documents.js';
import { createGuardedSchema } from './guarded-schema.js';
import { drain, shutdownTimes } from './http/draining.js';
import { Exit } from './http/exit.js';
import { registerOperationRoutes } from './http/operation.routes.js';
import { registerResourceMetadataRoute, resourceMetadataUrl } from './http/resource-metadata.routes.js';
import { authentication, createServer } from './http/server.js';
import { jobEnds } from './job/job-end.rules.js';
import { damagedRecordsLog } from './log/damaged-records.js';
import { createLog, type Report, reportTo } from './log/log.js';
import { measureRequest, measureTask } from './metrics/measure.js';
import { createMetrics } from './metrics/metrics.js';
import { watchClock } from './metrics/watch-clock.js';
import { watchDescriptors } from './metrics/watch-descriptors.js';
import { modelsOf, needsServer, prepareDatabase, serverMessage } from './models.js';
import { registerPageRoutes } from './pages/pages.routes.js';
import { registerOpenApiRoutes } from './rest/openapi.js';
import { registerRestRoutes } from './rest/rest.routes.js';
import { createServices } from './services.js';
import { type Settings } from './settings/settings.js';
import { type Tracing } from './tracing/start-tracing.js';
import { convertRecords } from './upgrade/convert-records.js';

export interface Gateway {
  /** With the actual port, even if PORT is 0. */
  url: string;
  keys: Keys;
  database: Database;
  log: Logger;
  /** Fails readiness checks at once, lets requests and tasks finish, then closes the database. @param times default `shutdownTimes` */
  stop(times?: typeof shutdownTimes): Promise<void>;
}

interface Options {
  clock: () => Date;
  log: Logger;
  tracing: Tracing | undefined;
  bounds: ListBounds;
}

export async function startGateway(
  settings: Settings,
  {
    clock = () => new Date(),
    log = createLog(settings),
    tracing,
    bounds = listBounds,
  }: Partial<Options> = {},
): Promise<Gateway> {
  // On a full disk the store opens, but dies of a signal at one of its first writes.
  if (settings.mongodbUri === undefined && (await isDiskFull(settings.dataDir)))
    throw diskFailed('less than 1 MiB is free on its disk');
  const keys = await loadKeys(settings, (what, err) => log.warn({ err }, what));
  if (!namesDatabase(settings)) log.warn(unnamedDatabase);
  const database = await connect(settings, {
    monitorCommands: tracing !== undefined,
    hasCompleteIndexes: true,
    onAvailability: (reason) =>
      reason === null
        ? log.warn('the database is back')
        : log.warn({ reason }, 'the database is unavailable: calls are refused until it is back'),
  });
  let failure: Error | undefined;
  void database.failure.then((error) => (failure = error));
  try {
    return await assemble(settings, keys, database, { clock, log, tracing, bounds });
  } catch (error) {
    await database.close();
    // If the store has stopped itself, the driver reports only a refused connection.
    throw failure === undefined ? error : diskFailed('the built-in store could not write', failure);
  }
}

/** Lists skip damaged records as tasks do, under this name. */
const lists = 'lists';

const diskFailed = (why: string, cause?: Error): ConnectError =>
  new ConnectError(why, { cause: new Error(why, { cause }) });

async function assemble(
  settings: Settings,
  keys: Keys,
  database: Database,
  { clock, log, tracing, bounds }: Options,
): Promise<Gateway> {
  const { connection } = database;
  const db = databaseOf(connection);
  const tasksDb = databaseOf(database.tasks);
  const models = modelsOf(connection);
  const taskModels = modelsOf(database.tasks);
  const metrics = createMetrics();
  const logRefusal = reportTo(log, (cause) => outageReason(cause, settings.databaseTimeoutMs));
  const report: Report = (errors, call) => {
    for (const { code } of errors) metrics.errors.inc({ code });
    logRefusal(errors, call);
  };
  for (const { issuer, staleSeconds } of keys.providers) metrics.staleKeys.set(issuer, staleSeconds);
  const clients = { requests: connection.getClient(), tasks: database.tasks.getClient() };
  for (const each of [connection, database.tasks])
    each.on('missingIndex', (index) =>
      log.warn({ index }, 'an index is missing: queries are slow without it, and the next start builds it'),
    );
  for (const [pool, client] of Object.entries(clients)) {
    metrics.pools.set(pool, watchPool(client));
    tracing?.traceCommands(client);
  }

  const quotas = new Quotas(
    { updateJob: settings.updateJobQuota, mutation: settings.mutationQuota, read: settings.readQuota },
    db,
    (bucket) => metrics.quotaRefusals.inc({ bucket }),
  );
  const failures = createFailureLimiter(settings.authFailureQuota);
  const exit = new Exit(quotas, failures, report, resourceMetadataUrl(settings.publicUrl));
  // Building an index can take minutes. Without this message, somebody might kill the process.
  const notice = setTimeout(
    () => log.info('preparing the database: building missing indexes can take a while'),
    2_000,
  );
  const onMissing = (indexes: string[]) =>
    log.warn({ indexes }, 'these indexes are missing: the database builds them now');
  await convertRecords(taskModels, {
    log,
    clock,
    lifetimeMs: settings.jobLifetimeMs,
    isShared: database.isShared,
  });
  const companies = await prepareDatabase(taskModels, onMissing).finally(() => clearTimeout(notice));
  const onQuotasRebuilt = (removed: number) => {
    metrics.quotaIndexesLost.inc();
    log.warn({ removed }, 'the indexes of the quotas were lost: removed duplicates and built them again');
  };
  // On the connection for requests, so that the call times out if the database stops answering.
  const removed = await buildQuotaIndexes(db);
  if (removed > 0) onQuotasRebuilt(removed);
  if (companies.length > 0)
    log.warn(
      { companies },
      'these companies share their name with another company and cannot be found by name: rename them',
    );
  const ends = jobEnds(settings.jobLifetimeMs);
  if (!database.isShared) {
    if (await isEmpty(models)) await seedDemoData(models, clock(), ends);
    if (await needsServer(models)) log.warn(serverMessage);
  }

  const onShed = (reason: string) => metrics.loadShed.inc({ reason });
  const { replies } = metrics.inFlight;
  const app = createServer(settings, {
    log,
    exit,
    replies,
    measure: measureRequest(metrics),
    tracing: tracing?.requests,
    nameCaller: callerNames(await callerKey(tasksDb)),
  });
  const logDamaged = damagedRecordsLog(log);
  metrics.taskSkips.inc({ task: lists }, 0);
  const logoUrlOf = (hash: string) => `${settings.publicUrl ?? addressOf(app, settings)}/logos/${hash}`;
  const services = createServices({
    settings,
    connection,
    models,
    clock,
    logoUrlOf,
    onLogoShed: () => onShed('logos'),
    onDamaged: (...record) => {
      metrics.taskSkips.inc({ task: lists });
      logDamaged(lists, ...record);
    },
    bounds,
  });
  const schema = createGuardedSchema(services, {
    quotas,
    admission: new Admission(database.awayReason, settings.maxInFlight, onShed),
    metrics,
    tracing,
  });
  const trusted = await readTrustedDocuments(settings, schema);

  const revocations = await watchRevocations(tasksDb, (err) => {
    // The log says once that the database is away.
    if (!isDatabaseAway(err))
      log.warn({ err }, 'the revocations cannot be read: the last list stays in force');
  });
  const verify = createTokenVerifier({ keys, clock, isRevoked: revocations.isRevoked });
  const settle = replySettler(exit, { hasHints: settings.environment !== 'production', schema });
  // A document's complexity depends on their number.
  await services.references.read();
  await services.jobReach.checkComplete();
  const apollo = await startApollo(schema, settings, {
    log,
    settle,
    trusted,
    countReferences: services.references.count,
  });
  let isStopping = false;
  // After three periods without a run, another process has the task, and the gauge would be stale.
  const keepArchiverLag = () =>
    (metrics.archiverLag.untilMs = performance.now() + 3 * settings.archiveEveryMs);
  const archiver =
    settings.archiver === 'on'
      ? new Archiver({
          database: tasksDb,
          isDatabaseAway: () => database.awayReason() !== null,
          log,
          tasks: [
            archiveExpiredJobsTask({
              jobs: taskModels.jobs,
              clock,
              ends,
              everyMs: settings.archiveEveryMs,
              onLag: (lagMs) => {
                metrics.archiverLag.seconds = lagMs / 1_000;
                keepArchiverLag();
              },
              onBatch: (count) => {
                metrics.archiverBatchJobs.observe(count);
                keepArchiverLag();
              },
              onRun: (seconds) => metrics.archiverRunSeconds.observe(seconds),
            }),
            removeOrphanLogosTask(services.logoStore, taskModels.companies),
            rebuildQuotaIndexesTask(tasksDb, onQuotasRebuilt),
            completeImportTask(taskModels, clock),
            repairJobNamesTask(taskModels),
            completeReachTask(taskModels),
            removeOldCallsTask(taskModels, clock),
            ...removeOldHistoryTasks(taskModels, clock, settings.historyLifetimeMs),
          ].map((task) => measureTask(tracing?.traceTask(task) ?? task, metrics)),
        })
      : null;
  registerOperationRoutes(app, {
    registry: metrics.registry,
    isReady: async () => ({
      accepting: !isStopping,
      database: database.awayReason() === null && (await answersWell(db.command({ ping: 1 }))),
      ...(archiver && { archiver: await answersWell(archiver.isWell()) }),
    }),
  });
  registerResourceMetadataRoute(app, settings.publicUrl, keys.providers);
  registerLogoRoutes(app, services.logoStore);
  registerOpenApiRoutes(app, schema, settings.publicUrl);
  const landingPage = await registerPageRoutes(app, settings, { keys, clock, log });
  await registerGraphQLRoutes(app, {
    apollo,
    trusted,
    landingPage,
    authenticate: authentication(verify, { isTokenRequired: false }),
    exit,
    settings,
  });
  await registerRestRoutes(app, {
    schema,
    countReferences: services.references.count,
    authenticate: authentication(verify, { isTokenRequired: true }),
    intake: services.intake,
    exit,
    settings,
  });

  await archiver?.start();
  try {
    await app.listen({ host: settings.host, port: settings.port });
  } catch (error) {
    // Tasks that outlive the database fill the log with errors.
    await archiver?.stop(shutdownTimes.timeoutMs);
    revocations.stop();
    throw error;
  }
  const endClockWatch = watchClock(() => databaseSkewMs(models.media, clock), metrics, log);
  const endDescriptorWatch = watchDescriptors(log);
  return {
    url: addressOf(app, settings),
    keys,
    database,
    log,
    stop: async (times = shutdownTimes) => {
      isStopping = true;
      endClockWatch();
      endDescriptorWatch();
      revocations.stop();
      const [cutOff] = await Promise.all([drain(app, replies, times), archiver?.stop(times.timeoutMs)]);
      if (cutOff > 0) log.warn({ cutOff }, 'requests were cut off');
      await apollo.stop();
      await database.close();
    },
  };
}

const answersWell = (check: Promise<unknown>): Promise<boolean> => check.then(Boolean, () => false);

/** Call this only once the server listens. */
function addressOf(app: FastifyInstance, { host }: Settings): string {
  const { port } = app.server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
