import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mongoose';
import { startMemoryStore } from './memory-store.js';

/** The database of one test file, which `close` drops. */
export interface TestDatabase {
  connection: Connection;
  uri: string;
  /** The names of the collections that were written to since the last call; undefined if the server is not the test's own. */
  takeWritten(): ReadonlySet<string> | undefined;
  close(): Promise<void>;
}

/** Opens a new database: on the server at MONGODB_URI if set, or on a built-in store in memory. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const store = process.env.MONGODB_URI ? null : await startMemoryStore();
  const uri = withDatabase(process.env.MONGODB_URI || (store?.uri ?? ''), `test_${randomUUID().slice(0, 8)}`);
  const connection = await createConnection(uri).asPromise();
  return {
    connection,
    uri,
    takeWritten: () => store?.takeWritten(),
    close: async () => {
      await dropDatabase(connection);
      await connection.destroy();
      await store?.close();
    },
  };
}

/** Retries: on some servers, a drop fails while other test files drop theirs. */
export async function dropDatabase(connection: Connection): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connection.dropDatabase();
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      await sleep(Math.random() * 200);
    }
  }
}

function withDatabase(uri: string, name: string): string {
  const [, server = uri, query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(uri) ?? [];
  return `${server}/${name}${query}`;
}
