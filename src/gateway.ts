import { type FastifyInstance } from 'fastify';
import { type AddressInfo } from 'node:net';
import { type Logger } from 'pino';
import { callerKey, callerNames } from './tokens/caller-name.js';
import { createFailureLimiter } from './quotas/failure-limiter.js';
import { type Keys, loadKeys } from './tokens/keys.js';
import { Quotas } from './quotas/quotas.js';
import { registerApis } from './start/apis.js';
import { type ListBounds, listBounds } from './database/bounded-list.js';
import { databaseSkewMs } from './database/clock-skew.js';
import { type Database, databaseOf } from './database/connect.js';
import { formOf } from './database/record-format.js';
import { drain, shutdownTimes } from './http/draining.js';
import { ErrorResponder } from './http/error-responder.js';
import { registerHealthRoutes } from './http/health.routes.js';
import { resourceMetadataUrl } from './http/resource-metadata.routes.js';
import { createServer } from './http/server.js';
import { createLog } from './log/log.js';
import { measureRequest } from './metrics/measure.js';
import { watchClock } from './metrics/watch-clock.js';
import { modelsOf } from './models.js';
import { assertDiskSpace, openDatabase } from './start/open-database.js';
import { prepare } from './start/prepare.js';
import { createReporting, type Reporting } from './start/reporting.js';
import { createServices } from './services.js';
import { type Settings } from './settings/settings.js';
import { createTasks } from './start/tasks.js';
import { type Tracing } from './tracing/start-tracing.js';

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

/**
 * Opens the database, prepares it, and serves. While records of an older version are converted, `/health` is 200, and `/ready` and
 * operations are 503. Each part closes in a hook of Fastify. The part that was opened last closes first.
 */
export async function startGateway(
  settings: Settings,
  {
    clock = () => new Date(),
    log = createLog(settings),
    tracing,
    bounds = listBounds,
  }: Partial<Options> = {},
): Promise<Gateway> {
  await assertDiskSpace(settings);
  const keys = await loadKeys(settings, (what, err) => log.warn({ err }, what));
  const { database, startFault } = await openDatabase(settings, log, {
    monitorCommands: tracing !== undefined,
  });
  let close = () => database.close();
  try {
    const parts = { database, keys, clock, log, tracing, bounds };
    const reporting = createReporting(settings, database, parts);
    const quotas = new Quotas(
      { updateJob: settings.updateJobQuota, mutation: settings.mutationQuota, read: settings.readQuota },
      databaseOf(database.connection),
      (bucket) => reporting.metrics.quotaRefusals.inc({ bucket }),
    );
    const failures = createFailureLimiter(settings.authFailureQuota);
    const errorResponder = new ErrorResponder(
      quotas,
      failures,
      reporting.report,
      resourceMetadataUrl(settings.publicUrl),
    );
    const app = createServer(settings, {
      log,
      errorResponder,
      replies: reporting.metrics.inFlight.replies,
      measure: measureRequest(reporting.metrics),
      tracing: tracing?.requests,
      nameCaller: callerNames(await callerKey(databaseOf(database.tasks))),
    });
    app.addHook('onClose', () => database.close());
    close = () => app.close();
    const stop = await serve(app, settings, { ...parts, ...reporting, quotas, errorResponder });
    return { url: addressOf(app, settings), keys, database, log, stop };
  } catch (error) {
    await close();
    throw startFault(error);
  }
}

type Opened = Options &
  Reporting &
  Pick<Gateway, 'keys' | 'database'> & { quotas: Quotas; errorResponder: ErrorResponder };

/** @returns what stops the gateway */
async function serve(app: FastifyInstance, settings: Settings, opened: Opened): Promise<Gateway['stop']> {
  const { database, metrics, clock, log } = opened;
  const models = modelsOf(database.connection);
  const taskModels = modelsOf(database.tasks);
  let state: 'preparing' | 'serving' | 'stopping' = 'preparing';
  const isDatabaseAway = () => database.awayReason() !== null;
  const services = createServices({
    ...opened,
    settings,
    connection: database.connection,
    models,
    logoUrlOf: (hash) => `${settings.publicUrl ?? addressOf(app, settings)}/logos/${hash}`,
  });
  await registerApis(app, settings, { ...opened, services, isPrepared: () => state !== 'preparing' });
  const tasks =
    settings.archiver === 'on'
      ? createTasks(app, settings, { ...opened, ...services, models: taskModels, isDatabaseAway })
      : null;
  registerHealthRoutes(app, {
    registry: metrics.registry,
    checks: {
      accepting: () => state === 'serving',
      database: async () =>
        !isDatabaseAway() && (await databaseOf(database.connection).command({ ping: 1 })).ok === 1,
      ...(tasks && { archiver: tasks.isWell }),
    },
  });
  const endClockWatch = watchClock(() => databaseSkewMs(models.media, clock), metrics, log);
  app.addHook('onClose', async () => endClockWatch());
  const isConverted = (await formOf(databaseOf(database.tasks))) !== 'unconverted';
  const prepareAndServe = async () => {
    await prepare(database, taskModels, { ...opened, lifetimeMs: settings.jobLifetimeMs });
    state = 'serving';
  };
  // Indexes can take minutes to build. Proxies try another process as long as this process refuses connections.
  if (isConverted) await prepareAndServe();
  await app.listen({ host: settings.host, port: settings.port });
  // No other process runs: answer probes meanwhile, so that no orchestrator kills this process.
  if (!isConverted) await prepareAndServe();
  await tasks?.start();
  return async (times = shutdownTimes) => {
    state = 'stopping';
    void tasks?.stop(times);
    const cutOff = await drain(app, metrics.inFlight.replies, times);
    if (cutOff > 0) log.warn({ cutOff }, 'requests were cut off');
  };
}

/** Call this only once the server listens. */
function addressOf(app: FastifyInstance, { host }: Settings): string {
  const { port } = app.server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
