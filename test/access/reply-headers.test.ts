import { expect, it } from '@jest/globals';
import { type Bucket } from '../../src/operations.js';
import { replyHeaders } from '../../src/access/quotas.js';
import { Bill, type RequestContext, type UsedBucket } from '../../src/access/request-context.js';

const headersOf = (buckets: Partial<Record<Bucket, UsedBucket>>, isReplayed?: boolean) =>
  replyHeaders({
    bill: Object.assign(new Bill(), { used: new Map(Object.entries(buckets)) }),
    isReplayed,
  } as RequestContext);

it('a reply shows the bucket with the fewest units left, and what the request costs of it (Contract 8.2.4, 8.2.9)', () => {
  const read = { limit: 100, remaining: 7, resetSeconds: 2, units: 4 };
  const mutation = { limit: 50, remaining: 3, resetSeconds: 1, units: 1 };
  const headers = {
    'ratelimit-limit': '50',
    'ratelimit-remaining': '3',
    'ratelimit-reset': '1',
    'ratelimit-cost': '1',
  };
  expect(headersOf({ read, mutation })).toStrictEqual(headers);
  expect(headersOf({ mutation, read })).toStrictEqual(headers);
});

it('a reply without a bucket has no bucket headers; a replayed reply is marked (Contract 9.3)', () => {
  expect(headersOf({})).toStrictEqual({});
  expect(headersOf({}, true)).toStrictEqual({ 'idempotency-replayed': 'true' });
});
