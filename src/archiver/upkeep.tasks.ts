import { type Model } from 'mongoose';
import { hostname } from 'node:os';
import { completeRest } from '../change/complete-moves.js';
import { LeaseHeldError, withLease } from '../change/records-lease.js';
import { type CompanyRecord } from '../company/company.record.js';
import { type LogoStore } from '../company/logo/logo-store.js';
import { inPages } from '../database/in-pages.js';
import { systemActor, type Versioned } from '../history/history-entry.js';
import { entriesOf } from '../history/history.record.js';
import { forgottenBefore } from '../history/version-write.rules.js';
import { type Models } from '../models.js';
import { skipDamaged } from './skip-damaged.js';
import { type Task, type TaskRun } from './task.js';

const hourMs = 3_600_000;

/** A step takes a few ms, so 100 steps end long before a silent worker counts as dead. */
const stepsPerRenewal = 100;
const batchSize = 1_000;

/** Removes the remains of crashed uploads, and logos over an hour old that belong to no company (Contract 4.1.7.7). */
export const removeOrphanLogosTask = (store: LogoStore, companies: Model<CompanyRecord>): Task => ({
  name: 'remove-orphan-logos',
  everyMs: hourMs,
  run: async ({ isStopping, renew, skip }) => {
    let steps = 0;
    const isUsed = async (hash: unknown) => {
      if (typeof hash === 'string') return (await companies.exists({ 'logo.hash': hash })) !== null;
      skip('logo', JSON.stringify(hash), new Error('the name of its file is damaged'));
      return true;
    };
    await store.removeOrphans(isUsed, hourMs, async () => {
      if (++steps % stepsPerRenewal === 0) await renew();
      return !isStopping();
    });
    // A stop leaves the rest to the next hourly run.
    return true;
  },
});

/** Completes what a killed import or seeding left half done, unless a command runs. */
export const completeImportTask = (models: Models, clock: () => Date): Task => ({
  name: 'stamp-imported-records',
  everyMs: hourMs,
  run: async ({ id }) => {
    const holder = { command: 'task', actor: systemActor, host: hostname() };
    const origin = { actor: systemActor, transport: 'task', requestId: id } as const;
    try {
      await withLease(models.media, holder, { waitMs: 0 }, (lease) =>
        completeRest(models, lease, { now: clock, origin }),
      );
    } catch (error) {
      if (!(error instanceof LeaseHeldError)) throw error;
    }
    return true;
  },
});

/** Removes the digests of calls that changed nothing from records that no write has cleaned since (Contract 9.3.10). */
export const removeOldCallsTask = (models: Models, clock: () => Date): Task => ({
  name: 'remove-old-calls',
  everyMs: hourMs,
  run: (control) => removeFromRecords('unchangingCalls', forgottenBefore(clock()), models, control),
});

/** Removes history entries older than the lifetime, including entries inside records (Contract 10.3). */
export const removeOldHistoryTasks = (
  models: Models,
  clock: () => Date,
  lifetimeMs: number | undefined,
): Task[] => {
  if (lifetimeMs === undefined) return [];
  const before = () => new Date(clock().getTime() - lifetimeMs);
  const run = (control: TaskRun) => removeHistoryBefore(before(), models, control);
  return [{ name: 'remove-old-history', everyMs: hourMs, run }];
};

async function removeHistoryBefore(before: Date, models: Models, control: TaskRun): Promise<boolean> {
  // No index finds these records.
  if (!(await removeFromRecords('pendingHistory', before, models, control))) return false;
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

/** Removes old elements of a list in all jobs and companies. @returns false if the process is stopping */
async function removeFromRecords(
  list: 'pendingHistory' | 'unchangingCalls',
  before: Date,
  { jobs, companies }: Pick<Models, 'jobs' | 'companies'>,
  { isStopping, renew, skip }: TaskRun,
): Promise<boolean> {
  const isOld = { $lt: before };
  const removal = { $pull: { [list]: { at: isOld } } } as never;
  const carrying = { filter: { [`${list}.at`]: isOld }, projection: { publicId: 1 } };
  for (const [kind, { collection }] of Object.entries({ job: jobs, company: companies }))
    for await (const batch of inPages<Versioned>({ collection }, carrying)) {
      const remove = async (some: readonly Versioned[]) =>
        void (await collection.updateMany(
          { publicId: { $in: some.map(({ publicId }) => publicId) } },
          removal,
        ));
      await skipDamaged(kind, batch, remove, { skip });
      await renew();
      if (isStopping()) return false;
    }
  return true;
}
