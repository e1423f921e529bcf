import { isRecord } from './is-record.js';

/** What a reply tells in `extensions.rateLimit` of the bucket that its operation used (Contract 8.2.4). */
export interface RateLimit {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** The state of a quota that a reply tells, if it tells one. */
export function readRateLimit(extensions: Record<string, unknown> | undefined): RateLimit | null {
  const told = extensions?.rateLimit;
  if (!isRecord(told)) return null;
  const { limit, remaining, resetSeconds } = told;
  return typeof limit === 'number' && typeof remaining === 'number' && typeof resetSeconds === 'number'
    ? { limit, remaining, resetSeconds }
    : null;
}
