import { type Logger } from 'pino';
import { connect, ConnectError, type Database, namesDatabase, unnamedDatabase } from '../database/connect.js';
import { isDiskFull } from '../folder/disk-space.js';
import { type Settings } from '../settings/settings.js';

/** On a full disk the built-in store opens, but dies of a signal at one of its first writes. @throws ConnectError */
export async function assertDiskSpace({ mongodbUri, dataDir }: Settings): Promise<void> {
  if (mongodbUri === undefined && (await isDiskFull(dataDir)))
    throw diskFailed('less than 1 MiB is free on its disk');
}

interface OpenDatabase {
  database: Database;
  /** What an operator should read of a start that failed after this. */
  startFault: (error: unknown) => unknown;
}

/** Connects as `connect` does, and logs outages. @throws ConnectError */
export async function openDatabase(
  settings: Settings,
  log: Logger,
  { monitorCommands }: { monitorCommands: boolean },
): Promise<OpenDatabase> {
  if (!namesDatabase(settings)) log.warn(unnamedDatabase);
  const database = await connect(settings, {
    monitorCommands,
    hasCompleteIndexes: true,
    onAvailability: (reason) =>
      reason === null
        ? log.warn('the database is back')
        : log.warn({ reason }, 'the database is unavailable: calls are refused until it is back'),
  });
  let failure: Error | undefined;
  void database.failure.then((error) => (failure = error));
  return {
    database,
    // If the store has stopped itself, the driver reports only a refused connection.
    startFault: (error) =>
      failure === undefined ? error : diskFailed('the built-in store could not write', failure),
  };
}

const diskFailed = (why: string, cause?: Error): ConnectError =>
  new ConnectError(why, { cause: new Error(why, { cause }) });
