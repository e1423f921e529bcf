import { AsyncLocalStorage } from 'node:async_hooks';
import { type MongoClient } from 'mongodb';

/** What the commands of a request have cost so far, if they are measured. */
export interface DatabaseTime {
  /** The sum of their round trips, as the driver sees them. */
  databaseMs: number;
  commands: number;
}

const keptMs = 60_000;

const current = new AsyncLocalStorage<DatabaseTime>();
/** From `performance.now()`. */
let untilMs = 0;

/**
 * Measures the commands of all requests that begin within the next minute. On Node.js 20, knowing the request of a command takes a tenth of
 * an update's processor time, so don't measure while nothing is wrong.
 */
export const measureForAMinute = (): void => void (untilMs = performance.now() + keptMs);

/** Calls `next`, whose commands count in `time` if commands are measured now. */
export function measureCommands(time: DatabaseTime, next: () => void): void {
  if (performance.now() < untilMs) return current.run(time, next);
  if (untilMs > 0) {
    current.disable();
    untilMs = 0;
  }
  next();
}

/** A command takes as long as it holds its connection. The driver's own events of commands cost more. */
export function watchCommands(client: MongoClient): void {
  const since = new Map<unknown, number>();
  client.on('connectionCheckedOut', ({ connectionId }) => {
    if (untilMs > 0) since.set(connectionId, performance.now());
  });
  client.on('connectionCheckedIn', ({ connectionId }) => {
    const startedMs = since.get(connectionId);
    if (startedMs === undefined) return;
    since.delete(connectionId);
    // The driver emits this event in the async context of the command.
    const time = current.getStore();
    if (!time) return;
    time.databaseMs += performance.now() - startedMs;
    time.commands += 1;
  });
}
