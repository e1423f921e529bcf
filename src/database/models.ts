import { type IndexDescription } from 'mongodb';
import { type Connection, type Model, mongo } from 'mongoose';
import { companyModel } from '../company/company.model.js';
import { isDuplicateKey } from '../errors/mask-error.js';
import { historyModel } from '../history/history.model.js';
import { idempotencyModel } from '../idempotency/idempotency.model.js';
import { jobModel } from '../job/job.model.js';
import { mediaModel } from '../media/media.model.js';
import { referenceModel } from '../reference/reference.model.js';
import { claimRecordFormat } from './record-format.js';

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

/** The indexes that a model declares, as the driver takes them. */
export const indexesOf = ({ schema }: Models[keyof Models]): IndexDescription[] =>
  schema.indexes().map(([key, options]) => ({ ...options, key }) as IndexDescription);

/**
 * Prepares a database for this version: claims the format of its records, then creates the missing indexes, those of a
 * collection in one command. Some servers enforce a unique index only if it is as old as its collection.
 * @throws RecordFormatError when a newer version has written to it
 */
export async function prepareDatabase(models: Models): Promise<void> {
  const { db } = models.media;
  await claimRecordFormat(db.getClient().db(db.name));
  await Promise.all(Object.values(models).map((model) => model.collection.createIndexes(indexesOf(model))));
}

/**
 * Inserts documents in one command, except those of which another document has a unique key already.
 * @param collection the driver's own, since Mongoose drops the codes from the errors of single documents
 * @returns the places of the documents that were not inserted
 * @throws MongoBulkWriteError if a document is refused for another reason
 */
export async function insertAbsent(
  collection: Model<never>['collection'],
  documents: readonly mongo.Document[],
): Promise<number[]> {
  if (documents.length === 0) return [];
  try {
    await collection.insertMany(documents, { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const faults = [error.writeErrors].flat();
    // An error without a fault of a single document means that the reply was lost, or the whole command refused.
    if (faults.length === 0) throw error;
    if (error.result.getWriteConcernError() || !faults.every(isDuplicateKey)) throw error;
    return faults.map(({ index }) => index);
  }
}
