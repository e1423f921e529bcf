import { type BucketState } from './request-context.js';

/** The state of the tightest bucket as headers; none before one was used (Contract 8.2). */
export function bucketHeaders(bucket: BucketState | undefined): Record<string, string> {
  if (!bucket) return {};
  return {
    'ratelimit-limit': String(bucket.limit),
    'ratelimit-remaining': String(bucket.remaining),
    'ratelimit-reset': String(bucket.resetSeconds),
  };
}

/** Marks an answer that was given before (Contract 9.3). */
export const replayedHeader = { 'idempotency-replayed': 'true' };
