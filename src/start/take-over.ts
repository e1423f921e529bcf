import { hostname } from 'node:os';
import { type Logger } from 'pino';
import { completeAll } from '../change/complete-all.js';
import { dueIn } from '../change/moves.js';
import { describeHolder, type HeldBy, withLease } from '../change/records-lease.js';
import { databaseOf } from '../database/connect.js';
import { formOf, raiseRecordFormat } from '../database/record-format.js';
import { systemActor } from '../history/history-entry.js';
import { type VersionedKind } from '../history/history.record.js';
import { buildIndexes, type Models } from '../models.js';
import { dropFormerIndexes } from './former-indexes.js';

interface TakeOverOptions {
  log: Logger;
  /** Whether other processes can have the database open. */
  isShared: boolean;
}

/** A record that the lease of 2.0.0 lists: an import moved it, perhaps half. */
interface FormerMove {
  kind: VersionedKind;
  publicId: string;
  /** The media that the record leaves, comes to, or stays in. */
  media: string[];
}

async function markFormerMoves({ media, companies, jobs }: Models): Promise<void> {
  const leases = databaseOf(media.db).collection<{ _id: string; rest?: FormerMove[] }>('leases');
  const { rest = [] } = (await leases.findOne({ _id: 'records' })) ?? {};
  for (const { kind, publicId, media: told } of rest) {
    const collection = kind === 'job' ? jobs.collection : companies.collection;
    // Above the version that any job has its copy from.
    const raised = kind === 'company' && { reachVersion: { $add: ['$version', 1] } };
    await collection.updateOne({ publicId }, [{ $set: { ...dueIn(told), ...raised } }]);
  }
  await leases.updateOne({ _id: 'records' }, { $unset: { rest: '' } });
}

const holder = { command: 'start', actor: systemActor, host: hostname() };
/**
 * The first start on a database of 2.0.0: rebuilds the indexes, and completes an import of 2.0.0 that was killed. Then 2.0.0 refuses to
 * start. Does nothing on another database. If this process dies, the next start repeats it.
 * @throws RecordFormatError if a version before 2.0.0 or a newer one wrote the records
 */
export async function takeOver(models: Models, { log, isShared }: TakeOverOptions): Promise<void> {
  const db = databaseOf(models.media.db);
  if ((await formOf(db)) !== 'former') return;
  const onWait = (by: HeldBy) =>
    log.warn({ by: describeHolder(by) }, 'the start waits until another process is done with the records');
  await withLease(models.media, holder, { waitMs: Infinity, isShared, onWait }, async () => {
    // The holder that this start waited for may have been another start.
    if ((await formOf(db)) !== 'former') return;
    await dropFormerIndexes(models, log);
    await buildIndexes(models);
    // 2.0.0 stored no such instant.
    await models.jobs.collection.updateMany(
      { state: 'archived', archivedAt: { $exists: false } },
      { $currentDate: { archivedAt: true } },
    );
    await markFormerMoves(models);
    await completeAll(models);
    await raiseRecordFormat(db);
    log.warn('took over the database of 2.0.0: 2.0.0 refuses to start from now on');
  });
}
