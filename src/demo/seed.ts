import { type Model, type Types } from 'mongoose';
import { ReferenceBook, type ReferenceRecord } from '../content/reference-book.js';
import { insertAbsent, insertStamped } from '../database/insert-absent.js';
import { type Models } from '../models.js';
import { demoData, type DemoData } from './demo-data.js';

export interface SeedCount {
  inserted: number;
  /** Demo records that were there already, changed or not. */
  skipped: number;
  /** Demo records that are not there, since another record has a key of theirs, or since their company is not there. */
  leftOut: number;
}

export type SeedCounts = Record<keyof DemoData, SeedCount>;

/** Whether the database holds no media. Then there is nothing that a caller could reach. */
export async function isEmpty(models: Models): Promise<boolean> {
  return (await models.media.exists({})) === null;
}

/**
 * Inserts the demo records that are absent and changes none that exists. If a company of somebody else's has the name
 * of a demo company, it keeps it; if it has the public id of one, it gets none of the demo's jobs. Any number of
 * processes may seed at once: each record is inserted and counted once. Jobs count as published some days before
 * `now`.
 *
 * The unique indexes must exist, since they refuse a second copy of a record. The media are inserted last: after a
 * seeding that was cut short, `isEmpty` still holds, and the next start completes it.
 */
export async function seedDemoData(models: Models, now: Date): Promise<SeedCounts> {
  const references = await insertWanted(models.references, demoData(now).references);
  // Somebody else may have made a reference with a demo public id before.
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

/** Tells by public id whether a company is the demo's own, even if it was renamed. */
async function findOwnCompanies(models: Models, data: DemoData): Promise<(publicId: string) => boolean> {
  const own = await models.companies
    .find({ _id: { $in: data.companies.map(({ _id }) => _id) } }, { publicId: 1 })
    .lean();
  const publicIds = new Set(own.map(({ publicId }) => publicId));
  return (publicId) => publicIds.has(publicId);
}

/** Inserts those of the records that are wanted and absent. */
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
