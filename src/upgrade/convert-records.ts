import { type Db } from 'mongodb';
import { type Model } from 'mongoose';
import { hostname } from 'node:os';
import { type Logger } from 'pino';
import { systemActor } from '../history/history-entry.js';
import { retryLostRace } from '../history/versioned-records.js';
import { skipDamaged } from '../archiver/skip-damaged.js';
import { describeHolder, type Lease, LeaseHeldError, type Move, withLease } from '../change/records-lease.js';
import { databaseNow } from '../database/clock-skew.js';
import { databaseOf } from '../database/connect.js';
import { isGivenUp } from '../database/database-errors.js';
import { indexesIn, indexName } from '../database/indexes.js';
import { inPages } from '../database/in-pages.js';
import { beginConversion, endConversion, formOf } from '../database/record-format.js';
import { damagedRecordsLog } from '../database/validate-record.js';
import { indexesOf, type Models } from '../models.js';
import { convertKeys } from './convert-keys.js';
import { type ConversionContext, convertVersioned, withoutLarge } from './convert-versioned.js';

export interface ConversionOptions {
  log: Logger;
  clock: () => Date;
  /** JOB_LIFETIME. */
  lifetimeMs: number;
  /** Whether other processes can have the database open. */
  isShared: boolean;
}

/** The conversion can't begin beside another process. */
export class OtherProcessError extends Error {
  override readonly name = 'OtherProcessError';
}

const holder = { command: 'upgrade', actor: systemActor, host: hostname() };
/** How long to wait for another start's conversion before looking whether it is complete. */
const waitMs = 2_000;
/** A task of 1.x that was silent this long is dead. */
const lockLifetimeMs = 10_000;
const logEveryMs = 10_000;

const conversions: Record<'company' | 'job' | 'idempotency key', Conversion> = {
  company: { of: 'companies', convert: (page, context) => convertVersioned('company', page, context) },
  job: { of: 'jobs', convert: (page, context) => convertVersioned('job', page, context) },
  'idempotency key': { of: 'idempotency', convert: convertKeys },
};
interface Conversion {
  of: 'companies' | 'jobs' | 'idempotency';
  convert: (page: never[], context: ConversionContext) => Promise<void>;
}

/**
 * Converts the records of 1.x and 2.0.0-next.0, unless that is done (Contract 11.11.1). If another start does, waits for it. A later start
 * continues a conversion that was killed. Call this before `prepareDatabase`, with the connection of tasks.
 * @throws RecordFormatError if a newer version wrote the records; OtherProcessError if a task or command of another process runs
 */
export async function convertRecords(models: Models, options: ConversionOptions): Promise<void> {
  const { log, isShared } = options;
  const db = databaseOf(models.media.db);
  for (let hasTold = false; (await formOf(db)) === 'unconverted';) {
    try {
      await withLease(models.media, holder, { waitMs, isShared }, async (lease) => {
        if ((await formOf(db)) === 'unconverted') await convertAll(models, db, lease, options);
      });
    } catch (error) {
      if (!(error instanceof LeaseHeldError)) throw error;
      const by = describeHolder(error.by);
      if (error.by.command !== holder.command)
        throw new OtherProcessError(`a command changes the records: ${by}`);
      if (!hasTold) log.info({ by }, 'another start converts the records: waiting for it');
      hasTold = true;
    }
  }
}

/** MongoDB converted up to this many jobs a second, on a busy core. */
const perSecond = 1_000;

/** Says how many records a start would convert, and about how long that takes. */
export async function plannedConversion(models: Models): Promise<string> {
  const counts = await recordsToConvert(models);
  const minutes = Math.ceil(counts.reduce((sum, [, count]) => sum + count, 0) / perSecond / 60);
  const kinds = counts.map(([kind, count]) => `${count} of the kind ${kind}`).join(', ');
  return `the next start converts the records of an older version (${kinds}), in about ${minutes} min, and then builds indexes`;
}

const recordsToConvert = (models: Models): Promise<[kind: string, count: number][]> =>
  Promise.all(
    Object.entries(conversions).map(async ([kind, { of }]) => [
      kind,
      await models[of].collection.countDocuments(),
    ]),
  );

async function convertAll(models: Models, db: Db, lease: Lease, options: ConversionOptions): Promise<void> {
  const { log, clock, lifetimeMs, isShared } = options;
  if (isShared) await assertNoTaskRuns(models, db);
  await beginConversion(db);
  const totals = new Map(await recordsToConvert(models));
  log.warn(Object.fromEntries(totals), 'converting the records of an older version');
  const rest: Move[] = [...lease.rest];
  const context: ConversionContext = {
    models,
    now: clock(),
    lifetimeMs,
    onTaken: (companies) => log.warn({ companies }, 'other companies have these names: rename them'),
    leave: async (moves) => {
      rest.push(...moves);
      if (moves.length > 0) await lease.begin(rest);
    },
  };
  const logDamaged = damagedRecordsLog(log);
  await dropIndexes(models, log);
  for (const [kind, { of, convert }] of Object.entries(conversions)) {
    let done = 0;
    let loggedAtMs = performance.now();
    for await (const page of inPages<{ _id: unknown }>(models[of], { projection: withoutLarge })) {
      await lease.renew();
      const named = page.map((record) => ({ publicId: String(record._id), ...record }));
      await skipDamaged(kind, named, (some) => convert(some as never[], context), {
        skip: (...record) => logDamaged(holder.command, ...record),
      });
      done += page.length;
      if (performance.now() - loggedAtMs < logEveryMs) continue;
      log.info({ kind, done, total: totals.get(kind) }, 'converting records');
      loggedAtMs = performance.now();
    }
  }
  // A start stores its own tasks.
  await db.collection('tasks').deleteMany({});
  await endConversion(db);
  log.info('converted all records: building indexes');
}

async function assertNoTaskRuns({ media }: Models, db: Db): Promise<void> {
  const now = (await databaseNow(media)) ?? new Date();
  const isLocked = { lockedAt: { $gt: new Date(now.getTime() - lockLifetimeMs) } };
  const task = await db.collection('tasks').findOne(isLocked);
  if (task) throw new OtherProcessError(`the process ${task.lastModifiedBy} runs the task ${task.name}`);
}

/** Drops indexes that this version doesn't declare, and all of jobs, which would slow each write. The start builds the declared ones. */
async function dropIndexes(models: Models, log: Logger): Promise<void> {
  for (const [name, model] of Object.entries(models) as [string, Model<unknown>][]) {
    const declared = indexesOf(model as never).filter(({ unique }) => unique || name !== 'jobs');
    const kept = ['_id_', ...declared.map(indexName)];
    const there = (await indexesIn(model.collection)) ?? [];
    const indexes = there.flatMap(({ name: index = '', key }) =>
      // Some databases shard by the index of a hash.
      kept.includes(index) || Object.values(key).includes('hashed') ? [] : [index],
    );
    if (indexes.length > 0) log.info({ collection: name, indexes }, 'dropping indexes');
    for (const index of indexes)
      await retryLostRace(() =>
        model.collection.dropIndex(index).catch((error: unknown) => {
          // DocumentDB does so if it still builds the index.
          if (isGivenUp(error)) return null;
          throw error;
        }),
      );
  }
}
