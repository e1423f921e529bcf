import { type BucketState, type RequestContext, tightestBucket } from './request-context.js';

/** Headers of any call: the tightest bucket that it used (Contract 8.2.4), and whether its answer is an earlier one (9.3.1). */
export function replyHeaders(context: RequestContext): Record<string, string> {
  const bucket = tightestBucket(context);
  return {
    ...(bucket && {
      'ratelimit-limit': String(bucket.limit),
      'ratelimit-remaining': String(bucket.remaining),
      'ratelimit-reset': String(bucket.resetSeconds),
    }),
    ...(context.isReplayed && { 'idempotency-replayed': 'true' }),
  };
}

/** The same bucket for the `extensions` of a GraphQL reply; undefined if the call used none (Contract 8.2.4). */
export function replyExtensions(context: RequestContext): { rateLimit: BucketState } | undefined {
  const rateLimit = tightestBucket(context);
  return rateLimit && { rateLimit };
}
