import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MongoClient } from 'mongodb';
import { type Connection, type ConnectOptions as MongooseOptions, createConnection, mongo } from 'mongoose';
import { type Settings } from '../settings/settings.js';
import { isDatabaseAway } from './database-errors.js';
import { type AwayReason, heartbeatTimeoutMs, watchAvailability } from './watch-client.js';
import { type EmbeddedStoreOptions } from './embedded/server.js';
import { startEmbeddedStoreInThread } from './embedded/thread.js';
import './driver-connection.js';

export interface Database {
  /** For requests. Every wait has a limit. */
  connection: Connection;
  /** For tasks, commands and index builds, with its own pool. An operation may run for an hour while heartbeats are answered within 5 s. */
  tasks: Connection;
  /** For the start log, without secrets. */
  description: string;
  /** Whether other processes can use the same database. If so, what the processes must agree on has to be stored in it. */
  isShared: boolean;
  /** Noticing an outage takes up to 1.2 s. */
  awayReason: () => AwayReason;
  /** Resolves if the built-in store stops on its own. It then answers nothing until the process restarts. */
  failure: Promise<Error>;
  close(): Promise<void>;
}

type Waits = Required<Pick<MongooseOptions, 'serverSelectionTimeoutMS' | 'waitQueueTimeoutMS'>>;

interface ConnectOptions extends Pick<EmbeddedStoreOptions, 'hasCompleteIndexes'> {
  /** Whether the clients emit an event for each command; default false. */
  monitorCommands?: boolean;
  /** Called with the reason when the database goes away, and with null when it is back. */
  onAvailability?: (reason: AwayReason) => void;
}

export type ConnectSettings = Pick<
  Settings,
  'mongodbUri' | 'dataDir' | 'databaseTimeoutMs' | 'databasePoolSize'
>;

/** In ms: the shortest interval that the driver allows. */
const heartbeatMs = 500;
/**
 * How long an operation waits for the database to come back, in ms. A request waits for at most one heartbeat interval and one heartbeat
 * timeout, until its operation fails, and then for this time in its only retry: under 2 s by default.
 */
const returnMs = 600;
/** How long a start or a task waits for a connection, in ms: connecting to a remote database takes several round trips. */
const patientMs = 5_000;
/** How long tasks wait for an answer, in ms. If an index takes longer, the database keeps building it, and the next start waits. */
const longestCommandMs = 3_600_000;
const closeMs = 2_000;
/** Tasks run one at a time, but several indexes are built at once. */
const taskPoolSize = 5;

/** The database cannot be opened or reached; `cause` says why. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';

  get isFolderInUse(): boolean {
    return this.cause instanceof Error && this.cause.name === 'FolderInUseError';
  }
}

/** MONGODB_URI is unusable; no server was contacted. */
export class MongodbUriError extends Error {
  override readonly name = 'MongodbUriError';

  constructor(
    message: string,
    readonly fix: string,
  ) {
    super(message);
  }
}

/** Whether MONGODB_URI, if set, names a database. If not, the driver uses `test`. */
export const namesDatabase = ({ mongodbUri }: Pick<Settings, 'mongodbUri'>): boolean =>
  mongodbUri === undefined || /^[^:]+:\/\/[^/?]*\/[^?]/.test(mongodbUri);

/** Without `authSource`, the server looks for the user in the database that the URI names. */
export const unnamedDatabase =
  'MONGODB_URI names no database, so the gateway uses the database test: write its name after the host, as in mongodb://HOST/gateway; with a user, add authSource=admin if there is no authSource';

/** False if the settings name a built-in store that has not been made yet. */
export const hasStore = ({ mongodbUri, dataDir }: Pick<Settings, 'mongodbUri' | 'dataDir'>): boolean =>
  mongodbUri !== undefined || existsSync(join(dataDir, 'data.mdb'));

/** The name of the database for people, without secrets. Contacts no server. @throws MongodbUriError */
export function describeDatabase({ mongodbUri, dataDir }: Pick<Settings, 'mongodbUri' | 'dataDir'>): string {
  if (mongodbUri === undefined) return `the built-in store in ${resolve(dataDir)}`;
  const { hosts, srvHost, dbName } = readUri(mongodbUri);
  return `MongoDB at ${srvHost || hosts.map(String).join(', ')}, database ${dbName}`;
}

/** Connects to MONGODB_URI or, if unset, to the built-in store in DATA_DIR. @throws ConnectError */
export async function connect(settings: ConnectSettings, options: ConnectOptions = {}): Promise<Database> {
  try {
    return await openDatabase(settings, options);
  } catch (cause) {
    throw new ConnectError((cause as Error).message, { cause });
  }
}

