import { type Db } from 'mongodb';
import { isDuplicateKey } from './database-errors.js';

/**
 * A major version raises this number, so that the former one refuses to start. Within a major, records from before a new field must stay
 * readable.
 */
const recordFormat = 3;
/** Of 2.0.0. The first start raises it. */
const formerFormat = 2;

const id = 'records';
/** 2.0.0 sets `isConverting` while it converts records of 1.x. */
const formatsOf = (db: Db) => db.collection<{ _id: string; version: number; isConverting?: true }>('formats');

const recordCollections = ['media', 'references', 'companies', 'jobs'];

/** This version can't use the database. */
export class RecordFormatError extends Error {
  override readonly name = 'RecordFormatError';

  constructor(
    what: string,
    readonly fix: string,
  ) {
    super(what);
  }
}

/**
 * The version that wrote the records of a database: nothing, 2.0.0, or this major version.
 * @throws RecordFormatError if an older or a newer version did
 */
export async function formOf(db: Db): Promise<'new' | 'former' | 'current'> {
  const stored = await formatsOf(db).findOne({ _id: id });
  if (stored && stored.version > recordFormat)
    throw new RecordFormatError(
      `the database holds records of format ${stored.version}, but this version reads at most format ${recordFormat}`,
      'start the newer version, or restore a back-up from before its first start',
    );
  if (stored?.version === recordFormat) return 'current';
  if (stored?.version === formerFormat && !stored.isConverting) return 'former';
  if (!stored && !(await hasRecords(db))) return 'new';
  throw new RecordFormatError(
    'the database holds records of a version before 2.0.0',
    'start 2.0.0 once, wait until its /ready answers 200, stop it, and start this version',
  );
}

async function hasRecords(db: Db): Promise<boolean> {
  for (const name of recordCollections)
    if (await db.collection(name).findOne({}, { projection: { _id: 1 } })) return true;
  return false;
}

/** @throws RecordFormatError unless the database is new, or this major version has started on it */
export async function assertRecordFormat(db: Db): Promise<void> {
  if ((await formOf(db)) === 'former')
    throw new RecordFormatError(
      'the database holds records of 2.0.0, which the first start of this version takes over',
      'start the gateway, and wait until /ready answers 200',
    );
}

/** Stores the format in a new database. @throws RecordFormatError */
export async function claimRecordFormat(db: Db): Promise<void> {
  await assertRecordFormat(db);
  await formatsOf(db)
    .insertOne({ _id: id, version: recordFormat })
    .catch(async (error: unknown) => {
      // Another process was faster, and may be another version: check again.
      if (!isDuplicateKey(error)) throw error;
      await assertRecordFormat(db);
    });
}

/** From then on, 2.0.0 refuses to start. */
export const raiseRecordFormat = async (db: Db): Promise<void> =>
  void (await formatsOf(db).updateOne(
    { _id: id, version: formerFormat },
    { $set: { version: recordFormat } },
  ));
