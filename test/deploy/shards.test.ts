import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type CommandStartedEvent } from 'mongodb';
import { type Connection, createConnection, mongo } from 'mongoose';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveExpiredJobsTask } from '../../src/archiver/archive-expired-jobs.tasks.js';
import { type Task } from '../../src/archiver/task.js';
import { completeImportTask, removeOldHistoryTasks } from '../../src/archiver/upkeep.tasks.js';
import { isPlainObject } from '../../src/database/readable-records.js';
import { modelsOf } from '../../src/models.js';
import { letSettle } from '../support/settle.js';
import { commandsOn, linesOf } from '../support/commands.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { root } from '../support/process.js';
import { graphql, rest } from '../support/requests.js';
import { taskRun } from '../support/task-run.js';
import { updateCompany, updateJob } from '../support/updates.js';

const [handbook = ''] = (await readFile(join(root, 'deploy/shards.md'), 'utf8')).split('\n## ');
const keys = new Map(
  [...handbook.matchAll(/^\| `(\w+)` +\| `\{ (\w+): 'hashed' \}`/gm)].map(([, name, key]) => [name, key]),
);

/** The heartbeat of the clients that gateways and commands open. A test's own clients have the driver's default. */
const heartbeatFrequencyMS = 500;
let sent: CommandStartedEvent[] = [];
const connect = Reflect.get(mongo.MongoClient.prototype, 'connect');
let gateway: TestGateway;
let tasks: Connection;

beforeAll(async () => {
  jest.spyOn(mongo.MongoClient.prototype, 'connect').mockImplementation(function (this: mongo.MongoClient) {
    if (this.options.heartbeatFrequencyMS === heartbeatFrequencyMS) {
      Object.assign(this, { monitorCommands: true });
      this.on('commandStarted', (event) => sent.push(event));
    }
    return connect.call(this);
  });
  gateway = await startTestGateway({ ARCHIVER: 'off' });
  tasks = await createConnection(uri(), { heartbeatFrequencyMS }).asPromise();
});
afterAll(async () => {
  await tasks.close();
  await gateway.stop();
});

/** Whether a filter or document has the key, or lists its values. */
const names = (filter: object, key: string): boolean =>
  Object.entries(filter).some(([path, condition]: [string, unknown]) =>
    path === '$and'
      ? (condition as object[]).some((each) => names(each, key))
      : path === key && (!isPlainObject(condition) || '$in' in condition),
  );

interface Asked {
  filter?: object;
  query?: object;
  pipeline?: { $match?: object }[];
  updates?: { q: object }[];
  deletes?: { q: object }[];
  documents?: object[];
}

/** Null if the command is for no documents of a collection that can be sharded. */
function isForAllShards({ commandName, command }: CommandStartedEvent): boolean | null {
  const key = keys.get(String(command[commandName]));
  const { filter, query, pipeline, updates, deletes, documents } = command as Asked;
  const written = documents ?? (updates ?? deletes)?.map(({ q }) => q);
  const filters = written ?? [filter, query, pipeline?.[0]?.$match].flatMap((each) => each ?? []);
  return key === undefined || filters.length === 0 ? null : filters.some((each) => !names(each, key));
}

const uri = () => gateway.settings.mongodbUri ?? '';
const admin = async () => ({ token: await gateway.token() });
const changes = async (parameters: { after?: string } = {}) => {
  const query = new URLSearchParams({ 'media-public-id': 'demo-media', ...parameters }).toString();
  const { status, body } = await rest(gateway, 'GET', `/changes?${query}`, undefined, await admin());
  expect(status).toBe(200);
  return body as { after: string };
};
const ask = async (query: string) => {
  const { body } = await graphql(gateway, query, {}, await admin());
  expect(body.errors).toBeUndefined();
};
const keyed = async () => ({ ...(await admin()), headers: { 'idempotency-key': 'key' } });
const jobsOf = (salary: string) =>
  linesOf(
    Array.from({ length: 1_000 }, (_, index) => ({
      ...{ kind: 'job', public_id: `job-${index}`, media_public_id: 'demo-media', company_public_id: 'acme' },
      ...{ name: 'Porter', salary },
    })),
  );