/** @throws ConnectError, or what the work throws */
export async function withDatabase<T>(
  settings: ConnectSettings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await connect(settings);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export const databaseOf = (connection: Connection): mongo.Db => connection.getClient().db(connection.name);

async function openDatabase(settings: ConnectSettings, options: ConnectOptions): Promise<Database> {
  const { mongodbUri, dataDir } = settings;
  const { hasCompleteIndexes = false } = options;
  if (mongodbUri) {
    if (readUri(mongodbUri).writeConcern?.w === 0)
      throw new MongodbUriError(
        'MONGODB_URI has w=0, so a lost write would count as successful',
        'remove w=0 from MONGODB_URI',
      );
    const connections = await open(settings, options, mongodbUri);
    return {
      ...connections,
      description: describeDatabase(settings),
      isShared: true,
      failure: new Promise(() => undefined),
    };
  }
  const store = await startEmbeddedStoreInThread({ folder: dataDir, hasCompleteIndexes });
  const connections = await open(settings, options, store.uri, 'gateway').catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    ...connections,
    description: describeDatabase(settings),
    isShared: false,
    failure: store.failure,
    close: async () => {
      await connections.close();
      await store.close();
    },
  };
}

/** Parses the URI by creating a client that never connects. @throws MongodbUriError */
function readUri(uri: string): MongoClient['options'] {
  try {
    return new mongo.MongoClient(uri).options;
  } catch (error) {
    // The driver's message quotes text that can be part of a password, so report the fault of the masked URI instead.
    const masked = uri.replace(mayBeSecret, (found) => found.replace(/\[[^\]]*\]|[^,:@]+/g, '1'));
    if (masked !== uri) readUri(masked);
    const fault = masked === uri ? (error as Error).message : 'URI malformed';
    throw new MongodbUriError(
      `MONGODB_URI cannot be read: ${fault}`,
      'fix it; write %25 for a % in a name or a password',
    );
  }
}

/**
 * Matches the part between the scheme and the database name. If a colon in this part is followed by anything but a port, a password with
 * `/` or `?` may begin there, so the match goes on to the end. Also matches everything after `password=` or `token:`.
 */
const mayBeSecret =
  /(?<=:\/\/)(?:.*@|[^/?]*(?<!\[[^\]]*):(?!\d+(?:[,/?]|$)).*)?[^/?]*|(?<=(?:password=|token(?::|%3a))).*/gis;

async function open(
  { databaseTimeoutMs, databasePoolSize }: ConnectSettings,
  { monitorCommands = false, onAvailability = () => undefined }: ConnectOptions,
  uri: string,
  dbName?: string,
): Promise<Pick<Database, 'connection' | 'tasks' | 'awayReason' | 'close'>> {
  const shared = {
    ...(dbName && { dbName }),
    serverSelectionTimeoutMS: patientMs,
    waitQueueTimeoutMS: patientMs,
    heartbeatFrequencyMS: heartbeatMs,
    // A secondary can lag behind, so a retried call might not see its first attempt, and would run twice.
    readPreference: 'primary' as const,
    monitorCommands,
  };
  const opening = [
    openPatiently(uri, {
      ...shared,
      connectTimeoutMS: heartbeatTimeoutMs(databaseTimeoutMs),
      maxPoolSize: databasePoolSize,
      socketTimeoutMS: databaseTimeoutMs,
    }),
    openPatiently(uri, {
      ...shared,
      connectTimeoutMS: patientMs,
      maxPoolSize: taskPoolSize,
      socketTimeoutMS: longestCommandMs,
    }),
  ] as const;
  try {
    const [connection, tasks] = await Promise.all(opening);
    setWaits(connection, { serverSelectionTimeoutMS: returnMs, waitQueueTimeoutMS: databaseTimeoutMs });
    setWaits(tasks, { serverSelectionTimeoutMS: returnMs });
    return {
      connection,
      tasks,
      awayReason: watchAvailability(connection.getClient(), databaseTimeoutMs, onAvailability),
      close: () => closeInTime(connection, tasks),
    };
  } catch (error) {
    for (const opened of await Promise.allSettled(opening))
      if (opened.status === 'fulfilled') await closeInTime(opened.value);
    throw error;
  }
}

/** Closes within `closeMs`: the driver sends `endSessions` even on a dead socket, and waits for the reply with no timeout. */
async function closeInTime(...connections: Connection[]): Promise<void> {
  const closed = new AbortController();
  await Promise.race([
    Promise.all(connections.map((connection) => connection.destroy())).finally(() => closed.abort()),
    sleep(closeMs, undefined, { signal: closed.signal }).catch(() => undefined),
  ]);
}

/** Retries for `patientMs` if the connection breaks or times out. */
async function openPatiently(uri: string, options: MongooseOptions): Promise<Connection> {
  const startedAtMs = performance.now();
  for (;;) {
    const connection = createConnection(uri, options);
    try {
      return await connection.asPromise();
    } catch (error) {
      await closeInTime(connection);
      if (!isDatabaseAway(error) || performance.now() - startedAtMs >= patientMs) throw error;
    }
  }
}

/** Sets how long a connected client waits. The driver reads these options, from the client or the topology, for every operation. */
function setWaits(connection: Connection, waits: Partial<Waits>): void {
  const client: MongoClient = connection.getClient();
  const { s, topology } = client as unknown as { s: { options: Waits }; topology?: { s: Waits } };
  for (const taken of [s.options, topology?.s]) if (taken) Object.assign(taken, waits);
}
