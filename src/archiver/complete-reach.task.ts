import { inPages } from '../database/in-pages.js';
import { collectionsOf, copyReach, incompleteQuery, type Placed } from '../job/stored-reach.js';
import { type Models } from '../models.js';
import { hourMs, type Task } from './task.js';

/**
 * Stores in jobs of version 1.x what lists need of their companies. Sets no version, `changedAt` or history, or followers of changes would
 * read every job again.
 */
export const completeReachTask = (models: Models): Task => ({
  name: 'complete-reach',
  everyMs: hourMs,
  isVital: false,
  run: async ({ isStopping, renew }) => {
    const collections = collectionsOf(models);
    const projection = { publicId: 1, media: 1, company: 1 };
    const incomplete = { filter: incompleteQuery, projection, key: 'publicId' };
    for await (const page of inPages<Placed>(models.jobs, incomplete)) {
      await copyReach(collections, page);
      await renew();
      if (isStopping()) return false;
    }
    return true;
  },
});
