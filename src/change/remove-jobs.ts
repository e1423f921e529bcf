import { boundedWrite } from '../database/insert-records.js';
import { collectionsOf } from '../job/stored-reach.js';
import { type JobRecord, noReach, nowhere } from '../job/job.record.js';
import { completeMoves, dueIn, type Moved } from './moves.js';

/** No copy of a company is newer, so none shows the job again. */
const forGood = { ...noReach, companyVersion: 2 ** 31 - 1 };

/**
 * Removes jobs with their history and stored replies. Nobody reaches a job from its mark on, and followers learn that it is gone. Call
 * this under the lease of imports: its next holder completes a removal that was interrupted.
 * @param jobs as they were read: a job that has changed meanwhile stays
 */
export async function removeJobs(
  models: Moved,
  jobs: readonly Pick<JobRecord, 'publicId' | 'version' | 'media'>[],
): Promise<void> {
  const marks = jobs.map(({ publicId, version, media }) => ({
    updateOne: {
      filter: { publicId, version },
      update: {
        $set: { ...forGood, ...dueIn([media]), media: nowhere },
        $inc: { version: 1 },
        $currentDate: { changedAt: true },
      },
    },
  }));
  await collectionsOf(models).jobs.bulkWrite(marks as never, { ordered: false, ...boundedWrite });
  await completeMoves(models);
}
