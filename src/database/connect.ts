import { type Connection, createConnection } from 'mongoose';
import { type Settings } from '../settings.js';
import { startEmbeddedStoreInThread } from './embedded/thread.js';

/** An open database. */
export interface Database {
  connection: Connection;
  /** Which store it is, for the start log; no secret. */
  description: string;
  /** Whether other processes use it too, so that what they must agree on has to lie in it. */
  isShared: boolean;
  close(): Promise<void>;
}

/** How long an operation may wait for a server, or for a connection to it, before the caller hears 503. */
const waitMs = 1_500;

/**
 * Connects to MONGODB_URI or, where it is unset, to the built-in store in DATA_DIR, which it starts.
 * @throws Error when neither can be reached, or when another process uses the folder
 */
export async function connect({
  mongodbUri,
  dataDir,
}: Pick<Settings, 'mongodbUri' | 'dataDir'>): Promise<Database> {
  if (mongodbUri) {
    const connection = await open(mongodbUri);
    return {
      connection,
      description: `MongoDB at ${connection.host}, database ${connection.name}`,
      isShared: true,
      close: () => connection.close(),
    };
  }
  const store = await startEmbeddedStoreInThread({ folder: dataDir });
  const connection = await open(store.uri, 'gateway').catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    connection,
    description: `the built-in store in ${dataDir}`,
    isShared: false,
    close: async () => {
      await connection.close();
      await store.close();
    },
  };
}

function open(uri: string, dbName?: string): Promise<Connection> {
  return createConnection(uri, {
    ...(dbName && { dbName }),
    // A request that finds no database fails instead of waiting in a queue without a bound.
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
    serverSelectionTimeoutMS: waitMs,
    waitQueueTimeoutMS: waitMs,
    connectTimeoutMS: waitMs,
    maxPoolSize: 50,
  }).asPromise();
}
