import { type FastifyInstance } from 'fastify';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from 'pino';
import { callerKey, callerNames } from './tokens/caller-name.js';
import { createFailureLimiter } from './quotas/failure-limiter.js';
import { type Keys, loadKeys } from './tokens/keys.js';
import { Quotas } from './quotas/quotas.js';
import { registerApis } from './start/apis.js';
import { type ListBounds, listBounds } from './database/list.js';
import { databaseSkewMs } from './database/clock-skew.js';
import { type Database, databaseOf } from './database/connect.js';
import { unavailable } from './errors/domain-error.js';
import { drain, shutdownTimes } from './http/draining.js';
import { ErrorResponder } from './http/error-responder.js';
import { probes, registerHealthRoutes } from './http/health.routes.js';
import { resourceMetadataUrl } from './http/resource-metadata.routes.js';
import { createServer } from './http/server.js';
import { createLog } from './log/log.js';
import { measureRequest } from './metrics/measure.js';
import { watchClock } from './metrics/watch-clock.js';
import { modelsOf } from './models.js';
import { openDatabase } from './start/open-database.js';
import { prepare } from './start/prepare.js';
import { createReporting, type Reporting } from './start/reporting.js';
import { createServices } from './start/services.js';
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

/** In ms. */
const shortStartMs = 2_000;

/**
 * Opens the database, prepares it, and serves. If preparing takes longer than 2 s, for example to build indexes, the process listens
 * meanwhile: `/health` is 200, `/ready` and calls are 503. Each part closes in a hook of Fastify. The part that was opened last closes first.
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
    const errorResponder = new ErrorResponder(quotas, failures, reporting.report, {
      resourceMetadata: resourceMetadataUrl(settings.publicUrl),
      ...(settings.environment === 'development' && { help: () => `${publicUrlOf(app, settings)}/errors` }),
    });
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
  const { database, keys, metrics, clock, log } = opened;
  const models = modelsOf(database.connection);
  const taskModels = modelsOf(database.tasks);
  let state: 'preparing' | 'serving' | 'stopping' = 'preparing';
  const isDatabaseAway = () => database.awayReason() !== null;
  const services = createServices({
    ...opened,
    settings,
    connection: database.connection,
    models,
    logoUrlOf: (hash) => `${publicUrlOf(app, settings)}/logos/${hash}`,
  });
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
      keys: async () => (await Promise.all(keys.providers.map(({ isWell }) => isWell()))).some(Boolean),
      ...(tasks && { archiver: tasks.isWell }),
    },
  });
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (state === 'preparing' && !probes.has(routeOptions.url))
      throw unavailable(new Error('the database is being prepared'));
  });
  await registerApis(app, settings, { ...opened, services });
  const endClockWatch = watchClock(() => databaseSkewMs(models.media, clock), metrics, log);
  app.addHook('onClose', async () => endClockWatch());
  const prepared = prepare(database, taskModels, { ...opened, lifetimeMs: settings.jobLifetimeMs });
  // Proxies pass over a process that doesn't listen yet, but orchestrators kill one that doesn't for minutes.
  await Promise.race([prepared, sleep(shortStartMs)]);
  await Promise.all([prepared, app.listen({ host: settings.host, port: settings.port })]);
  state = 'serving';
  await tasks?.start();
  return async (times = shutdownTimes) => {
    state = 'stopping';
    void tasks?.stop(times);
    const cutOff = await drain(app, metrics.inFlight.replies, times);
    if (cutOff > 0) log.warn({ cutOff }, 'requests were cut off');
  };
}

/** Where callers reach the gateway. Call this only once the server listens. */
const publicUrlOf = (app: FastifyInstance, settings: Settings): string =>
  settings.publicUrl ?? addressOf(app, settings);

/** Call this only once the server listens. */
function addressOf(app: FastifyInstance, { host }: Settings): string {
  const { port } = app.server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
