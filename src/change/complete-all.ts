import { lacksChangedAt, setChangedAt } from '../database/insert-absent.js';
import { inPages } from '../database/in-pages.js';
import { jobListKey } from '../job/job.mongoose.js';
import { type JobRecord, reachOf, reachPaths } from '../job/job.record.js';
import { anyJobIn, collectionsOf, copyReach } from '../job/stored-reach.js';
import { allMediaIn } from '../media/media.record.js';
import { allOf, projectionOf } from '../paging/query.rules.js';
import { membershipIn } from '../permissions/reach.rules.js';
import { completeMoves, type Moved } from './moves.js';
import { singleBatch } from '../database/single-batch.js';

/** Completes everything that killed imports, seedings, removals and creations left half done. Call this under the lease of imports. */
export async function completeAll(models: Moved): Promise<void> {
  await completeInserts(models);
  await completeMoves(models);
}

/**
 * Completes what killed processes inserted: shows it to lists and followers, or removes a job that a caller was creating, if its company
 * meanwhile left the media, lost its publication there or changed its brand: as the call itself would have.
 */
async function completeInserts(models: Pick<Moved, 'jobs' | 'companies' | 'media'>): Promise<void> {
  // The indexes begin with the media.
  const media = { $in: await allMediaIn(models.media) };
  await setChangedAt(models.companies.collection, { 'memberships.media': media });
  const collections = collectionsOf(models);
  const filter = { ...anyJobIn(media), ...lacksChangedAt };
  const projection = projectionOf(['publicId', 'media', 'company', 'brand', 'pendingHistory.transport']);
  // Without the hint, the database tries most indexes of jobs before it reads.
  const unshown = { filter, projection, key: 'publicId', hint: jobListKey('media', 'updated_at_desc') };
  for await (const page of inPages<JobRecord>({ collection: collections.jobs }, unshown)) {
    const refused = await refusedOf(collections, page);
    for (const { publicId } of refused) await collections.jobs.deleteOne(allOf({ publicId }, lacksChangedAt));
    const shown = page.filter((job) => !refused.includes(job));
    await copyReach(collections, shown, { setsChangedAt: true });
  }
}

const byCaller: ReadonlySet<string> = new Set(['graphql', 'rest']);

/** The created jobs that their company no longer takes. */
async function refusedOf(
  { companies }: Pick<ReturnType<typeof collectionsOf>, 'companies'>,
  jobs: readonly JobRecord[],
): Promise<JobRecord[]> {
  const created = jobs.filter(({ pendingHistory }) =>
    pendingHistory.some(({ transport }) => byCaller.has(transport)),
  );
  if (created.length === 0) return [];
  const projection = projectionOf([...reachPaths, 'publicId']);
  const named = { publicId: { $in: created.map(({ company }) => company) } };
  const found = await companies.find(named, { projection, ...singleBatch }).toArray();
  return created.filter((job) => {
    const company = found.find(({ publicId }) => publicId === job.company);
    const isTaken =
      company &&
      membershipIn(company, job.media)?.isPublished &&
      reachOf(company, job.media).brand === job.brand;
    return !isTaken;
  });
}
