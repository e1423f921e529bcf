import { type Logger } from 'pino';
import { buildQuotaIndexes } from '../quotas/quota-indexes.js';
import { type Database, databaseOf } from '../database/connect.js';
import { isEmpty, seedDemoData } from '../demo/seed.js';
import { type Models, needsServer, prepareDatabase, serverMessage } from '../models.js';
import { takeOver } from './take-over.js';

/** Building an index can take minutes. Without a message, somebody might kill the process. */
const silentMs = 2_000;

interface Preparation {
  clock: () => Date;
  /** JOB_LIFETIME */
  lifetimeMs: number;
  log: Logger;
}

/**
 * Gives the database the form that operations need: records of this version, and indexes.
 * @throws RecordFormatError if a version before 2.0.0 or a newer one wrote to the database
 */
export async function prepare(
  { connection, isShared }: Database,
  models: Models,
  { clock, lifetimeMs, log }: Preparation,
): Promise<void> {
  const notice = setTimeout(
    () => log.info('preparing the database: building missing indexes can take a while'),
    silentMs,
  );
  const onMissing = (indexes: string[]) =>
    log.warn({ indexes }, 'these indexes are missing: the database builds them now');
  try {
    await takeOver(models, { log, isShared });
    await prepareDatabase(models, onMissing);
  } finally {
    clearTimeout(notice);
  }
  // On the connection for requests, so that the call times out if the database stops answering.
  await buildQuotaIndexes(databaseOf(connection));
  if (isShared) return;
  if (await isEmpty(models)) await seedDemoData(models, clock(), lifetimeMs);
  if (await needsServer(models)) log.warn(serverMessage);
}
