import { inPages } from '../database/in-pages.js';
import { type Versioned } from '../history/history-entry.js';
import { type Models } from '../models.js';
import { skipDamaged } from './skip-damaged.js';
import { type TaskRun } from './task.js';

/**
 * Removes the elements of a list from before an instant, in all jobs and companies.
 * @returns false if the process is stopping
 */
export async function removeFromRecords(
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
