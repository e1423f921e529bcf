import { hostname } from 'node:os';
import { type Logger } from 'pino';
import { systemActor } from '../access/caller.js';
import { describeHolder, LeaseHeldError, withLease } from '../change/records-lease.js';
import { databaseOf } from '../database/connect.js';
import { beginConversion, endConversion, formOf } from '../database/record-format.js';
import { type Models } from '../models.js';

export interface ConversionOptions {
  log: Pick<Logger, 'info' | 'warn'>;
  clock: () => Date;
  /** JOB_LIFETIME */
  lifetimeMs: number;
  /** Whether other processes can have the database open. */
  isShared: boolean;
  /** Ends the conversion after the current batch. The next start continues it. */
  signal?: AbortSignal;
}

const command = 'upgrade';

/** How long to wait for another start's conversion before looking whether it is complete. */
const waitMs = 2_000;

/**
 * Converts the records of version 1.x and 2.0.0-next.0, in batches, unless they are converted. A later start continues a conversion that
 * was killed. If another start converts, waits for it. Call this before `prepareDatabase`, with the connection of tasks.
 * @throws RecordFormatError if a newer version wrote the records; LeaseHeldError if a command runs; the reason of the signal
 */
export async function convertRecords(models: Models, options: ConversionOptions): Promise<void> {
  const { log, isShared, signal } = options;
  const db = databaseOf(models.media.db);
  const holder = { command, actor: systemActor, host: hostname() };
  for (;;) {
    signal?.throwIfAborted();
    if ((await formOf(db)) !== 'unconverted') return;
    try {
      await withLease(models.media, holder, { waitMs, isShared }, async () => {
        if ((await formOf(db)) !== 'unconverted') return;
        await beginConversion(db);
        await endConversion(db);
      });
    } catch (error) {
      if (!(error instanceof LeaseHeldError) || error.by.command !== command) throw error;
      log.info({ by: describeHolder(error.by) }, 'another start converts the records: waiting for it');
    }
  }
}
