import { type Db } from 'mongodb';
import { isDuplicateKey } from '../errors/mask-error.js';

/**
 * The format of the stored records. A version of the gateway raises it when its records could be misread by the version
 * before; a new optional field or index is no reason. A new field must be readable in records that lack it, written before.
 */
export const recordFormat = 1;

const id = 'records';
const formatsOf = (db: Db) => db.collection<{ _id: string; version: number }>('formats');

/** A newer version of the gateway has written to the database what this one would misread. */
export class RecordFormatError extends Error {
  override readonly name = 'RecordFormatError';

  constructor(stored: number) {
    super(`the database holds records of format ${stored}, and this version reads up to ${recordFormat}`);
  }
}

/** Whether this version's format is noted already. @throws RecordFormatError when a newer version has noted its own */
export async function assertRecordFormat(db: Db): Promise<boolean> {
  const stored = await formatsOf(db).findOne({ _id: id });
  if (stored && stored.version > recordFormat) throw new RecordFormatError(stored.version);
  return stored?.version === recordFormat;
}

/** Notes this version's format (Contract 11.11). @throws RecordFormatError when a newer version has noted its own */
export async function claimRecordFormat(db: Db): Promise<void> {
  if (await assertRecordFormat(db)) return;
  try {
    await formatsOf(db).updateOne(
      { _id: id, version: { $lt: recordFormat } },
      { $set: { version: recordFormat } },
      { upsert: true },
    );
  } catch (error) {
    // Another process was quicker; if its version is newer, this one must not go on.
    if (!isDuplicateKey(error)) throw error;
    await claimRecordFormat(db);
  }
}
