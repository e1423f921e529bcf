import { type Model } from 'mongoose';
import { LogoStore } from '../company/logo/logo-store.js';
import { ReferenceSnapshot, type ReferenceRecord } from '../fields/reference-snapshot.js';
import { insertAbsent, type Inserting, insertWithChangedAt } from '../database/insert-absent.js';
import { latestEnd } from '../job/job-end.rules.js';
import { collectionsOf, insertJobs } from '../job/stored-reach.js';
import { type Models } from '../models.js';
import { demoData, demoLogos, type DemoData } from './demo-data.js';

export interface SeedCount {
  inserted: number;
  /** Records that existed before, changed or not. */
  skipped: number;
  /** Records whose key another record has, or whose company was left out. */
  leftOut: number;
}

export type SeedCounts = Record<keyof DemoData, SeedCount>;

/** Without media, callers can reach nothing. */
export const isEmpty = async ({ media }: Models): Promise<boolean> => (await media.exists({})) === null;

/**
 * Inserts missing demo records, and never changes existing records. Leaves out a demo company and its jobs if another company has its
 * name, domain or public id. Several processes may seed at once: the unique indexes, which must exist, reject a second copy of a record.
 *
 * Media come last: after an interrupted seeding, `isEmpty` is still true, and the next start completes the seeding.
 * @param beforeEach called before the records of each kind
 */
export async function seedDemoData(
  models: Models,
  now: Date,
  lifetimeMs: number,
  beforeEach: () => Promise<void> = async () => undefined,
): Promise<SeedCounts> {
  await beforeEach();
  const references = await insertWanted(models.references, demoData(now).references);
  // Another reference may have the public id of a demo reference.
  const data =
    references.leftOut > 0
      ? demoData(now, new ReferenceSnapshot(await models.references.find().lean<ReferenceRecord[]>()))
      : demoData(now);
  const logos = new LogoStore(models.companies.db, () => now);
  for (const logo of await demoLogos()) await logos.put(logo);
  await beforeEach();
  const companies = await insertWanted(models.companies, data.companies, insertWithChangedAt);
  const isOurs = companies.leftOut > 0 ? await findOwnCompanies(models, data) : () => true;

  await beforeEach();
  const jobs = await insertWanted(
    models.jobs,
    data.jobs.map((job) => ({ ...job, expiresAt: latestEnd(job.publishedAt, lifetimeMs) })),
    (_, records) => insertJobs(collectionsOf(models), records),
    ({ company }) => isOurs(company),
  );
  await beforeEach();
  const media = await insertWanted(models.media, data.media);
  return { media, companies, jobs, references };
}

/** A renamed demo company counts too. */
async function findOwnCompanies(models: Models, data: DemoData): Promise<(publicId: string) => boolean> {
  const own = await models.companies
    .find({ _id: { $in: data.companies.map(({ _id }) => _id) } }, { publicId: 1 })
    .lean();
  const publicIds = new Set(own.map(({ publicId }) => publicId));
  return (publicId) => publicIds.has(publicId);
}

async function insertWanted<T extends Inserting>(
  model: Model<T>,
  records: readonly T[],
  insert: (collection: Model<T>['collection'], records: readonly T[]) => Promise<number[]> = insertAbsent,
  isWanted: (record: T) => boolean = () => true,
): Promise<SeedCount> {
  const wanted = records.filter(isWanted);
  const inserted = wanted.length - (await insert(model.collection, wanted)).length;
  if (inserted === records.length) return { inserted, skipped: 0, leftOut: 0 };
  const [ids, publicIds] = [records.map(({ _id }) => _id), records.map(({ publicId }) => publicId)];
  const there = await model.countDocuments({ _id: { $in: ids }, publicId: { $in: publicIds } });
  return { inserted, skipped: there - inserted, leftOut: records.length - there };
}
