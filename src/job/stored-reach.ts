import { type Collection, type Model } from 'mongoose';
import { type CompanyRecord } from '../company/company.record.js';
import { collectionOf } from '../database/collection-of.js';
import { singleBatch } from '../database/single-batch.js';
import { inPages } from '../database/in-pages.js';
import { insertWithChangedAt } from '../database/insert-absent.js';
import { planList } from '../database/list-plan.js';
import { type JobRecord, noReach, type StoredReach } from './job.record.js';
import { jobLists } from './job.mongoose.js';

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
export const placedJobs = ({ jobs }: Pick<Collections, 'jobs'>, filter: object, hint: object = {}) =>
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
  const projection = { _id: 0, publicId: 1, brand: 1, version: 1, 'memberships.media': 1 };
  const found = await companies.find({ publicId }, { projection, ...singleBatch }).toArray();
  const byId = new Map(found.map((company) => [company.publicId, company]));
  return ({ media, company: of }) => {
    const company = byId.get(of);
    if (!company) return noReach;
    const { brand = null, version, memberships } = company;
    // A damaged company can have anything here.
    const isCompanyInMedia = [memberships].flat().some((each) => each?.media === media);
    return { brand, isCompanyInMedia, companyVersion: Number.isInteger(version) ? version : 0 };
  };
}

/** An import that was paused, and lost its lease meanwhile, must not replace the copy of a newer version of the company. */
const upTo = (newest: number) => ({ companyVersion: { $lte: newest } });

/**
 * Copies to jobs what they store of their companies (Contract 5.6.5). Safe to repeat.
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
  await jobs.bulkWrite(writes as never, { ordered: false });
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

/** Copies to the jobs of companies in some media. */
export async function copyReachOf(
  collections: Collections,
  place: { media: readonly string[]; company: readonly string[] },
  options?: Parameters<typeof copyReach>[2],
): Promise<void> {
  const isCompanyInMedia = { $in: [true, false] };
  for (const media of place.media)
    for (const company of place.company) {
      // Without the hint, the database tries most indexes of jobs before it reads each page.
      const within = { reach: { media, isCompanyInMedia }, filter: { company } };
      const { hint } = planList(jobLists, within, 'public_id');
      for await (const page of placedJobs(collections, { media, isCompanyInMedia, company }, hint))
        await copyReach(collections, page, options);
    }
}

/** How a new version of a company takes reach away. */
export interface Narrowing {
  /** As it was before. */
  company: Pick<CompanyRecord, 'publicId' | 'version'>;
  isBrandChanged: boolean;
  /** The media that the company leaves. */
  left: readonly string[];
}

/**
 * Takes reach away from jobs, before their companies are written. A copy of the company gives it back.
 * @param media all media
 */
export async function narrowReach(
  jobs: Collection<JobRecord>,
  narrowings: readonly Narrowing[],
  media: readonly string[],
): Promise<void> {
  const writes = narrowings.flatMap(({ company: { publicId: company, version }, isBrandChanged, left }) => {
    const narrow = (where: readonly string[], values: Partial<StoredReach>) =>
      where.length > 0
        ? [
            {
              updateMany: {
                filter: { media: { $in: where }, company, ...upTo(version) },
                update: { $set: { ...values, companyVersion: version } },
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
