import { describe, expect, it } from '@jest/globals';
import { domainKey } from '../../src/company/company-identity.rules.js';
import { parseUrl } from '../../src/content/parse-url.rules.js';

describe('parseUrl', () => {
  it('answers null for what is no URL', () => expect(parseUrl('http://')).toBeNull());

  it('reads an international host however often it is asked', () => {
    const answers = new Set(Array.from({ length: 100_000 }, () => domainKey('https://Bücher.example/')));
    expect([...answers]).toEqual(['xn--bcher-kva.example']);
  });
});
