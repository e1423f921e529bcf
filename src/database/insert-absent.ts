import { mongo } from 'mongoose';
import { isDuplicateKey } from '../errors/mask-error.js';

/**
 * Inserts documents in one command, and answers the places of those left out, since another document has their unique key.
 * @param collection the driver's own, since Mongoose drops the codes from the errors of single documents
 * @throws MongoBulkWriteError if a document is refused for another reason
 */
export async function insertAbsent<Document>(
  collection: { insertMany(documents: readonly Document[], options: object): Promise<unknown> },
  documents: readonly Document[],
): Promise<number[]> {
  return documents.length === 0 ? [] : placesRefused(collection.insertMany(documents, { ordered: false }));
}

/** The places of an unordered command's writes that a unique key refuses. @throws MongoBulkWriteError for any other refusal */
export async function placesRefused(writing: Promise<unknown>): Promise<number[]> {
  try {
    await writing;
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
