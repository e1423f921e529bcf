import { type Model } from 'mongoose';
import { inPages } from '../database/in-pages.js';
import { isUnstamped, stamp } from '../database/insert-absent.js';
import { planList } from '../database/list-plan.js';
import { collectionsOf, copyReach, type Placed, type RecordModels } from '../job/stored-reach.js';
import { jobLists } from '../job/job.model.js';
import { allMediaIn, type MediaRecord } from '../media/media.model.js';

/** Stamps records that a killed process inserted (Contract 12.3.12). */
export async function stampRest({
  media,
  ...models
}: RecordModels & { media: Model<MediaRecord> }): Promise<void> {
  const { companies, jobs } = models;
  // The indexes begin with the media.
  const ofMedia = { $in: await allMediaIn(media) };
  await stamp(companies.collection, { 'memberships.media': ofMedia });
  const collections = collectionsOf(models);
  const projection = { publicId: 1, media: 1, company: 1 };
  // Without the hint, the database tries most indexes of jobs before it reads.
  const { hint } = planList(
    jobLists,
    { reach: { media: ofMedia }, filter: {} },
    { changedAt: 1, publicId: 1 },
  );
  const unstamped = { filter: { media: ofMedia, ...isUnstamped }, projection, key: 'publicId', ...hint };
  for await (const page of inPages<Placed>(jobs, unstamped))
    await copyReach(collections, page, { isStamping: true });
}
