import { isRecord } from './is-record.js';

/** The bucket that an operation used, from `extensions.rateLimit` of its reply (Contract 8.2.4). */
export interface RateLimit {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export function readRateLimit(extensions: Record<string, unknown> | undefined): RateLimit | null {
  const told = extensions?.rateLimit;
  if (!isRecord(told)) return null;
  const { limit, remaining, resetSeconds } = told;
  return typeof limit === 'number' && typeof remaining === 'number' && typeof resetSeconds === 'number'
    ? { limit, remaining, resetSeconds }
    : null;
}
