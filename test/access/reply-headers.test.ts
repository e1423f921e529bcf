import { expect, it } from '@jest/globals';
import { replyHeaders, type BucketState, type RequestContext } from '../../src/access/request-context.js';

const headersOf = (buckets: Record<string, BucketState>, isReplayed?: boolean) =>
  replyHeaders({ buckets: new Map(Object.entries(buckets)), isReplayed } as RequestContext);

it('a reply shows the bucket with the fewest units left (Contract 8.2.4)', () => {
  const read = { limit: 100, remaining: 7, resetSeconds: 2 };
  const mutation = { limit: 50, remaining: 3, resetSeconds: 1 };
  const headers = { 'ratelimit-limit': '50', 'ratelimit-remaining': '3', 'ratelimit-reset': '1' };
  expect(headersOf({ read, mutation })).toStrictEqual(headers);
  expect(headersOf({ mutation, read })).toStrictEqual(headers);
});

it('a reply without a bucket has no bucket headers; a replayed reply is marked (Contract 9.3)', () => {
  expect(headersOf({})).toStrictEqual({});
  expect(headersOf({}, true)).toStrictEqual({ 'idempotency-replayed': 'true' });
});
