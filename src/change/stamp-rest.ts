import { type Model } from 'mongoose';
import { isUnstamped, stamp } from '../database/insert-absent.js';
import { planList } from '../database/list-plan.js';
import { collectionsOf, copyReach, placedJobs, type RecordModels } from '../job/stored-reach.js';
import { jobLists } from '../job/job.mongoose.js';
import { allMediaIn, type MediaRecord } from '../media/media.record.js';

/** Stamps records that a killed process inserted. */
export async function stampRest(models: RecordModels & { media: Model<MediaRecord> }): Promise<void> {
  // The indexes begin with the media.
  const inMedia = { media: { $in: await allMediaIn(models.media) } };
  await stamp(models.companies.collection, { 'memberships.media': inMedia.media });
  const collections = collectionsOf(models);
  // Without the hint, the database tries most indexes of jobs before it reads.
  const { hint } = planList(jobLists, { reach: inMedia, filter: {} }, 'updated_at_desc');
  for await (const page of placedJobs(collections, { ...inMedia, ...isUnstamped }, hint))
    await copyReach(collections, page, { isStamping: true });
}
