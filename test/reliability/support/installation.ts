import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, createConnection } from 'mongoose';
import { startEmbeddedStore } from '../../../src/database/embedded/server.js';
import { prepareDatabase, type Models, modelsOf } from '../../../src/models.js';
import { seedDemoData } from '../../../src/demo/seed.js';
import { parseSettings } from '../../../src/settings/settings.js';
import { dropDatabase } from '../../support/database.js';
import { startStoreProcess } from '../../support/process.js';
import { tokenFactory } from '../../support/tokens.js';
import { type Proxy, proxyTo } from './proxy.js';
import { jobLifetimeMs } from '../../support/reset-records.js';

/** The database that the processes of one test share, and the settings to reach it. */
export interface Installation {
  environment: Record<string, string>;
  /** An admin's token for demo-media. */
  token: string;
  uri: string;
  connection: Connection;
  models: Models;
  remove: () => Promise<void>;
}

const usual = {
  NODE_ENV: 'test',
  UPDATE_JOB_QUOTA: '1000000/1s',
  MUTATION_QUOTA: '1000000/1s',
  READ_QUOTA: '1000000/1s',
};

/** Without it, all tests use the built-in store. */
export const mongodbUri = process.env.MONGODB_URI;

export const withName = (uri: string, name: string): string =>
  uri.replace(/^(mongodb:\/\/[^/?]+)\/?[^?]*/, `$1/${name}`);

async function folderWithToken() {
  const folder = await mkdtemp(join(tmpdir(), 'reliability-'));
  const token = await (
    await tokenFactory(parseSettings({ ...usual, DATA_DIR: folder }))
  )({ lifetimeMs: 3_600_000 });
  return { folder, token };
}

/** The MongoDB of MONGODB_URI or, without that setting, a built-in store in its own process. */
export async function shareDatabase(): Promise<Installation> {
  const { folder, token } = await folderWithToken();
  const store = mongodbUri ? null : await startStoreProcess(join(folder, 'store'));
  const uri = withName(mongodbUri ?? store?.url ?? '', `reliability_${randomUUID().slice(0, 8)}`);
  const { connection, models } = await prepare(uri);
  return {
    environment: { ...usual, DATA_DIR: folder, MONGODB_URI: uri },
    token,
    uri,
    connection,
    models,
    remove: async () => {
      await dropDatabase(connection);
      await connection.close();
      await store?.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function throughProxy(uri: string): Promise<{ proxy: Proxy; uri: string }> {
  const { hostname, port, search, pathname } = new URL(uri.replace('mongodb:', 'http:'));
  const proxy = await proxyTo({ host: hostname, port: Number(port || 27_017) });
  const options = new URLSearchParams(search);
  options.set('directConnection', 'true');
  return { proxy, uri: `mongodb://127.0.0.1:${proxy.port}${pathname}?${options.toString()}` };
}

/** A data folder with a built-in store and the demo data. */
export async function ownFolder(): Promise<{
  environment: Record<string, string>;
  token: string;
  /** Opens the store. No gateway may have it open. */
  look: <T>(use: (models: Models) => Promise<T>) => Promise<T>;
  remove: () => Promise<void>;
}> {
  const { folder, token } = await folderWithToken();
  const look = async <T>(use: (models: Models) => Promise<T>) => {
    const store = await startEmbeddedStore({ folder });
    const { connection, models } = await prepare(withName(store.uri, 'gateway'));
    try {
      return await use(models);
    } finally {
      await connection.close();
      await store.close();
    }
  };
  await look(async () => undefined);
  return {
    environment: { ...usual, DATA_DIR: folder },
    token,
    look,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function prepare(uri: string): Promise<{ connection: Connection; models: Models }> {
  const connection = await createConnection(uri, { autoIndex: false, autoCreate: false }).asPromise();
  const models = modelsOf(connection);
  await prepareDatabase(models);
  await seedDemoData(models, new Date(), jobLifetimeMs);
  return { connection, models };
}
