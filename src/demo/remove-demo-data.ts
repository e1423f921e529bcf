import { type Model, type Types } from 'mongoose';
import { companyFields } from '../company/company-fields.rules.js';
import { type FieldTable, pathsOf } from '../fields/fields.rules.js';
import { type Models } from '../models.js';
import { jobFields } from '../job/job-fields.rules.js';
import { demoData, type DemoData } from './demo-data.js';

interface RemovalCount {
  removed: number;
  /** Records that another record needs. */
  kept: number;
}

/**
 * Removes demo records and their history, even if a user changed them: jobs first, then everything that no remaining record needs.
 * @param beforeEach called before the records of each kind
 */
export async function removeDemoData(
  models: Models,
  beforeEach: () => Promise<void>,
): Promise<Record<keyof DemoData, RemovalCount>> {
  await beforeEach();
  const demo = demoData(new Date(0));
  const jobs = await remove(models, models.jobs, demo.jobs, async () => false);
  await beforeEach();
  const companies = await remove(models, models.companies, demo.companies, ({ publicId }) =>
    isThere(models.jobs, { company: publicId }),
  );
  await beforeEach();
  const media = await remove(
    models,
    models.media,
    demo.media,
    async ({ publicId }) =>
      (await isThere(models.jobs, { media: publicId })) ||
      isThere(models.companies, { 'memberships.media': publicId }),
  );
  await beforeEach();
  const references = await remove(
    models,
    models.references,
    // The file lists a category before its subcategories.
    demo.references.reverse(),
    async ({ _id, kind, publicId }) =>
      (await isThere(models.references, { kind, parent: publicId })) ||
      (await isThere(models.companies, { $or: pointersTo(_id, companyFields) })) ||
      isThere(models.jobs, { $or: pointersTo(_id, jobFields) }),
  );
  return { media, companies, jobs, references };
}

const pointersTo = (id: Types.ObjectId, table: FieldTable) =>
  pathsOf(table, 'refersTo').map((path) => ({ [path]: id }));

async function remove<T extends { _id: Types.ObjectId; publicId: string }>(
  { history }: Models,
  model: Model<T>,
  records: readonly T[],
  isNeeded: (stored: T) => Promise<boolean>,
): Promise<RemovalCount> {
  const count = { removed: 0, kept: 0 };
  for (const { _id, publicId } of records) {
    const stored = await model.findOne({ _id, publicId } as never).lean<T>();
    if (stored && (await isNeeded(stored))) {
      count.kept += 1;
      continue;
    }
    count.removed += (await model.deleteOne({ _id, publicId } as never)).deletedCount;
    // Do this even if the record is gone: an interrupted removal may have left history, which the next seeding would attach to the new
    // record.
    await history.deleteMany({ record: _id });
  }
  return count;
}

const isThere = async <T>(model: Model<T>, filter: object): Promise<boolean> =>
  (await model.exists(filter)) !== null;
