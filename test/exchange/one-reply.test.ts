import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { AbstractCursor } from 'mongodb';
import { collectionOf } from '../../src/database/collection-of.js';
import { removeOldHistoryTasks } from '../../src/archiver/upkeep.tasks.js';
import { LogoStore } from '../../src/company/logo/logo-store.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { runDoctor } from '../../src/doctor/doctor.js';
import { runEraseCommand } from '../../src/cli/erase.js';
import { entryId } from '../../src/history/history.record.js';
import { VersionedRecords } from '../../src/history/versioned-records.js';
import { commandsOn, linesOf } from '../support/commands.js';
import { ownDatabase } from '../support/own-database.js';
import { jobLifetimeMs } from '../support/reset-records.js';
import { taskRun } from '../support/task-run.js';

const { database, models } = ownDatabase(beforeEach, afterEach);
let askingForMore: jest.SpiedFunction<() => unknown>;

beforeEach(() => {
  askingForMore = jest.spyOn(AbstractCursor.prototype as unknown as { getMore: () => unknown }, 'getMore');
});

const many = 110;
const times = <T>(make: (index: number) => T): T[] => Array.from({ length: many }, (_, index) => make(index));
const address = 'ann@x.example';
const records = [
  ...times((index) => ({
    ...{ kind: 'media', public_id: `media-${index}`, name: 'Media' },
    job_url_template: 'https://x.example/{company}/{job}',
  })),
  ...times((index) => ({
    ...{ kind: 'reference', type: 'sector', public_id: `sector-${index}` },
    name: { en: 'Sector', fr: 'Secteur' },
  })),
  ...times((index) => ({
    ...{
      kind: 'company',
      public_id: `company-${index}`,
      name: `Company ${index}`,
      domain_url: `x${index}.example`,
    },
    offices: [{ public_id: 'here', name: { en: 'Here', fr: 'Ici' } }],
    memberships: [{ media_public_id: `media-${index}` }],
  })),
  ...times((index) => ({
    ...{ kind: 'job', public_id: `job-${index}`, name: 'Porter', manager_emails: [address] },
    ...{ media_public_id: `media-${index}`, company_public_id: `company-${index}`, office_id: 'here' },
  })),
];

// Some servers lose a cursor before the second request.
it('no operator command sends getMore for slightly more than a hundred records', async () => {
  const { importFiles, exportAll } = commandsOn(database.uri);
  expect(await importFiles(['-'], linesOf(records))).toMatchObject({ code: 0 });
  const changed = records.map((record) => (record.kind === 'job' ? { ...record, salary: 'new' } : record));
  expect(await importFiles(['-'], linesOf(changed))).toMatchObject({ code: 0 });
  const versioned = new VersionedRecords('job', models.jobs, collectionOf(models.history));
  for (const job of await models.jobs.find().lean()) await versioned.movePending(job);
  const { stdout } = await exportAll('--with-history');
  expect(stdout.match(/"kind":"history"/g)).toHaveLength(many);
  await seedDemoData(models, new Date(), jobLifetimeMs);
  const environment = { NODE_ENV: 'test', PORT: '0', MONGODB_URI: database.uri };
  expect(await runDoctor(environment)).toMatchObject({ exitCode: 0 });
  expect(await runEraseCommand([address], environment)).toMatchObject({ exitCode: 0 });
  expect(askingForMore).not.toHaveBeenCalled();
});

it('a failed write among more than a hundred is found without getMore', async () => {
  await importRecords();
  const jobs = await models.jobs.find().lean();
  const versioned = new VersionedRecords('job', models.jobs, collectionOf(models.history));
  const origin = { actor: 'me', transport: 'import', requestId: 'r' } as const;
  const changes = [{ field: 'salary', before: null, after: 'new' }];
  const writes = jobs.map((record) => ({ record, steps: [{ at: new Date(), origin, changes }] }));
  await models.jobs.updateOne({ _id: jobs[many - 1]!._id }, { $inc: { version: 1 } });
  expect(await versioned.writeMany(writes)).toEqual([writes[many - 1]]);
  expect(askingForMore).not.toHaveBeenCalled();
});

it('a logo of more than a hundred chunks is found without getMore', async () => {
  const store = new LogoStore(database.connection, () => new Date());
  const logo = { bytes: Buffer.alloc(27 * 2 ** 20), contentType: 'image/png', hash: 'h' } as const;
  await store.put(logo);
  expect(await store.open('h')).toMatchObject({ length: logo.bytes.length });
  await store.removeOrphans(async () => false, -1_000);
  expect(await store.open('h')).toBeNull();
  expect(askingForMore).not.toHaveBeenCalled();
});

it('a batch of more than a hundred old history entries is found without getMore', async () => {
  await importRecords();
  const [job] = await models.jobs.find().lean();
  const entry = { at: new Date(0), actor: 'me', transport: 'rest', requestId: 'r', changes: [] };
  await models.jobs.collection.updateMany(
    {},
    {
      $set: { pendingHistory: [{ ...entry, version: 2 }] },
    },
  );
  await models.history.collection.insertMany(
    times((index) => ({
      ...entry,
      version: index,
      _id: entryId('job', job!._id, index),
      record: job!._id,
    })) as never,
  );
  const [task] = removeOldHistoryTasks(models, () => new Date(), 86_400_000);
  await task?.run(taskRun);
  expect(await models.history.countDocuments()).toBe(0);
  expect(await models.jobs.countDocuments({ pendingHistory: { $size: 0 } })).toBe(many);
  expect(askingForMore).not.toHaveBeenCalled();
});

const importRecords = async () =>
  expect(await commandsOn(database.uri).importFiles(['-'], linesOf(records))).toMatchObject({ code: 0 });
