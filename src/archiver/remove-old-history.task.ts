import { entriesOf } from '../history/history.model.js';
import { type Models } from '../models.js';
import { removeFromRecords } from './remove-from-records.js';
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

async function removeHistoryBefore(before: Date, models: Models, control: TaskRun): Promise<boolean> {
  // No index finds these records.
  if (!(await removeFromRecords('pendingHistory', before, models, control))) return false;
  for (;;) {
    const batch = await models.history
      .find({ at: { $lt: before } }, { record: 1 })
      .limit(batchSize)
      .lean();
    if (batch.length === 0) return true;
    await models.history.deleteMany(
      entriesOf(
        batch.map(({ record }) => record),
        batch.map(({ _id }) => _id),
      ),
    );
    await control.renew();
    if (control.isStopping()) return false;
  }
}
