import { type Model, type mongo } from 'mongoose';
import { type Models } from '../database/models.js';
import { type Versioned } from '../history/history-entry.js';
import { hourMs, type Task, type TaskRun } from './task.js';

const batchSize = 1_000;

/** Hourly removes entries older than the lifetime, also those within records (Contract 10.3); no task if they stay for ever. */
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
    // No index finds these records, so that a batch goes on after the last one instead of going through all before it again.
    const findAfter = (last: object | undefined) =>
      collection
        .find({ 'pendingHistory.at': isOld, ...(last && { _id: { $gt: last as never } }) })
        .sort({ _id: 1 });
    const isDone = await inBatches(findAfter, control, (batch) => collection.updateMany(batch, removal));
    if (!isDone) return false;
  }
  return inBatches(
    () => history.collection.find({ at: isOld }),
    control,
    (batch) => history.deleteMany(batch),
  );
}

/** Removes what is found, batch by batch, each after the last record of the one before. @returns false if the process stops */
async function inBatches(
  findAfter: (last: object | undefined) => mongo.FindCursor,
  { isStopping, renew }: TaskRun,
  remove: (batch: { _id: object }) => Promise<unknown>,
): Promise<boolean> {
  for (let last: object | undefined; ;) {
    const ids = await findAfter(last)
      .project<{ _id: object }>({ _id: 1 })
      .limit(batchSize)
      .batchSize(batchSize)
      .map(({ _id }) => _id)
      .toArray();
    if (ids.length === 0) return true;
    await remove({ _id: { $in: ids } });
    last = ids.at(-1);
    await renew();
    if (isStopping()) return false;
  }
}
