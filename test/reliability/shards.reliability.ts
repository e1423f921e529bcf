import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { mongo, Types } from 'mongoose';
import { commandsOn, linesOf } from '../support/commands.js';
import { endAll, root, startGatewayProcess } from '../support/process.js';
import { until } from '../support/until.js';
import { Client, type Outcome } from './support/client.js';
import { mongodbUri, shareDatabase, throughProxy } from './support/installation.js';
import { expectChain, readAccounts } from './support/ledger.js';
import { randomFor } from './support/random.js';
import { Witness } from './support/witness.js';

const jobCount = 20_000;
const importedCount = 2_000;
const betweenMs = 5_000;
const pauseMs = 20;
/** Commands that the database has received are over by then. */
const quietMs = 1_000;
const follower = join(root, 'test/reliability/support/follower.mjs');

/** Whether the server of MONGODB_URI shards collections, and has not sharded them already. */
async function canShard(): Promise<boolean> {
  if (!mongodbUri) return false;
  const client = await mongo.MongoClient.connect(mongodbUri);
  try {
    const db = client.db('reliability_probe');
    await db.collection('jobs').insertOne({ publicId: 'probe' });
    await db.collection('jobs').findOneAndUpdate({}, { $set: { isSharded: false } });
    const sharding = { shardCollection: `${db.databaseName}.jobs`, key: { publicId: 'hashed' } };
    await client.db('admin').command(sharding);
    await db.dropDatabase();
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

const isShardable = await canShard();

type Step = { createIndexes: string; indexes: object[] } | { shardCollection: string; key: object };

/** The commands that the handbook's script sends. */
async function stepsIn(database: string): Promise<Step[]> {
  const handbook = await readFile(join(root, 'deploy/shards.md'), 'utf8');
  const [, script = ''] = /```js\n((?:(?!```)[^])*sh\.shardCollection[^]*?)```/.exec(handbook) ?? [];
  const steps: Step[] = [];
  const collection = (createIndexes: string) => ({
    createIndex: (key: object) =>
      steps.push({ createIndexes, indexes: [{ key, name: `${createIndexes}_hashed` }] }),
  });
  const db = new Proxy(
    {},
    {
      get: (_, name) => (name === 'adminCommand' ? () => undefined : collection(String(name))),
    },
  );
  const sh = {
    shardCollection: (name: string, key: object) =>
      steps.push({ shardCollection: name.replace('gateway.', `${database}.`), key }),
  };
  runInNewContext(script, { db, sh });
  return steps;
}

class NotingClient extends Client {
  constructor(
    private readonly replies: Outcome[],
    ...given: ConstructorParameters<typeof Client>
  ) {
    super(...given);
  }

  override async send(...given: Parameters<Client['send']>): Promise<Outcome> {
    const reply = await super.send(...given);
    this.replies.push(reply);
    return reply;
  }
}

let following: ChildProcess | undefined;
afterEach(async () => {
  following?.kill('SIGKILL');
  await endAll();
});

describe('the steps of the handbook that shard a database in use', () => {
  (isShardable ? it : it.skip)(
    `lose and double nothing in ${jobCount} jobs under updates, repeated calls, a follower and imports (Contract 6.1.4, 6.2.2)`,
    async () => {
      const random = randomFor('shards');
      const { environment, token, uri, connection, models, remove } = await shareDatabase();
      const form = await models.jobs.collection.findOne({ publicId: 'acme-backend-engineer' });
      const behind = await throughProxy(uri);
      const gateways = await Promise.all(
        [1, 2].map(() => startGatewayProcess({ ...environment, MONGODB_URI: behind.uri })),
      );
      const folder = environment.DATA_DIR ?? '';
      const copy = join(folder, 'copy.json');
      // A follower that has read the jobs already.
      const cursor = await new Client(gateways[0]!.url, token).get(
        '/changes?media-public-id=demo-media&first=100',
      );
      const { after } = JSON.parse(cursor.body) as { after: string };
      for (let from = 0; from < jobCount; from += 1_000)
        await models.jobs.collection.insertMany(
          Array.from({ length: 1_000 }, (_, index) => ({
            ...form,
            ...{ _id: new Types.ObjectId(), publicId: `job-${from + index}`, pendingHistory: [], version: 1 },
          })),
        );
      const known = Array.from(
        { length: jobCount },
        (_, index) => [`job job-${index}`, '1 published'] as const,
      );
      await writeFile(copy, JSON.stringify({ records: Object.fromEntries(known), after }));
      following = spawn(process.execPath, [follower], {
        env: { URLS: gateways.map(({ url }) => url).join(' '), TOKEN: token, COPY: copy, FIRST: '100' },
        stdio: 'inherit',
      });

      let isOver = false;
      const repeat = async (step: (count: number) => Promise<unknown>) => {
        for (let count = 0; !isOver; count += 1) {
          await step(count);
          await sleep(pauseMs);
        }
      };
      const replies: Outcome[] = [];
      const clients = gateways.map(({ url }) => new NotingClient(replies, url, token));
      const [one, other] = clients as [NotingClient, NotingClient];
      const witness = new Witness();
      let imports = 0;
      const { importFiles } = commandsOn(behind.uri);
      const place = { media_public_id: 'demo-media', company_public_id: 'acme', name: 'Porter' };
      const bringIn = async (salary: string) => {
        const lines = Array.from({ length: importedCount }, (_, index) => ({
          ...{ kind: 'job', public_id: `imported-${index}`, ...place, salary },
        }));
        // As the handbook says of an import that was killed.
        while ((await importFiles(['-'], linesOf(lines))).code !== 0) await sleep(pauseMs);
        imports += 1;
      };
      const written = new Map<string, string>();
      const load = Promise.all([
        ...clients.map((client, index) =>
          repeat(async (count) => {
            const [publicId, salary] = [`job-${random.between(0, jobCount)}`, `${index} ${count}`];
            const { status } = await client.updateJob(publicId, { salary });
            if (status === 200) written.set(salary, publicId);
          }),
        ),
        repeat(async (count) => {
          const call = { operation: 'updateJob', value: `k${count}`, key: `k${count}` } as const;
          await witness.send(one, call);
          await witness.sendAgain(other, call);
        }),
        repeat((count) => witness.send(other, { operation: 'updateCompany', value: `c${count}` })),
        repeat((count) => bringIn(`imported ${count}`)),
      ]);

      const closed: string[] = [];
      for (const step of await stepsIn(connection.db!.databaseName)) {
        if ('createIndexes' in step) {
          await connection.db!.command(step);
          continue;
        }
        await sleep(betweenMs);
        behind.proxy.cut('refused');
        await sleep(quietMs);
        const begunMs = performance.now();
        await connection.getClient().db('admin').command(step);
        closed.push(`${step.shardCollection.split('.')[1]} ${Math.round(performance.now() - begunMs)} ms`);
        behind.proxy.restore();
      }
      await sleep(betweenMs);
      isOver = true;
      await load;

      const isOne = { $set: { version: 1 } };
      for (const { collection } of [models.jobs, models.history])
        await expect(collection.findOneAndUpdate({ _id: new Types.ObjectId() }, isOne)).rejects.toThrow(
          'shard key',
        );
      const refused = replies.filter(({ status }) => status !== 200 && status !== 201);
      for (const { status, headers } of refused)
        expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-9]/)]);
      expect(await witness.faults(models)).toEqual([]);
      const accounts = await readAccounts(models, { publicId: /^(?:job|imported)-/ });
      for (const account of accounts) expectChain(account, 'salary');
      const changes = new Map<string, string[]>();
      for (const { job, entries } of accounts)
        for (const { after } of entries.flatMap((entry) => entry.changes))
          changes.set(String(after), [...(changes.get(String(after)) ?? []), job.publicId]);
      for (const [salary, publicId] of written)
        expect([salary, changes.get(salary)]).toEqual([salary, [publicId]]);
      expect(accounts).toHaveLength(jobCount + importedCount);
      const followed = async () =>
        (JSON.parse(await readFile(copy, 'utf8')) as { records: Record<string, string> }).records;
      const lacking = async () => {
        const records = await followed();
        return accounts.filter(
          ({ job: { publicId, version, state } }) => records[`job ${publicId}`] !== `${version} ${state}`,
        );
      };
      await until(async () => {
        await sleep(betweenMs);
        return (await lacking()).length === 0;
      });
      for (const client of clients) client.close();
      process.stdout.write(
        `shards: ${closed.join(', ')}; ${replies.length} calls, ${refused.length} of them 503, ${written.size} updates, ${imports} imports, longest call ${Math.round(Math.max(...replies.map(({ ms }) => ms)))} ms\n`,
      );
      await Promise.all(gateways.map((gateway) => gateway.end('SIGTERM')));
      await behind.proxy.close();
      await remove();
    },
    600_000,
  );
});
