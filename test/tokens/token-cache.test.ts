import { expect, it } from '@jest/globals';
import { type Caller } from '../../src/tokens/caller.js';
import { TokenCache } from '../../src/tokens/token-verifier.js';

const caller: Caller = {
  subject: 'me',
  roles: new Set(),
  scopes: new Set(),
  media: undefined,
  brand: undefined,
  expiresAt: new Date(1_000_000),
};

it('the cache keeps the callers of the latest 2,000 tokens', () => {
  const cache = new TokenCache();
  for (let count = 0; count < 2_001; count += 1) cache.keep(`token ${count}`, caller, 0);
  expect([0, 1, 2_000].map((count) => cache.find(`token ${count}`, 0))).toEqual([undefined, caller, caller]);
});

it('a cached token verified again becomes the latest, and evicts no other', () => {
  const cache = new TokenCache();
  for (let count = 0; count < 2_000; count += 1) cache.keep(`token ${count}`, caller, 0);
  const areKept = (...counts: number[]) => counts.map((count) => Boolean(cache.find(`token ${count}`, 0)));
  cache.keep('token 1', caller, 0);
  expect(areKept(0, 1, 2)).toEqual([true, true, true]);
  cache.keep('token 2000', caller, 0);
  cache.keep('token 2001', caller, 0);
  expect(areKept(0, 1, 2, 3, 2_000, 2_001)).toEqual([false, true, false, true, true, true]);
});

it('the cache returns a caller for 15 s, unless the token has expired or the clock was set back', () => {
  const cache = new TokenCache();
  cache.keep('token', caller, 900_000);
  expect(cache.find('token', 914_999)).toBe(caller);
  expect(cache.find('token', 915_000)).toBeUndefined();
  cache.keep('token', caller, 990_000);
  expect(cache.find('token', 999_999)).toBe(caller);
  expect(cache.find('token', 1_000_000)).toBeUndefined();
  cache.keep('token', caller, 900_000);
  expect(cache.find('token', 899_999)).toBeUndefined();
});
