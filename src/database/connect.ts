import { setTimeout as sleep } from 'node:timers/promises';
import { type MongoClient } from 'mongodb';
import { type Connection, type ConnectOptions as MongooseOptions, createConnection, mongo } from 'mongoose';
import { type Settings } from '../settings.js';
import { isDatabaseAway } from '../errors/mask-error.js';
import { type AwayReason, heartbeatTimeoutMs, watchAvailability } from './availability.js';
import { startEmbeddedStoreInThread } from './embedded/thread.js';

/** An open database. */
export interface Database {
  /** For requests. Every wait is bounded, so that a caller hears 503 in time. */
  connection: Connection;
  /**
   * For indexes, tasks and commands. It has connections of its own, so a batch takes none from requests; and a batch
   * may last for an hour while the database answers each heartbeat within 5 s.
   */
  tasks: Connection;
  /** Which store it is, for the start log; no secret. */
  description: string;
  /** Whether other processes use it too. Then whatever they must agree on has to lie in it. */
  isShared: boolean;
  /** Why it is known to be away, null while it is not. To find out takes up to 1.2 s. */
  awayReason: () => AwayReason;
  /** Resolves when the built-in store had to stop. It answers nothing more until the process is started again. */
  failure: Promise<Error>;
  close(): Promise<void>;
}

type Waits = Required<Pick<MongooseOptions, 'serverSelectionTimeoutMS' | 'waitQueueTimeoutMS'>>;

interface ConnectOptions {
  /** Whether the clients emit an event for each command, which costs time; default false. */
  monitorCommands?: boolean;
  /** Called when the database goes away, with the reason, and with null when it is back. */
  onAvailability?: (reason: AwayReason) => void;
}

/** What of the settings a connection needs. */
export type ConnectSettings = Pick<
  Settings,
  'mongodbUri' | 'dataDir' | 'databaseTimeoutMs' | 'databasePoolSize'
> & {
  /** Whether the built-in store writes its file anew when it closes, so that nothing removed stays in it; default false. */
  isRewritten?: boolean;
};

/** The most frequent heartbeat that the driver allows. */
const heartbeatMs = 500;
/**
 * How long an operation that finds the database away waits for it to be back: about a heartbeat. The driver tries a
 * failed operation once more, so a request waits at most for these three together: under 2 seconds by default.
 */
const returnMs = 600;
/** How long starts and tasks wait. Far away a connection takes several round trips, and a slow database must end no task. */
const patientMs = 5_000;
/** How long tasks wait for an answer. The database goes on with an index that takes longer, and the next start waits for it. */
const longestCommandMs = 3_600_000;
/** How long the clients have to say that they leave. */
const closeMs = 2_000;
/** Tasks run one at a time; indexes are made several at a time. */
const taskPoolSize = 5;

/** The database cannot be opened or reached; its cause says why. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';

  /** Whether the built-in store is open in another process, cannot be read whole, or was not read in time. */
  isCausedBy(name: 'FolderInUseError' | 'DamagedStoreError' | 'SlowStoreError'): boolean {
    return this.cause instanceof Error && this.cause.name === name;
  }
}

/** MONGODB_URI cannot be used; no server was asked. */
export class MongodbUriError extends Error {
  override readonly name = 'MongodbUriError';

  constructor(
    message: string,
    readonly mend: string,
  ) {
    super(message);
  }
}

/** Connects to MONGODB_URI or, where it is unset, to the built-in store in DATA_DIR, which it starts. @throws ConnectError */
export async function connect(settings: ConnectSettings, options: ConnectOptions = {}): Promise<Database> {
  try {
    return await openDatabase(settings, options);
  } catch (cause) {
    throw new ConnectError((cause as Error).message, { cause });
  }
}

/** Connects, and closes when the work has ended or failed. @throws ConnectError, or what the work throws */
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

/** The driver's own database behind a connection of Mongoose's. */
export const databaseOf = (connection: Connection): mongo.Db => connection.getClient().db(connection.name);

async function openDatabase(settings: ConnectSettings, options: ConnectOptions): Promise<Database> {
  const { mongodbUri, dataDir, isRewritten = false } = settings;
  if (mongodbUri) {
    if (readUri(mongodbUri).writeConcern?.w === 0)
      throw new MongodbUriError(
        'MONGODB_URI has w=0, so a change that was lost counts as made',
        'take w=0 out of MONGODB_URI',
      );
    const connections = await open(settings, options, mongodbUri);
    const { host, name } = connections.connection;
    return {
      ...connections,
      description: `MongoDB at ${host}, database ${name}`,
      isShared: true,
      failure: new Promise(() => undefined),
    };
  }
  const store = await startEmbeddedStoreInThread({ folder: dataDir, isRewritten });
  const connections = await open(settings, options, store.uri, 'gateway').catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    ...connections,
    description: `the built-in store in ${dataDir}`,
    isShared: false,
    failure: store.failure,
    close: async () => {
      await connections.close();
      await store.close();
    },
  };
}

/** Reads the URI as the driver does, by a client that is never connected. */
function readUri(uri: string): MongoClient['options'] {
  try {
    return new mongo.MongoClient(uri).options;
  } catch (error) {
    // The driver repeats what it takes for a user, a host or an option, which may be a part of a password.
    const masked = uri.replace(mayBeSecret, (found) => found.replace(/\[[^\]]*\]|[^,:@]+/g, '1'));
    if (masked !== uri) readUri(masked);
    const fault = masked === uri ? (error as Error).message : 'URI malformed';
    throw new MongodbUriError(
      `MONGODB_URI cannot be read: ${fault}`,
      'mend it, with %25 for a % in a name or a password',
    );
  }
}

/** May be secret: all before the database's name, or all of it if a colon has no port; what follows `password=` or `token:`. */
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
    // A secondary may not know yet what a write has left. A repeated call would then run twice.
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

/** To a socket that has just died, the driver sends what it has to say and waits for the answer without a bound. */
async function closeInTime(...connections: Connection[]): Promise<void> {
  const closed = new AbortController();
  await Promise.race([
    Promise.all(connections.map((connection) => connection.close())).finally(() => closed.abort()),
    sleep(closeMs, undefined, { signal: closed.signal }).catch(() => undefined),
  ]);
}

/** Tries again where a first connection is cut or slow, as on a machine that is busy with a start. */
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

/**
 * The driver has one option for how long its first connection and every operation wait. It reads the option anew for
 * each operation, from the client's options or the topology's, so this sets both.
 */
function setWaits(connection: Connection, waits: Partial<Waits>): void {
  const client: MongoClient = connection.getClient();
  const { s, topology } = client as unknown as { s: { options: Waits }; topology?: { s: Waits } };
  for (const taken of [s.options, topology?.s]) if (taken) Object.assign(taken, waits);
}
