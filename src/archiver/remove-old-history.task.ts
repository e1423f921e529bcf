import { type Model } from 'mongoose';
import { type Models } from '../database/models.js';
import { type Versioned } from '../history/history-entry.js';
import { hourMs, type Task, type TaskRun } from './task.js';

const batchSize = 1_000;

/**
 * Once an hour, removes the history entries that are older than HISTORY_LIFETIME, including those still stored in their
 * records (Contract 10.3). The records themselves and their versions stay as they are. If entries are kept for ever, there
 * is no task.
 */
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

/** @returns true if nothing is left to remove; false if the process is stopping */
async function removeHistoryBefore(
  before: Date,
  { jobs, companies, history }: Models,
  { isStopping, renew }: Pick<TaskRun, 'isStopping' | 'renew'>,
): Promise<boolean> {
  for (const model of [jobs, companies] as unknown as readonly Model<Versioned>[]) {
    for (;;) {
      const found = await model
        .find({ 'pendingHistory.at': { $lt: before } }, { _id: 1 })
        .limit(batchSize)
        .lean();
      if (found.length === 0) break;
      await model.collection.updateMany(
        { _id: { $in: found.map(({ _id }) => _id) } },
        { $pull: { pendingHistory: { at: { $lt: before } } } as never },
      );
      await renew();
      if (isStopping()) return false;
    }
  }
  for (;;) {
    const found = await history
      .find({ at: { $lt: before } }, { _id: 1 })
      .limit(batchSize)
      .lean();
    if (found.length === 0) return true;
    await history.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    await renew();
    if (isStopping()) return false;
  }
}
