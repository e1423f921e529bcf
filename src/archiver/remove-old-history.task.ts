import { inPages } from '../database/in-pages.js';
import { type Models } from '../models.js';
import { type Versioned } from '../history/history-entry.js';
import { skipDamaged } from './skip-damaged.js';
import { hourMs, type Task, type TaskRun } from './task.js';

const batchSize = 1_000;

/** Removes history entries older than the lifetime, including entries inside records (Contract 10.3). */
export const removeOldHistoryTasks = (
  models: Models,
  clock: () => Date,
  lifetimeMs: number | undefined,
): Task[] =>
  lifetimeMs === undefined
    ? []
    : [
        {
          name: 'remove-old-history',
          everyMs: hourMs,
          isVital: false,
          run: (control) => removeHistoryBefore(new Date(clock().getTime() - lifetimeMs), models, control),
        },
      ];

async function removeHistoryBefore(
  before: Date,
  { jobs, companies, history }: Models,
  { isStopping, renew, skip }: TaskRun,
): Promise<boolean> {
  const isOld = { $lt: before };
  const removal = { $pull: { pendingHistory: { at: isOld } } } as never;
  const idOf = ({ _id }: { _id: unknown }) => _id as never;
  // No index finds these records.
  const carrying = { filter: { 'pendingHistory.at': isOld }, projection: { publicId: 1 } };
  for (const [kind, { collection }] of Object.entries({ job: jobs, company: companies }))
    for await (const batch of inPages<Versioned>({ collection }, carrying)) {
      const remove = async (some: readonly Versioned[]) =>
        void (await collection.updateMany({ _id: { $in: some.map(idOf) } }, removal));
      await skipDamaged(kind, batch, remove, { skip });
      await renew();
      if (isStopping()) return false;
    }
  for (;;) {
    const batch = await history.find({ at: isOld }, { _id: 1 }).limit(batchSize).lean();
    if (batch.length === 0) return true;
    await history.deleteMany({ _id: { $in: batch.map(idOf) } });
    await renew();
    if (isStopping()) return false;
  }
}
