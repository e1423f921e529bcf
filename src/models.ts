import { type IndexDescription } from 'mongodb';
import { type Connection } from 'mongoose';
import { type Tombstone, tombstoneSchema } from './change/tombstone.record.js';
import { companySchema } from './company/company.mongoose.js';
import { type CompanyRecord } from './company/company.record.js';
import { type StoredEntry } from './history/history.record.js';
import { historySchema } from './history/history.mongoose.js';
import { type IdempotencyRecord, idempotencySchema } from './idempotency/idempotency.record.js';
import { jobSchema } from './job/job.mongoose.js';
import { type JobRecord } from './job/job.record.js';
import { type MediaRecord, mediaSchema } from './media/media.record.js';
import { referenceSchema } from './reference/reference.record.js';
import { type ReferenceRecord } from './fields/reference-snapshot.js';
import { type ConnectSettings, type Database, databaseOf, withDatabase } from './database/connect.js';
import { indexesIn, indexName } from './database/indexes.js';
import { askAllInOneBatch } from './database/all-in-one-batch.js';
import { assertRecordFormat, claimRecordFormat } from './database/record-format.js';

export type Models = ReturnType<typeof modelsOf>;

export function modelsOf(connection: Connection) {
  connection.plugin(askAllInOneBatch);
  return {
    media: connection.model<MediaRecord>('Media', mediaSchema),
    companies: connection.model<CompanyRecord>('Company', companySchema),
    jobs: connection.model<JobRecord>('Job', jobSchema),
    references: connection.model<ReferenceRecord>('Reference', referenceSchema),
    history: connection.model<StoredEntry>('History', historySchema),
    tombstones: connection.model<Tombstone>('Departure', tombstoneSchema),
    idempotency: connection.model<IdempotencyRecord>('Idempotency', idempotencySchema),
  };
}

/**
 * Opens the database and runs the body of a command.
 * @throws ConnectError; RecordFormatError unless the database is new, or a gateway of this major version has started on it
 */
export const withModels = <T>(
  settings: ConnectSettings,
  work: (models: Models, database: Database) => Promise<T>,
): Promise<T> =>
  withDatabase(settings, async (database) => {
    const models = modelsOf(database.tasks);
    await assertRecordFormat(databaseOf(database.tasks));
    return work(models, database);
  });

type AnyModel = Models[keyof Models];

export const indexesOf = ({ schema }: AnyModel): IndexDescription[] =>
  schema.indexes().map(([key, options]) => ({ ...options, key }) as IndexDescription);

/**
 * Notes the format of the records in a new database, and creates the indexes.
 * @param onMissing called with the names of the missing indexes, before they are built; not for new collections
 * @throws RecordFormatError unless the database is new, or a gateway of this major version has started on it
 */
export async function prepareDatabase(
  models: Models,
  onMissing: (indexes: string[]) => void = () => undefined,
): Promise<void> {
  await claimRecordFormat(databaseOf(models.media.db));
  const missing = await Promise.all(Object.values(models).map(missingFrom));
  if (missing.flat().length > 0) onMissing(missing.flat());
  await buildIndexes(models);
}

/**
 * Creates all indexes of a collection in one command: DocumentDB builds later indexes in the background, and enforces a unique one only
 * when it is built.
 */
export async function buildIndexes(models: Models): Promise<void> {
  await Promise.all(
    Object.values(models).map((model) =>
      model.collection.createIndexes(indexesOf(model)).catch((error: Error) => {
        error.message = `${model.collection.collectionName}: ${error.message}`;
        throw error;
      }),
    ),
  );
}

async function missingFrom(model: AnyModel): Promise<string[]> {
  const there = await indexesIn(model.collection);
  const wanted = there ? indexesOf(model).map(indexName) : [];
  return wanted
    .filter((name) => !there?.some((index) => index.name === name))
    .map((name) => `${model.collection.collectionName}.${name}`);
}

const mostRecords = 50_000;
export const serverMessage =
  'the built-in store holds 50 000 records or more: it is time for a MongoDB server';

/** Whether the built-in store, which keeps all records in memory, has become too large. */
export async function needsServer({ media, references, companies, jobs }: Models): Promise<boolean> {
  const counts = await Promise.all(
    [media, references, companies, jobs].map(({ collection }) =>
      collection.countDocuments({}, { limit: mostRecords }),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0) >= mostRecords;
}
