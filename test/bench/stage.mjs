import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { URL } from 'node:url';
import { ensureDevelopmentKey } from '../../dist/tokens/key-development.js';
import { loadKeys } from '../../dist/tokens/keys.js';
import { signToken } from '../../dist/tokens/token-signer.js';
import { startEmbeddedStoreInThread } from '../../dist/database/embedded/thread.js';
import { parseSettings } from '../../dist/settings/settings.js';
import { drop, seed } from './data.mjs';
import { drive } from './load.mjs';
import { ServingProcess } from './processes.mjs';
import { databaseServer } from './processor-time.mjs';
import { json, restUpdate, trustedDocuments } from './scenarios.mjs';

const lifted = '1000000/1s';
/** A page of 50 jobs with every field costs 61 051: each job could have 100 questions. */
const highestComplexity = '100000';
const admin = { sub: 'bench', roles: ['media_admin'], media: ['demo-media'] };
const granted = { scope: 'r_w_jobs r_w_companies', lifetimeMs: 86_400_000 };

/**
 * The built-in store serves only one process, so the gateway and the floor each get a copy of it.
 * @param fillWith fills the database; default: jobs that are alike
 */
export async function prepareDatabase(server, { folder, jobCount, databasePid, fillWith = seed }) {
  const keyFile = await ensureDevelopmentKey(folder);
  const trusted = join(folder, 'trusted-documents.json');
  await writeFile(trusted, JSON.stringify(trustedDocuments));
  const common = { folder, keyFile, trusted };
  if (server) {
    const measured = databaseServer(server, databasePid);
    const name = `bench_${randomUUID().slice(0, 8)}`;
    await fillWith(server, name, jobCount);
    const uri = server.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/, `$1/${name}`);
    return {
      ...common,
      name,
      server: measured,
      gateway: { NODE_ENV: 'production', MONGODB_URI: uri },
      floor: { MONGODB_URI: uri },
      drop: () => drop(server, name),
    };
  }
  const name = 'gateway';
  const folders = { gateway: join(folder, 'gateway'), floor: join(folder, 'floor') };
  const store = await startEmbeddedStoreInThread({ folder: folders.gateway });
  await fillWith(store.uri, name, jobCount);
  await store.close();
  await cp(folders.gateway, folders.floor, { recursive: true });
  return {
    ...common,
    name,
    gateway: { NODE_ENV: 'development', DATA_DIR: folders.gateway },
    floor: { DATA_DIR: folders.floor },
    drop: async () => undefined,
  };
}

/** All quotas and the bound of complexity are too high to reach. */
export const gatewayEnvironment = ({ keyFile, trusted, gateway }) => ({
  ...gateway,
  PORT: '0',
  JWT_KEY_FILE: keyFile,
  TRUSTED_DOCUMENTS: trusted,
  UPDATE_JOB_QUOTA: lifted,
  MUTATION_QUOTA: lifted,
  GRAPHQL_MAX_COMPLEXITY: highestComplexity,
  READ_QUOTA: lifted,
  AUTH_FAILURE_QUOTA: lifted,
});

export async function tokensOf(environment) {
  const settings = parseSettings(environment);
  const keys = await loadKeys(settings);
  return (claims) => signToken(keys, settings, { ...granted, ...claims }, new Date());
}

/** @param quota an updateJob quota that is spent at once */
export async function startGateway(database, quota, probe) {
  const environment = { ...gatewayEnvironment(database), ...(quota && { UPDATE_JOB_QUOTA: quota }) };
  const server = await ServingProcess.start(
    '../../dist/main.js',
    environment,
    join(database.folder, 'gateway.log'),
    { database: database.server, probe },
  );
  const token = await (await tokensOf(environment))(admin);
  const badToken = `${token.slice(0, -8)}AAAAAAAA`;
  if (quota) await spend(server, token);
  return { server, token, badToken };
}

export const startFloor = ({ folder, name, floor, server: database }) =>
  ServingProcess.start('./floor.mjs', { ...floor, DATABASE: name }, join(folder, 'floor.log'), { database });

export const startPeers = async ({ folder, keyFile, name, gateway, server: database }) => {
  if (!existsSync(new URL('peer/node_modules/mercurius', import.meta.url))) return [];
  const environment = { ...gateway, DATABASE: name, JWT_KEY_FILE: keyFile };
  return Promise.all(
    ['mercurius', 'yoga', 'fastify'].map(async (peer) => ({
      name: peer,
      server: await ServingProcess.start(`./peer/${peer}.mjs`, environment, join(folder, `${peer}.log`), {
        database,
      }),
    })),
  );
};

const spend = async (server, token) =>
  drive(server, {
    connections: 1,
    amount: 1,
    status: 200,
    next: () => restUpdate({ jobCount: 1, token }, json),
  });
