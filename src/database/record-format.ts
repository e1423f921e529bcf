import { type Db } from 'mongodb';
import { isDuplicateKey } from './mask-error.js';

/** Raise this number if the previous version could misread new records. Records from before a new field must stay readable. */
export const recordFormat = 1;

const id = 'records';
const formatsOf = (db: Db) => db.collection<{ _id: string; version: number }>('formats');

export class RecordFormatError extends Error {
  override readonly name = 'RecordFormatError';

  constructor(stored: number) {
    super(
      `the database holds records of format ${stored}, but this version reads at most format ${recordFormat}`,
    );
  }
}

/** Whether the database has this version's format. @throws RecordFormatError if it has a newer one */
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
    // Another process was faster, and may be a newer version: check again.
    if (!isDuplicateKey(error)) throw error;
    await claimRecordFormat(db);
  }
}
