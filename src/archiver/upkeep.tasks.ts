import { type Model } from 'mongoose';
import { hostname } from 'node:os';
import { completeAll } from '../change/complete-all.js';
import { removeJobs } from '../change/remove-jobs.js';
import { type Lease, LeaseHeldError, withLease } from '../change/records-lease.js';
import { companySchema } from '../company/company.mongoose.js';
import { type CompanyRecord } from '../company/company.record.js';
import { type LogoStore } from '../company/logo/logo-store.js';
import { collectionOf } from '../database/collection-of.js';
import { inPages } from '../database/in-pages.js';
import { withHint } from '../database/indexes.js';
import { ReadableRecords } from '../database/readable-records.js';
import { allInOneBatch } from '../database/all-in-one-batch.js';
import { systemActor, type Versioned } from '../history/history-entry.js';
import { entriesOf } from '../history/history.record.js';
import { jobListKey, jobSchema } from '../job/job.mongoose.js';
import { anyJobIn } from '../job/stored-reach.js';
import { allMediaIn } from '../media/media.record.js';
import { type Models } from '../models.js';
import { allOf, projectionOf, type Query } from '../paging/query.rules.js';
import { type Task, type TaskRun } from './task.js';

const hourMs = 3_600_000;

/** A step takes a few ms, so 100 steps end long before a silent worker counts as dead. */
const stepsPerRenewal = 100;
const batchSize = 1_000;

/** Removes the remains of crashed uploads, and logos over an hour old that belong to no company. */
export const removeOrphanLogosTask = (store: LogoStore, companies: Model<CompanyRecord>): Task => ({
  name: 'remove-orphan-logos',
  everyMs: hourMs,
  run: async ({ isStopping, renew }) => {
    let steps = 0;
    const isUsed = async (hash: string) =>
      (await collectionOf(companies).findOne({ 'logo.hash': hash }, { projection: { _id: 1 } })) !== null;
    await store.removeOrphans(isUsed, hourMs, async () => {
      if (++steps % stepsPerRenewal === 0) await renew();
      return !isStopping();
    });
    // A stop leaves the rest to the next hourly run.
    return true;
  },
});

/** Completes what a killed import, seeding, removal or creation left half done, unless a command runs. */
export const completeImportTask = (models: Models): Task => ({
  name: 'stamp-imported-records',
  everyMs: hourMs,
  run: () =>
    unlessHeld(models, async () => {
      await completeAll(models);
      return true;
    }),
});

/** Runs under the lease of imports. @returns true if another holder has it: the next hourly run does the work */
async function unlessHeld(models: Models, work: (lease: Lease) => Promise<boolean>): Promise<boolean> {
  const holder = { command: 'task', actor: systemActor, host: hostname() };
  try {
    return await withLease(models.media, holder, { waitMs: 0 }, work);
  } catch (error) {
    if (error instanceof LeaseHeldError) return true;
    throw error;
  }
}

/** Removes jobs that have been archived for longer than `retentionMs`, with their history. */
export const removeArchivedJobsTasks = (
  models: Models,
  clock: () => Date,
  retentionMs: number | undefined,
): Task[] =>
  removalTasks('remove-archived-jobs', { clock, keptMs: retentionMs }, (before, control) =>
    unlessHeld(models, (lease) => removeArchivedBefore(before, models, { ...control, lease })),
  );

/** The hourly task that removes what is older than `keptMs`; none if that is undefined. */
function removalTasks(
  name: string,
  { clock, keptMs }: { clock: () => Date; keptMs: number | undefined },
  remove: (before: Date, control: TaskRun) => Promise<boolean>,
): Task[] {
  if (keptMs === undefined) return [];
  const run = (control: TaskRun) => remove(new Date(clock().getTime() - keptMs), control);
  return [{ name, everyMs: hourMs, run }];
}

async function removeArchivedBefore(
  before: Date,
  models: Models,
  { isStopping, renew, lease }: TaskRun & { lease: Lease },
): Promise<boolean> {
  const media = { $in: await allMediaIn(models.media) };
  const old: Query = allOf(anyJobIn(media), { state: 'archived', archivedAt: { $lt: before } });
  const projection = projectionOf(['publicId', 'version', 'media']);
  const options = { projection, hint: jobListKey('media', 'public_id'), limit: batchSize, ...allInOneBatch };
  for (;;) {
    const batch = await withHint(models.jobs.collection, options, (hinted) =>
      collectionOf(models.jobs).find(old, hinted).toArray(),
    );
    if (batch.length === 0) return true;
    await lease.renew();
    await removeJobs(models, batch);
    await renew();
    if (isStopping()) return false;
  }
}

/** Removes history entries older than the lifetime, including entries inside records. */
export const removeOldHistoryTasks = (
  models: Models,
  clock: () => Date,
  lifetimeMs: number | undefined,
): Task[] =>
  removalTasks('remove-old-history', { clock, keptMs: lifetimeMs }, (before, control) =>
    removeHistoryBefore(before, models, control),
  );

async function removeHistoryBefore(before: Date, models: Models, control: TaskRun): Promise<boolean> {
  if (!(await removeFromRecords(before, models, control))) return false;
  for (;;) {
    const old = models.history.find({ at: { $lt: before } }, { record: 1 });
    const batch = await old.limit(batchSize).lean();
    if (batch.length === 0) return true;
    const [records, ids] = [batch.map(({ record }) => record), batch.map(({ _id }) => _id)];
    await models.history.deleteMany(entriesOf(records, ids));
    await control.renew();
    if (control.isStopping()) return false;
  }
}

const historyPaths = ['_id', 'publicId', 'pendingHistory.at'];

/** No index finds these records. @returns false if the process is stopping */
async function removeFromRecords(
  before: Date,
  { jobs, companies }: Pick<Models, 'jobs' | 'companies'>,
  { isStopping, renew }: TaskRun,
): Promise<boolean> {
  const isOld = { $lt: before };
  const removal = { $pull: { pendingHistory: { at: isOld } } } as never;
  const carrying = { filter: { 'pendingHistory.at': isOld }, projection: projectionOf(historyPaths) };
  for (const [{ collection }, schema] of [
    [jobs, jobSchema],
    [companies, companySchema],
  ] as const) {
    const readable = new ReadableRecords(schema, historyPaths);
    for await (const batch of inPages<Versioned>({ collection }, carrying)) {
      const some = batch.filter((record) => readable.has(collection, record));
      await collection.updateMany({ publicId: { $in: some.map(({ publicId }) => publicId) } }, removal);
      await renew();
      if (isStopping()) return false;
    }
  }
  return true;
}
