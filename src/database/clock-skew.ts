import { type Model } from 'mongoose';
import { databaseOf } from './connect.js';

/** In ms. Smaller differences can come from network delays, and from HTTP dates, which have whole seconds. */
export const tolerableSkewMs = 5_000;

/**
 * How far our clock is ahead of another clock, in ms; negative if ours is behind. `theirs` was read between `startedAt`
 * and `endedAt` on our clock, so any value in this range counts as no difference.
 */
export function skewMs(theirs: Date, { startedAt, endedAt }: { startedAt: Date; endedAt: Date }): number {
  const theirMs = theirs.getTime();
  return Math.max(startedAt.getTime() - theirMs, 0) - Math.max(theirMs - endedAt.getTime(), 0);
}

/**
 * How far our clock is ahead of the database's, in ms; null if the database doesn't report its time.
 * @param model its collection must have a record if the database's `hello` has no `localTime`
 */
export async function databaseSkewMs<T>(model: Model<T>, now: () => Date): Promise<number | null> {
  const startedAt = now();
  const theirs = await databaseNow(model);
  return theirs && skewMs(theirs, { startedAt, endedAt: now() });
}

/** The current time by the database's clock; null if its `hello` has no `localTime` and the collection is empty. */
export async function databaseNow<T>(model: Model<T>): Promise<Date | null> {
  const { localTime } = await databaseOf(model.db).command({ hello: 1 });
  if (localTime instanceof Date) return localTime;
  const [answer] = await model.aggregate<{ now: Date }>([{ $limit: 1 }, { $project: { now: '$$NOW' } }]);
  return answer?.now ?? null;
}
