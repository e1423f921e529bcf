import { type Collection, type Model } from 'mongoose';
import { type CompanyRecord } from '../company/company.record.js';
import { collectionOf } from '../database/collection-of.js';
import { allInOneBatch } from '../database/all-in-one-batch.js';
import { inPages } from '../database/in-pages.js';
import {
  boundedWrite,
  hasChangedAt,
  insertWithChangedAt,
  lacksChangedAt,
} from '../database/insert-records.js';
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

interface ReachNow {
  reach: StoredReach;
  /** Whether an import is moving the company. A job that came after the import hid the others must not be shown by the reach before. */
  isMoving: boolean;
}

/** @returns the company of each job, with what decides who reaches it */
export async function readCompanies(
  { companies }: Pick<Collections, 'companies'>,
  jobs: readonly Pick<Placed, 'company'>[],
): Promise<(job: Pick<Placed, 'company'>) => CompanyRecord | undefined> {
  const publicId = { $in: [...new Set(jobs.map(({ company }) => company))] };
  const projection = projectionOf(['publicId', 'isSyncDue', ...reachPaths]);
  const found = await companies.find({ publicId }, { projection, ...allInOneBatch }).toArray();
  const byId = new Map(found.map((company) => [company.publicId, company]));
  return ({ company }) => byId.get(company);
}

/** @returns what jobs of these companies store */
export async function readReach(
  collections: Pick<Collections, 'companies'>,
  places: readonly Pick<Placed, 'company'>[],
): Promise<(place: Pick<Placed, 'media' | 'company'>) => ReachNow> {
  const companyOf = await readCompanies(collections, places);
  return (place) => {
    const company = companyOf(place);
    return {
      reach: company ? reachOf(company, place.media) : noReach,
      isMoving: company?.isSyncDue === true,
    };
  };
}

/** Rejects a copy by a writer that was paused and lost the lease: a newer copy stays. */
export const upTo = (newest: number) => ({ companyVersion: { $lte: newest } });

/**
 * Copies to jobs what they store of their companies. Safe to repeat.
 * @param dates which of the jobs get a new `changedAt`: those that followers of changes may have seen as gone, or those that lack one
 */
export async function copyReach(
  { jobs, companies }: Collections,
  some: readonly Placed[],
  dates?: 'shown' | 'pending',
): Promise<void> {
  if (some.length === 0) return;
  const groups = new Map<string, Placed[]>();
  for (const job of some) {
    const place = `${job.media}\n${job.company}`;
    const group = groups.get(place);
    if (group) group.push(job);
    else groups.set(place, [job]);
  }
  const dated = { $currentDate: { changedAt: true } };
  const reachNow = await readReach({ companies }, some);
  const writes = [...groups.values()].flatMap((group) => {
    const [{ media, company }] = group as [Placed];
    const { reach } = reachNow({ media, company });
    const publicId = { $in: group.map((job) => job.publicId) };
    const place = { publicId, media, company, ...upTo(reach.companyVersion) };
    const copy = (which: object, date: object = {}) => ({
      updateMany: { filter: { ...place, ...which }, update: { $set: reach, ...date } },
    });
    if (dates === 'pending') return copy(lacksChangedAt, dated);
    return dates === 'shown' ? [copy(hasChangedAt, dated), copy(lacksChangedAt)] : copy({});
  });
  await jobs.bulkWrite(writes, { ordered: false, ...boundedWrite });
}

/**
 * Inserts jobs like `insertWithChangedAt`, each with what it stores of its company. A company that has changed meanwhile is copied again
 * before its jobs have `changedAt`: until then, no list shows them.
 * @throws Error if another import is moving a company: the next one shows the jobs
 */
export async function insertJobs(collections: Collections, records: readonly JobRecord[]): Promise<number[]> {
  const before = await readReach(collections, records);
  const completed = records.map((record) => ({ ...record, ...before(record).reach }));
  return insertWithChangedAt(collections.jobs as never, completed, async (inserted) => {
    const after = await readReach(collections, inserted);
    if (inserted.some((job) => after(job).isMoving))
      throw new Error('another import is moving companies of these jobs: run this again');
    const isStale = (job: JobRecord) => after(job).reach.companyVersion !== before(job).reach.companyVersion;
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
      // A job that is being created or imported is shown by whoever inserted it, or by the hourly task.
      await copyReach(collections, page, told.includes(each) ? 'shown' : undefined);
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
  /** The company's `reachVersion` from its mark until the change is completed. */
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
                filter: { media: { $in: where }, company, companyVersion: { $lte: reachVersion } },
                // Newer than a copy of the company as it was when it was marked, which a paused import may still write.
                update: { $set: { ...values, companyVersion: reachVersion + 1 } },
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
