import { type Model, type Types } from 'mongoose';
import { companyFields } from '../company/company-fields.rules.js';
import { type FieldTable, pathsOf } from '../content/fields.rules.js';
import { type Models } from '../models.js';
import { jobFields } from '../job/job-fields.rules.js';
import { demoData, type DemoData } from './demo-data.js';

interface RemovalCount {
  removed: number;
  /** The records that were not removed, because another record needs them. */
  kept: number;
}

/**
 * Removes the demo records and their history, even records that a user has changed. Removes jobs first, then everything that no
 * remaining record needs.
 */
export async function removeDemoData(models: Models): Promise<Record<keyof DemoData, RemovalCount>> {
  const demo = demoData(new Date(0));
  const jobs = await remove(models, models.jobs, demo.jobs, async () => false);
  const companies = await remove(models, models.companies, demo.companies, ({ publicId }) =>
    isThere(models.jobs, { company: publicId }),
  );
  const media = await remove(
    models,
    models.media,
    demo.media,
    async ({ publicId }) =>
      (await isThere(models.jobs, { media: publicId })) ||
      isThere(models.companies, { 'memberships.media': publicId }),
  );
  const references = await remove(
    models,
    models.references,
    // A category comes before its subcategories in the file, and must be removed after them.
    demo.references.reverse(),
    async ({ _id, kind, publicId }) =>
      (await isThere(models.references, { kind, parent: publicId })) ||
      (await isThere(models.companies, { $or: pointersTo(_id, companyFields) })) ||
      isThere(models.jobs, { $or: pointersTo(_id, jobFields) }),
  );
  return { media, companies, jobs, references };
}

/** Queries for the records that point to a reference: one query for each path that may hold a reference. */
const pointersTo = (id: Types.ObjectId, table: FieldTable) =>
  pathsOf(table, 'reference', 'references').map((path) => ({ [path]: id }));

async function remove<T extends { _id: Types.ObjectId }>(
  { history }: Models,
  model: Model<T>,
  records: readonly T[],
  isNeeded: (stored: T) => Promise<boolean>,
): Promise<RemovalCount> {
  const count = { removed: 0, kept: 0 };
  for (const { _id } of records) {
    const stored = await model.findById(_id).lean<T>();
    if (stored && (await isNeeded(stored))) {
      count.kept += 1;
      continue;
    }
    count.removed += (await model.deleteOne({ _id } as never)).deletedCount;
    // Do this even if the record is gone: an interrupted removal may have left the history, and the next seeding would
    // attach it to the new record.
    await history.deleteMany({ record: _id });
  }
  return count;
}

const isThere = async <T>(model: Model<T>, filter: object): Promise<boolean> =>
  (await model.exists(filter)) !== null;
