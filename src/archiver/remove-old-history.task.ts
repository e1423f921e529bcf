import { type Model, type mongo } from 'mongoose';
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
  control: TaskRun,
): Promise<boolean> {
  const isOld = { $lt: before };
  for (const { collection } of [jobs, companies] as unknown as readonly Model<Versioned>[]) {
    const removal = { $pull: { pendingHistory: { at: isOld } } } as never;
    const isDone = await inBatches(collection, { 'pendingHistory.at': isOld }, control, (batch) =>
      collection.updateMany(batch, removal),
    );
    if (!isDone) return false;
  }
  return inBatches(history.collection, { at: isOld }, control, (batch) => history.deleteMany(batch));
}

/** Removes batch by batch what a query finds. @returns false if the process is stopping */
async function inBatches(
  collection: Model<never>['collection'],
  query: mongo.Document,
  { isStopping, renew }: TaskRun,
  remove: (batch: { _id: object }) => Promise<unknown>,
): Promise<boolean> {
  for (;;) {
    const found = await collection
      .find(query, { projection: { _id: 1 }, limit: batchSize, batchSize })
      .toArray();
    if (found.length === 0) return true;
    await remove({ _id: { $in: found.map(({ _id }) => _id) } });
    await renew();
    if (isStopping()) return false;
  }
}
