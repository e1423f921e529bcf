import { type Db } from 'mongodb';
import { buildQuotaIndexes, hasQuotaIndexes } from '../access/quota-indexes.js';
import { minuteMs, type Task } from './task.js';

/**
 * Builds the indexes of the quotas again if they are lost, because each process would then count the calls of a caller apart.
 * @param onRebuilt called with the number of duplicates that were removed
 */
export const rebuildQuotaIndexesTask = (db: Db, onRebuilt: (removed: number) => void): Task => ({
  name: 'rebuild-quota-indexes',
  everyMs: minuteMs,
  isVital: false,
  run: async () => {
    if (!(await hasQuotaIndexes(db))) onRebuilt(await buildQuotaIndexes(db));
    return true;
  },
});