const bringIn = async (lines: string) => {
  const { code } = await commandsOn(uri()).importFiles(['-'], lines);
  expect(code).toBe(0);
};
const clock = () => new Date();
const run = async (of: (models: ReturnType<typeof modelsOf>) => Task) => {
  await of(modelsOf(tasks)).run(taskRun);
};
const archive = () =>
  run((models) =>
    archiveExpiredJobsTask({
      ...{ jobs: models.jobs, clock, everyMs: 60_000, onLag: () => undefined },
      ...{ onBatch: () => undefined, onRun: () => undefined },
    }),
  );
const backend = 'acme-backend-engineer';
const job = `job(publicId: "${backend}")`;
const jobs = 'jobs(mediaPublicId: "demo-media", first: 50';
let after: string;

const operations: Record<string, () => Promise<unknown>> = {
  'an update of a job': async () => updateJob(gateway, { salary: '1' }, await admin()),
  'the same with an idempotency key': async () => updateJob(gateway, { salary: '2' }, await keyed()),
  'its repetition': async () => updateJob(gateway, { salary: '2' }, await keyed()),
  'an update of a company': async () => updateCompany(gateway, { description: 'x' }, await admin()),
  'a job with its company': () => ask(`{ ${job} { name company { name } } }`),
  'a page of its history': () => ask(`{ ${job} { history(first: 20) { edges { cursor } } } }`),
  'a page of jobs': () => ask(`{ ${jobs}) { edges { cursor } } }`),
  'the same by public ids': () =>
    ask(`{ ${jobs}, filter: { publicIds: ["${backend}"] }) { edges { cursor } } }`),
  'the same by name': () => ask(`{ ${jobs}, filter: { name: "engineer" }) { edges { cursor } } }`),
  'the same with its count': () => ask(`{ ${jobs}) { totalCount edges { cursor } } }`),
  'a page of changes': async () => {
    await letSettle(gateway);
    after = (await changes()).after;
  },
  'the next, which is empty': () => changes({ after }),
  'an import of 1,000 new jobs': () => bringIn(jobsOf('1')),
  'an import of 1,000 changed jobs': () => bringIn(jobsOf('2')),
  'an export of 1,000 jobs': () => commandsOn(uri()).exportAll(),
  'archiving of up to 1,000 jobs': archive,
  'a quiet minute': archive,
  'a quiet hour, besides': async () => {
    await run((models) => completeImportTask(models));
    await run((models) => removeOldHistoryTasks(models, clock, 3650 * 86_400_000)[0]!);
  },
};

it('counts in the handbook what each operation asks of the collections that can be sharded, and of every shard', async () => {
  await gateway.reset();
  // If a server still builds an index, the first query with its hint is sent again without it.
  for (const name of ['a page of jobs', 'a page of changes']) await operations[name]!();
  const counted: Record<string, [commands: number, everywhere: number]> = {};
  for (const [name, operation] of Object.entries(operations)) {
    sent = [];
    await operation();
    const asked = sent.map(isForAllShards).filter((each) => each !== null);
    counted[name] = [asked.length, asked.filter(Boolean).length];
  }
  const rows = [...handbook.matchAll(/^\| ((?:an? |its |the |archiving ).*?) +\| +(\d+) +\| +(\d+) +\|/gm)];
  expect(Object.fromEntries(rows.map(([, name, ...counts]) => [name, counts.map(Number)]))).toEqual(counted);
});

it('names only existing collections where the handbook moves collections to another shard', () => {
  const [, list = ''] = /of \[([^\]]*)\]\)\n +db\.adminCommand\(\{ moveCollection/.exec(handbook) ?? [];
  const moved = [...list.matchAll(/'([\w.]+)'/g)].map(([, name = '']) => name);
  const there = Object.values(gateway.models).map(({ collection }) => collection.name);
  expect(moved.length).toBeGreaterThan(4);
  expect([...there, 'quotas', 'logos.files', 'logos.chunks']).toEqual(expect.arrayContaining(moved));
});
