import { type Collection, mongo, type Types } from 'mongoose';
import { allOf } from '../paging/query.rules.js';
import { isDuplicateKey } from './database-errors.js';

/** Aborts the write after 4.5 s: `changes` leaves out only the last 5 s, and would miss a write that appears later. */
export const boundedWrite = { maxTimeMS: 4_500 } as const;

/**
 * Inserts documents in one command, and skips documents whose unique key is taken.
 * @param collection the driver's collection, because Mongoose's drops the error codes of single documents
 * @returns the indexes of the skipped documents
 * @throws MongoServerError if anything else failed, with the code of that failure
 */
export async function insertAbsent<Document>(
  collection: { insertMany(documents: readonly Document[], options: object): Promise<unknown> },
  documents: readonly Document[],
): Promise<number[]> {
  return documents.length === 0 ? [] : placesRefused(collection.insertMany(documents, { ordered: false }));
}

/**
 * The `changedAt` of a record that is inserted, until the database's clock dates it: an insert can't use `$currentDate`. Lists
 * must leave these records out, and `changes` ends before this instant.
 */
export const pendingChangedAt = new Date('9999-12-31T23:59:59.999Z');

/** Joined to the query of each list, because a record that it shows too early would be missing from `updatedSince`. */
export const hasChangedAt = { changedAt: { $ne: pendingChangedAt } } as const;

export const lacksChangedAt = { changedAt: pendingChangedAt } as const;

/** A sharded database finds the record by `publicId`. */
export type Inserting = { _id: Types.ObjectId; publicId: string };

type WritableCollection = Pick<Collection, 'insertMany' | 'updateMany'>;

/** Every company and job comes into the database here. No list shows it until it has `changedAt`. */
export const insertPending = async <Inserted extends Inserting>(
  collection: WritableCollection,
  records: readonly Inserted[],
): Promise<number[]> =>
  insertAbsent(
    collection,
    records.map((record) => ({ ...record, changedAt: pendingChangedAt })),
  );

/**
 * Like `insertPending`, then the database's clock sets `changedAt`, with a second command: an upsert for each record takes twice as long.
 * If the process dies in between, `completeAll` does the rest.
 * @param afterInsert called in between
 */
export async function insertWithChangedAt<Inserted extends Inserting>(
  collection: WritableCollection,
  records: readonly Inserted[],
  afterInsert: (inserted: readonly Inserted[]) => Promise<void> = async () => undefined,
): Promise<number[]> {
  if (records.length === 0) return [];
  const refused = await insertPending(collection, records);
  await afterInsert(records.filter((_, index) => !refused.includes(index)));
  const ids = records.map(({ _id }) => _id);
  await setChangedAt(collection, {
    _id: { $in: ids },
    publicId: { $in: records.map(({ publicId }) => publicId) },
  });
  return refused;
}

/** Dates the records that lack `changedAt`, by the database's clock. @param some which records to date */
export const setChangedAt = async (
  collection: WritableCollection,
  some: Record<string, unknown>,
): Promise<unknown> =>
  collection.updateMany(allOf(some, lacksChangedAt), { $currentDate: { changedAt: true } }, boundedWrite);

/** Waits for an unordered write. @returns the indexes of documents with a taken unique key @throws MongoServerError for other failures */
export async function placesRefused(writing: Promise<unknown>): Promise<number[]> {
  try {
    await writing;
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const concern = error.result.getWriteConcernError();
    // WriteConcernFailed, for any code of the concern: a change of primary may undo the write.
    if (concern) throw new mongo.MongoServerError({ code: 64, message: String(concern.errmsg) });
    const faults = [error.writeErrors].flat();
    // The reply was lost, or the whole command was rejected.
    if (faults.length === 0) throw error;
    const other = faults.find((one) => !isDuplicateKey(one));
    // Don't rethrow the driver's error: it has the code of the first failure only, and may wrongly tell callers that a name is taken.
    if (other) throw new mongo.MongoServerError({ code: Number(other.code), message: String(other.errmsg) });
    return faults.map(({ index }) => index);
  }
}
