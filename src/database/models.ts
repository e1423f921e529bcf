import { type IndexDescription } from 'mongodb';
import { type Connection } from 'mongoose';
import { companyModel } from '../company/company.model.js';
import { historyModel } from '../history/history.model.js';
import { idempotencyModel } from '../idempotency/idempotency.model.js';
import { jobModel } from '../job/job.model.js';
import { mediaModel } from '../media/media.model.js';
import { referenceModel } from '../reference/reference.model.js';
import { askInOneReply } from './in-one-reply.js';
import { mendNameKeys } from './mend-name-keys.js';
import { claimRecordFormat } from './record-format.js';

export type Models = ReturnType<typeof modelsOf>;

/** Every model, bound to one connection. */
export function modelsOf(connection: Connection) {
  connection.plugin(askInOneReply);
  return {
    media: mediaModel(connection),
    companies: companyModel(connection),
    jobs: jobModel(connection),
    references: referenceModel(connection),
    history: historyModel(connection),
    idempotency: idempotencyModel(connection),
  };
}

/** The indexes that a model declares, as the driver takes them. */
export const indexesOf = ({ schema }: Models[keyof Models]): IndexDescription[] =>
  schema.indexes().map(([key, options]) => ({ ...options, key }) as IndexDescription);

/**
 * Prepares a database for this version: claims the format of its records; creates the missing indexes, those of a collection in
 * one command, since some servers enforce a unique index only if it is as old as its collection; mends the keys of names.
 * @returns the public ids of companies that are not found by their names, since another company has the key
 * @throws RecordFormatError when a newer version has written to it
 */
export async function prepareDatabase(models: Models): Promise<string[]> {
  const { db } = models.media;
  await claimRecordFormat(db.getClient().db(db.name));
  await Promise.all(Object.values(models).map((model) => model.collection.createIndexes(indexesOf(model))));
  return mendNameKeys(models.companies);
}
