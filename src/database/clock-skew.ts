import { type Db } from 'mongodb';
import { type Models } from '../models.js';

/** A smaller difference may come from the network, and from HTTP dates, which are whole seconds. */
export const tolerableSkewMs = 5_000;

/** By how much our clock is ahead of another one, which was read between two instants of ours; negative if it is behind. */
export function skewMs(theirs: Date, { startedAt, endedAt }: { startedAt: Date; endedAt: Date }): number {
  const theirMs = theirs.getTime();
  return Math.max(startedAt.getTime() - theirMs, 0) - Math.max(theirMs - endedAt.getTime(), 0);
}

/** By how much our clock is ahead of the database's, in milliseconds; null if the database does not tell its time. */
export async function databaseSkewMs(db: Db, models: Models, now: () => Date): Promise<number | null> {
  const startedAt = now();
  const { localTime } = await db.command({ hello: 1 });
  const theirs: unknown = localTime ?? (await timeOfAnswer(models));
  return theirs instanceof Date ? skewMs(theirs, { startedAt, endedAt: now() }) : null;
}

/** The time of a server whose greeting does not tell it; null if the database holds no record. */
async function timeOfAnswer({ media }: Models): Promise<Date | null> {
  const [answer] = await media.aggregate<{ now: Date }>([{ $limit: 1 }, { $project: { now: '$$NOW' } }]);
  return answer?.now ?? null;
}
