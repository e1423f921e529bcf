import { type Collection, type Model } from 'mongoose';
import { type CompanyRecord } from '../company/company.record.js';
import { collectionOf } from '../database/collection-of.js';
import { singleBatch } from '../database/single-batch.js';
import { inPages } from '../database/in-pages.js';
import { boundedWrite, insertWithChangedAt } from '../database/insert-absent.js';
import { projectionOf } from '../paging/query.rules.js';
import { type JobRecord, noReach, reachOf, reachPaths, type StoredReach } from './job.record.js';
import { jobStates } from './job-choices.rules.js';
import { jobListKey } from './job.mongoose.js';

export interface RecordModels {
  jobs: Model<JobRecord>;
  companies: Model<CompanyRecord>;
}

export interface Collections {
  jobs: Collection<JobRecord>;
  companies: Collection<CompanyRecord>;
}

export const collectionsOf = ({ jobs, companies }: RecordModels): Collections => ({
  jobs: collectionOf(jobs),
  companies: collectionOf(companies),
});

export type Placed = Pick<JobRecord, 'publicId' | 'media' | 'company'>;

/** Reads, in pages, which media and company jobs are of. */
const placedJobs = ({ jobs }: Pick<Collections, 'jobs'>, filter: object, hint: object = {}) =>
  inPages<Placed>(
    { collection: jobs },
    { filter, projection: { _id: 0, publicId: 1, media: 1, company: 1 }, key: 'publicId', ...hint },
  );

/** @returns what jobs of these companies store */
export async function readReach(
  { companies }: Pick<Collections, 'companies'>,
  places: readonly Pick<Placed, 'company'>[],
): Promise<(place: Pick<Placed, 'media' | 'company'>) => StoredReach> {
  const publicId = { $in: [...new Set(places.map(({ company }) => company))] };
  const projection = projectionOf(['publicId', ...reachPaths]);
  const found = await companies.find({ publicId }, { projection, ...singleBatch }).toArray();
  const byId = new Map(found.map((company) => [company.publicId, company]));
  return ({ media, company: of }) => {
    const company = byId.get(of);
    return company ? reachOf(company, media) : noReach;
  };
}

/** Rejects a copy by a writer that was paused and lost the lease: a newer copy stays. */
export const upTo = (newest: number) => ({ companyVersion: { $lte: newest } });

/**
 * Copies to jobs what they store of their companies. Safe to repeat.
 * @param setsChangedAt for jobs that followers of changes may have missed or seen as gone
 */
export async function copyReach(
  { jobs, companies }: Collections,
  some: readonly Placed[],
  { setsChangedAt = false } = {},
): Promise<void> {
  if (some.length === 0) return;
  const groups = new Map<string, Placed[]>();
  for (const job of some) {
    const place = `${job.media}\n${job.company}`;
    const group = groups.get(place);
    if (group) group.push(job);
    else groups.set(place, [job]);
  }
  const dated = setsChangedAt && { $currentDate: { changedAt: true } };
  const reachOf = await readReach({ companies }, some);
  const writes = [...groups.values()].map((group) => {
    const [{ media, company }] = group as [Placed];
    const reach = reachOf({ media, company });
    const publicId = { $in: group.map((job) => job.publicId) };
    const filter = { publicId, media, company, ...upTo(reach.companyVersion) };
    return { updateMany: { filter, update: { $set: reach, ...dated } } };
  });
  await jobs.bulkWrite(writes as never, { ordered: false, ...boundedWrite });
}

/**
 * Inserts jobs like `insertWithChangedAt`, each with what it stores of its company. A company that has changed meanwhile is copied again
 * before its jobs have `changedAt`: until then, no list shows them.
 */
export async function insertJobs(collections: Collections, records: readonly JobRecord[]): Promise<number[]> {
  const before = await readReach(collections, records);
  const completed = records.map((record) => ({ ...record, ...before(record) }));
  return insertWithChangedAt(collections.jobs as never, completed, async (inserted) => {
    const after = await readReach(collections, inserted);
    const isStale = (job: JobRecord) => after(job).companyVersion !== before(job).companyVersion;
    await copyReach(collections, inserted.filter(isStale));
  });
}

/**
 * Copies a company to all its jobs, also in media that it is not in.
 * @param media all media
 * @param told the media whose followers may have missed its jobs, or seen them as gone
 */
export async function syncJobsOf(
  collections: Collections,
  company: string,
  { media, told }: { media: readonly string[]; told: readonly string[] },
): Promise<void> {
  // Without the hint, the database tries most indexes of jobs before it reads each page.
  const hint = jobListKey('company', 'public_id');
  for (const each of media)
    for await (const page of placedJobs(collections, { ...anyJobIn(each), company }, { hint }))
      await copyReach(collections, page, { setsChangedAt: told.includes(each) });
}

/** Matches what indexes of lists have of a media, also the jobs of companies that have left it. */
export const anyJobIn = (media: unknown) => ({
  media,
  isCompanyInMedia: { $in: [true, false] },
  state: { $in: jobStates },
});

/** How a new version of a company changes who reaches its jobs. */
export interface ReachChange {
  /** As it was before. */
  company: CompanyRecord;
  isBrandChanged: boolean;
  /** The media that the company leaves. */
  left: readonly string[];
  /** The `reachVersion` that the company gets with the change. */
  reachVersion: number;
}

/**
 * Takes reach away from jobs, before their companies are written. A copy of the company gives it back.
 * @param media all media
 */
export async function narrowReach(
  jobs: Collection<JobRecord>,
  changes: readonly ReachChange[],
  media: readonly string[],
): Promise<void> {
  const writes = changes.flatMap(({ company: { publicId: company }, isBrandChanged, left, reachVersion }) => {
    const narrow = (where: readonly string[], values: Partial<StoredReach>) =>
      where.length > 0
        ? [
            {
              updateMany: {
                filter: { media: { $in: where }, company, companyVersion: { $lt: reachVersion } },
                update: { $set: { ...values, companyVersion: reachVersion } },
              },
            },
          ]
        : [];
    const brandless = isBrandChanged ? { brand: null } : {};
    const others = isBrandChanged ? media.filter((each) => !left.includes(each)) : [];
    return [...narrow(left, { ...brandless, isCompanyInMedia: false }), ...narrow(others, brandless)];
  });
  if (writes.length > 0) await jobs.bulkWrite(writes, { ordered: false });
}
