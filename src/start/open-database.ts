import { type Logger } from 'pino';
import { connect, ConnectError, type Database, namesDatabase, unnamedDatabase } from '../database/connect.js';
import { type Settings } from '../settings/settings.js';

interface OpenDatabase {
  database: Database;
  /** The message for an operator if the start fails after this. */
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
