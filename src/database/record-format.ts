import { type Db } from 'mongodb';
import { isDuplicateKey } from '../errors/mask-error.js';

/**
 * The format of the stored records. Raise it when the previous version of the gateway could misread new records. A new
 * optional field or a new index doesn't need a new format. Records from before a new field must stay readable.
 */
export const recordFormat = 1;

const id = 'records';
const formatsOf = (db: Db) => db.collection<{ _id: string; version: number }>('formats');

/** A newer version of the gateway has written records that this version would misread. */
export class RecordFormatError extends Error {
  override readonly name = 'RecordFormatError';

  constructor(stored: number) {
    super(
      `the database holds records of format ${stored}, but this version reads at most format ${recordFormat}`,
    );
  }
}

/** Whether the database already has this version's format. @throws RecordFormatError if it has a newer one */
export async function assertRecordFormat(db: Db): Promise<boolean> {
  const stored = await formatsOf(db).findOne({ _id: id });
  if (stored && stored.version > recordFormat) throw new RecordFormatError(stored.version);
  return stored?.version === recordFormat;
}

/** Stores this version's format (Contract 11.11). @throws RecordFormatError if the database has a newer one */
export async function claimRecordFormat(db: Db): Promise<void> {
  if (await assertRecordFormat(db)) return;
  try {
    await formatsOf(db).updateOne(
      { _id: id, version: { $lt: recordFormat } },
      { $set: { version: recordFormat } },
      { upsert: true },
    );
  } catch (error) {
    // Another process was faster. Check again, because that process may be a newer version.
    if (!isDuplicateKey(error)) throw error;
    await claimRecordFormat(db);
  }
}
