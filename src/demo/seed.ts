import { type Model, type Types } from 'mongoose';
import { ReferenceBook, type ReferenceRecord } from '../content/reference-book.js';
import { insertAbsent, insertStamped } from '../database/insert-absent.js';
import { type Models } from '../models.js';
import { demoData, type DemoData } from './demo-data.js';

export interface SeedCount {
  inserted: number;
  /** Demo records that existed already, changed or not. */
  skipped: number;
  /** Demo records that could not be inserted: another record has one of their keys, or their company was left out. */
  leftOut: number;
}

export type SeedCounts = Record<keyof DemoData, SeedCount>;

/** Whether the database holds no media, so that callers cannot reach anything. */
export async function isEmpty(models: Models): Promise<boolean> {
  return (await models.media.exists({})) === null;
}

/**
 * Inserts missing demo records. Never changes existing records. If another company has the name, the domain or the public id of
 * a demo company, the demo company and its jobs are left out. Several processes may seed at once: each record is inserted and
 * counted once. The publication dates of the jobs depend on `now`.
 *
 * The unique indexes must exist, because they reject a second copy of a record. Media are inserted last: after an interrupted
 * seeding, `isEmpty` is still true, and the next start completes the seeding.
 */
export async function seedDemoData(models: Models, now: Date): Promise<SeedCounts> {
  const references = await insertWanted(models.references, demoData(now).references);
  // Another reference may already have the public id of a demo reference.
  const data =
    references.leftOut > 0
      ? demoData(now, new ReferenceBook(await models.references.find().lean<ReferenceRecord[]>()))
      : demoData(now);
  const companies = await insertWanted(models.companies, data.companies, insertStamped);
  const isOurs = companies.leftOut > 0 ? await findOwnCompanies(models, data) : () => true;

  const jobs = await insertWanted(models.jobs, data.jobs, insertStamped, ({ company }) => isOurs(company));
  const media = await insertWanted(models.media, data.media);
  return { media, companies, jobs, references };
}

/** Returns a function that checks whether a public id belongs to one of the demo's own companies, even a renamed one. */
async function findOwnCompanies(models: Models, data: DemoData): Promise<(publicId: string) => boolean> {
  const own = await models.companies
    .find({ _id: { $in: data.companies.map(({ _id }) => _id) } }, { publicId: 1 })
    .lean();
  const publicIds = new Set(own.map(({ publicId }) => publicId));
  return (publicId) => publicIds.has(publicId);
}

/** Inserts the wanted records that are missing. */
async function insertWanted<T extends { _id: Types.ObjectId }>(
  model: Model<T>,
  records: readonly T[],
  insert: typeof insertStamped = insertAbsent,
  isWanted: (record: T) => boolean = () => true,
): Promise<SeedCount> {
  const wanted = records.filter(isWanted);
  const inserted = wanted.length - (await insert(model.collection, wanted)).length;
  if (inserted === records.length) return { inserted, skipped: 0, leftOut: 0 };
  const there = await model.countDocuments({ _id: { $in: records.map(({ _id }) => _id) } });
  return { inserted, skipped: there - inserted, leftOut: records.length - there };
}
