import { type Collection, mongo, type Types } from 'mongoose';
import { isDuplicateKey } from '../errors/mask-error.js';
import { boundedWrite } from './bounded-write.js';

/**
 * Inserts documents in one command, and answers the places of those left out, since another document has their unique key.
 * @param collection the driver's own, since Mongoose drops the codes from the errors of single documents
 * @throws MongoServerError with the code of another refusal, if there is one
 */
export async function insertAbsent<Document>(
  collection: { insertMany(documents: readonly Document[], options: object): Promise<unknown> },
  documents: readonly Document[],
): Promise<number[]> {
  return documents.length === 0 ? [] : placesRefused(collection.insertMany(documents, { ordered: false }));
}

/**
 * The same for records whose `changedAt` the database's clock sets. An insert has no operator for that, but an upsert that matches
 * nothing has.
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

/** The places of an unordered command's writes that a unique key refuses. @throws MongoServerError of any other refusal */
export async function placesRefused(writing: Promise<unknown>): Promise<number[]> {
  try {
    await writing;
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const faults = [error.writeErrors].flat();
    // An error without a fault of a single document means that the reply was lost, or the whole command refused.
    if (faults.length === 0) throw error;
    const other = error.result.getWriteConcernError() ?? faults.find((one) => !isDuplicateKey(one));
    // The driver's error has the code of the first fault alone: callers would take it for a name that another company has.
    if (other) throw new mongo.MongoServerError({ code: Number(other.code), message: String(other.errmsg) });
    return faults.map(({ index }) => index);
  }
}
