import { type Connection, type Model } from 'mongoose';
import { companyModel } from '../company/company.model.js';
import { historyModel } from '../history/history.model.js';
import { idempotencyModel } from '../idempotency/idempotency.model.js';
import { jobModel } from '../job/job.model.js';
import { mediaModel } from '../media/media.model.js';
import { referenceModel } from '../reference/reference.model.js';

export type Models = ReturnType<typeof modelsOf>;

/** Every model, bound to one connection. */
export const modelsOf = (connection: Connection) => ({
  media: mediaModel(connection),
  companies: companyModel(connection),
  jobs: jobModel(connection),
  references: referenceModel(connection),
  history: historyModel(connection),
  idempotency: idempotencyModel(connection),
});

/** Makes the indexes that are missing; those that exist already cost a question each. */
export async function ensureIndexes(models: Models): Promise<void> {
  const all: Pick<Model<unknown>, 'createIndexes'>[] = Object.values(models);
  await Promise.all(all.map((model) => model.createIndexes()));
}
