import { createHmac, randomBytes } from 'node:crypto';
import { type Db } from 'mongodb';
import { memoize } from '../memoize.js';
import { isDuplicateKey } from '../database/database-errors.js';
import { type Caller } from './caller.js';

/** The name of a caller in the log. */
export type NameCaller = (caller: Caller) => string;

/** The key of `callerName`. The first start, or the first run of the command `caller`, stores it. */
export async function callerKey(db: Db): Promise<string> {
  const secrets = db.collection<{ _id: string; key: string }>('secrets');
  try {
    const made = { key: randomBytes(32).toString('hex') };
    const options = { upsert: true, returnDocument: 'after' } as const;
    const stored = await secrets.findOneAndUpdate({ _id: 'callers' }, { $setOnInsert: made }, options);
    return stored?.key ?? (await callerKey(db));
  } catch (error) {
    // Another process was faster.
    if (!isDuplicateKey(error)) throw error;
    return callerKey(db);
  }
}

/**
 * Names a caller without its subject, always the same in one database: the first 12 hex digits of an HMAC-SHA-256.
 * @param key from `callerKey`
 */
export const callerName = (key: string, subject: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(subject).digest('hex').slice(0, 12);

/** Keeps each name as long as the token cache keeps the caller: an HMAC takes longer than the rest of a log line. */
export const callerNames = (key: string): NameCaller =>
  memoize((caller: Caller) => callerName(key, caller.subject));
