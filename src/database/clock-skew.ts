import { type Model } from 'mongoose';
import { databaseOf } from './connect.js';

/** In ms. */
export const tolerableSkewMs = 5_000;

/** How far our clock is ahead of the database's, in ms; negative if behind; null if {@link databaseNow} gives null. */
export async function databaseSkewMs<T>(model: Model<T>, now: () => Date): Promise<number | null> {
  const startedMs = now().getTime();
  const theirs = await databaseNow(model);
  const theirMs = theirs?.getTime();
  return theirMs === undefined
    ? null
    : Math.max(startedMs - theirMs, 0) - Math.max(theirMs - now().getTime(), 0);
}

/** The database's time; null if `hello` has no `localTime` and the collection is empty. */
export async function databaseNow<T>(model: Model<T>): Promise<Date | null> {
  const { localTime } = await databaseOf(model.db).command({ hello: 1 });
  if (localTime instanceof Date) return localTime;
  const [answer] = await model.aggregate<{ now: Date }>([{ $limit: 1 }, { $project: { now: '$$NOW' } }]);
  return answer?.now ?? null;
}

const everyMs = 60_000;

/**
 * Tells the database's time without asking it each time: it is read once a minute, and our monotonic clock tells what has passed since.
 * The time is never ahead of the database's, unless that one is set back.
 * @param now the time while {@link databaseNow} gives null
 */
export function databaseClock<T>(model: Model<T>, now: () => Date): () => Promise<Date> {
  let theirMs = 0;
  let readAtMs = -Infinity;
  return async () => {
    if (performance.now() - readAtMs > everyMs) {
      const theirs = await databaseNow(model);
      if (!theirs) return now();
      theirMs = theirs.getTime();
      readAtMs = performance.now();
    }
    return new Date(theirMs + performance.now() - readAtMs);
  };
}
