import { type Model } from 'mongoose';
import { databaseOf } from './connect.js';

/** A smaller difference may come from the network, and from HTTP dates, which are whole seconds. */
export const tolerableSkewMs = 5_000;

/** By how much our clock is ahead of another one, which was read between two instants of ours; negative if it is behind. */
export function skewMs(theirs: Date, { startedAt, endedAt }: { startedAt: Date; endedAt: Date }): number {
  const theirMs = theirs.getTime();
  return Math.max(startedAt.getTime() - theirMs, 0) - Math.max(theirMs - endedAt.getTime(), 0);
}

/**
 * By how much our clock is ahead of the database's, in milliseconds; null if the database does not tell its time.
 * @param model has a record read by a server whose greeting does not tell the time
 */
export async function databaseSkewMs<T>(model: Model<T>, now: () => Date): Promise<number | null> {
  const startedAt = now();
  const theirs = await databaseNow(model);
  return theirs && skewMs(theirs, { startedAt, endedAt: now() });
}

/** The present instant by the database's clock; null if it does not tell its time, and the collection has no record. */
export async function databaseNow<T>(model: Model<T>): Promise<Date | null> {
  const { localTime } = await databaseOf(model.db).command({ hello: 1 });
  if (localTime instanceof Date) return localTime;
  const [answer] = await model.aggregate<{ now: Date }>([{ $limit: 1 }, { $project: { now: '$$NOW' } }]);
  return answer?.now ?? null;
}
