import { type Db } from 'mongodb';
import { isDuplicateKey } from './database-errors.js';

/**
 * Raise this number if the previous version could misread new records. A new major version converts all records; within a major, records
 * from before a new field must stay readable. Versions 1.x and 2.0.0-next.0 wrote format 1.
 */
export const recordFormat = 2;

const id = 'records';
const formatsOf = (db: Db) => db.collection<{ _id: string; version: number; isConverting?: true }>('formats');

const recordCollections = ['media', 'references', 'companies', 'jobs'];

export class RecordFormatError extends Error {
  override readonly name = 'RecordFormatError';

  constructor(stored: number) {
    super(
      `the database holds records of format ${stored}, but this version reads at most format ${recordFormat}`,
    );
  }
}

export class UnconvertedError extends Error {
  override readonly name = 'UnconvertedError';

  constructor() {
    super('the database holds records of an older version, which the first start of this version converts');
  }
}

/**
 * The form of a database's records: `unconverted` also while a start converts them.
 * @throws RecordFormatError if a newer version wrote them
 */
export async function formOf(db: Db): Promise<'new' | 'unconverted' | 'current'> {
  const stored = await formatsOf(db).findOne({ _id: id });
  if (stored && stored.version > recordFormat) throw new RecordFormatError(stored.version);
  if (stored) return stored.version === recordFormat && !stored.isConverting ? 'current' : 'unconverted';
  for (const name of recordCollections) {
    const found = await db.collection(name).findOne({}, { projection: { _id: 1 } });
    if (found) return 'unconverted';
  }
  return 'new';
}

/** @throws RecordFormatError if a newer version wrote the records; UnconvertedError if an older version wrote them */
export async function assertRecordFormat(db: Db): Promise<void> {
  if ((await formOf(db)) === 'unconverted') throw new UnconvertedError();
}

/** Stores the format in a new database (Contract 11.11). @throws RecordFormatError, UnconvertedError */
export async function claimRecordFormat(db: Db): Promise<void> {
  const form = await formOf(db);
  if (form === 'unconverted') throw new UnconvertedError();
  if (form === 'current') return;
  try {
    await formatsOf(db).insertOne({ _id: id, version: recordFormat });
  } catch (error) {
    // Another process was faster, and may be another version: check again.
    if (!isDuplicateKey(error)) throw error;
    await claimRecordFormat(db);
  }
}

/** Keeps older versions from starting. Call it before a conversion writes to the database. */
export async function beginConversion(db: Db): Promise<void> {
  const raised = { version: recordFormat, isConverting: true as const };
  const filter = { _id: id, version: { $lt: recordFormat } };
  await formatsOf(db)
    .updateOne(filter, { $set: raised }, { upsert: true })
    .catch((error: unknown) => {
      // An earlier start has raised it.
      if (!isDuplicateKey(error)) throw error;
    });
}

export const endConversion = async (db: Db): Promise<void> =>
  void (await formatsOf(db).updateOne({ _id: id }, { $unset: { isConverting: '' } }));
