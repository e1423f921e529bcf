import { type CompanyRecord } from '../company/company.record.js';
import { lacksChangedAt, setChangedAt } from '../database/insert-records.js';
import { inPages } from '../database/in-pages.js';
import { jobListKey } from '../job/job.mongoose.js';
import { type JobRecord, reachOf } from '../job/job.record.js';
import { anyJobIn, collectionsOf, copyReach, readCompanies } from '../job/stored-reach.js';
import { allMediaIn } from '../media/media.record.js';
import { allOf, projectionOf } from '../paging/query.rules.js';
import { membershipIn } from '../permissions/reach.rules.js';
import { completeMoves, type Moved } from './moves.js';

/** Completes everything that killed imports, seedings, removals and creations left half done. Call this under the lease of imports. */
export async function completeAll(models: Moved): Promise<void> {
  await completeMoves(models);
  await completeInserts(models);
}

/**
 * Completes what killed processes inserted: shows it to lists and followers, or removes a job that a caller was creating, if its company
 * meanwhile left the media, lost its publication there or changed its brand: as the call itself would have. Leaves jobs of companies that an
 * import is moving to the next run.
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
    const companyOf = await readCompanies(collections, page);
    const settled = page.filter((job) => !companyOf(job)?.isSyncDue);
    const refused = settled.filter((job) => isCreated(job) && !isTaken(job, companyOf(job)));
    for (const { publicId } of refused) await collections.jobs.deleteOne(allOf({ publicId }, lacksChangedAt));
    const shown = settled.filter((job) => !refused.includes(job));
    await copyReach(collections, shown, 'pending');
  }
}

const byCaller: ReadonlySet<string> = new Set(['graphql', 'rest']);

const isCreated = ({ pendingHistory }: JobRecord): boolean =>
  pendingHistory.some(({ transport }) => byCaller.has(transport));

/** Whether the company still takes the created job. */
const isTaken = (job: JobRecord, company: CompanyRecord | undefined): boolean =>
  company !== undefined &&
  membershipIn(company, job.media)?.isPublished === true &&
  reachOf(company, job.media).brand === job.brand;
