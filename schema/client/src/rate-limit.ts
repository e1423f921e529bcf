import { isRecord } from './is-record.js';

/** The bucket that an operation used, from `extensions.rateLimit` of its reply (Contract 8.2.4). */
export interface RateLimit {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** What an operation costs, from `extensions.cost` of its reply (Contract 8.2.9); null if the reply does not say, or a replay was free. */
export function readUnits(extensions: Record<string, unknown> | undefined): number | null {
  const told = extensions?.cost;
  return isRecord(told) && typeof told.units === 'number' && told.units > 0 ? told.units : null;
}

export function readRateLimit(extensions: Record<string, unknown> | undefined): RateLimit | null {
  const told = extensions?.rateLimit;
  if (!isRecord(told)) return null;
  const { limit, remaining, resetSeconds } = told;
  return typeof limit === 'number' && typeof remaining === 'number' && typeof resetSeconds === 'number'
    ? { limit, remaining, resetSeconds }
    : null;
}
