import { mongo, type Model } from 'mongoose';
import { type Models } from '../database/models.js';
import { isDuplicateKey } from '../errors/mask-error.js';
import { demoData, type DemoData } from './demo-data.js';
import { demoReferenceId, type ReferenceIdOf } from './demo-references.js';

export interface SeedCount {
  inserted: number;
  /** Records left out because they, or others with the same name, were there already. */
  skipped: number;
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
  const references = await insertAbsent(models.references, demoData(now).references);
  const idOf = references.skipped > 0 ? await findReferenceIds(models) : demoReferenceId;

  const data = demoData(now, idOf);
  const companies = await insertAbsent(models.companies, data.companies);
  const isOurs = companies.skipped > 0 ? await findOwnCompanies(models, data) : () => true;

  const jobs = await insertAbsent(
    models.jobs,
    data.jobs.filter(({ company }) => isOurs(company)),
  );
  const media = await insertAbsent(models.media, data.media);
  return {
    media,
    companies,
    jobs: { inserted: jobs.inserted, skipped: data.jobs.length - jobs.inserted },
    references,
  };
}

/** The ids of the references as stored. Somebody else may have made a reference with a demo public id before. */
async function findReferenceIds(models: Models): Promise<ReferenceIdOf> {
  const stored = await models.references.find({}, { kind: 1, publicId: 1 }).lean();
  const ids = new Map(stored.map(({ kind, publicId, _id }) => [`${kind}:${publicId}`, _id]));
  return (kind, publicId) => ids.get(`${kind}:${publicId}`) ?? demoReferenceId(kind, publicId);
}

/** Tells by public id whether a company is the demo's own, even if it was renamed. */
async function findOwnCompanies(models: Models, data: DemoData): Promise<(publicId: string) => boolean> {
  const own = await models.companies
    .find({ _id: { $in: data.companies.map(({ _id }) => _id) } }, { publicId: 1 })
    .lean();
  const publicIds = new Set(own.map(({ publicId }) => publicId));
  return (publicId) => publicIds.has(publicId);
}

/** One round trip at most. @throws MongoBulkWriteError when a record is refused for another reason than a taken key */
async function insertAbsent<T>(model: Model<T>, records: readonly T[]): Promise<SeedCount> {
  if (records.length === 0) return { inserted: 0, skipped: 0 };
  const inserted = await countInserted(model.collection, records as readonly mongo.Document[]);
  return { inserted, skipped: records.length - inserted };
}

async function countInserted(
  collection: Model<unknown>['collection'],
  records: readonly mongo.Document[],
): Promise<number> {
  try {
    // The driver's own method, since Mongoose drops the codes from the errors of single records.
    const { insertedCount } = await collection.insertMany(records, { ordered: false });
    return insertedCount;
  } catch (error) {
    if (error instanceof mongo.MongoBulkWriteError && isOnlyDuplicates(error)) return error.insertedCount;
    throw error;
  }
}

const isOnlyDuplicates = (error: mongo.MongoBulkWriteError): boolean =>
  error.result.getWriteConcernError() === undefined && [error.writeErrors].flat().every(isDuplicateKey);
