import { type Model } from 'mongoose';
import { type CompanyRecord } from '../company/company.model.js';
import { stamp } from '../database/insert-absent.js';
import { type JobRecord } from '../job/job.model.js';
import { type MediaRecord } from '../media/media.model.js';

/** Stamps records that a killed process inserted (Contract 12.3.12). */
export async function stampRest({
  media,
  companies,
  jobs,
}: {
  media: Model<MediaRecord>;
  companies: Model<CompanyRecord>;
  jobs: Model<JobRecord>;
}): Promise<void> {
  // The indexes begin with the media.
  const all = await media.find({}, { publicId: 1 }).lean();
  const ofMedia = { $in: all.map(({ publicId }) => publicId) };
  await stamp(companies.collection, { 'memberships.media': ofMedia });
  await stamp(jobs.collection, { media: ofMedia });
}
