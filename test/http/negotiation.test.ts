import { expect, it } from '@jest/globals';
import { preferredType } from '../../src/http/negotiation.js';

const types = ['application/json', 'application/ld+json'] as const;

it.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/ld+json', 'application/ld+json'],
  ['application/ld+json; charset=utf-8', 'application/ld+json'],
  ['application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', 'application/ld+json'],
  ['application/ld+json; profile="a, b; q=0"; q=0.5, application/json;q=0.1', 'application/ld+json'],
  ['application/ld+json ; profile = x ; q=0.1, application/json; charset="utf-8"', 'application/json'],
  ['application/ld+json; Q=0; charset=utf-8', undefined],
  ['text/html; level=1', undefined],
])('Accept: %s prefers %s (Contract 4.4.5)', (accept, type) => {
  expect(preferredType({ headers: { accept } }, types)).toBe(type);
});
