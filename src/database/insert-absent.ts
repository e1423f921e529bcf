import { type Collection, mongo, type Types } from 'mongoose';
import { isDuplicateKey } from '../errors/mask-error.js';
import { boundedWrite } from './bounded-write.js';

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
 * Like `insertAbsent`, but the database's clock sets `changedAt`. An insert can't use `$currentDate`; an upsert that matches nothing can.
 */
export const insertStamped = async (
  collection: Pick<Collection, 'insertMany' | 'bulkWrite'>,
  records: readonly { _id: Types.ObjectId }[],
): Promise<number[]> =>
  records.length === 0
    ? []
    : placesRefused(
        collection.bulkWrite(
          records.map((record) => ({
            updateOne: {
              filter: { _id: { $in: [] } },
              update: { $setOnInsert: record, $currentDate: { changedAt: true } },
              upsert: true,
            },
          })),
          { ordered: false, ...boundedWrite },
        ),
      );

/**
 * Waits for an unordered write. @returns the indexes of the documents that a unique key rejected
 * @throws MongoServerError if anything else failed
 */
export async function placesRefused(writing: Promise<unknown>): Promise<number[]> {
  try {
    await writing;
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const faults = [error.writeErrors].flat();
    // The reply was lost, or the whole command was rejected.
    if (faults.length === 0) throw error;
    const other = error.result.getWriteConcernError() ?? faults.find((one) => !isDuplicateKey(one));
    // Don't rethrow the driver's error: it has the code of the first failure only, and may wrongly tell callers that a name is taken.
    if (other) throw new mongo.MongoServerError({ code: Number(other.code), message: String(other.errmsg) });
    return faults.map(({ index }) => index);
  }
}
