import { describe, expect, it } from '@jest/globals';
import { domainKey } from '../../src/company/company-identity.rules.js';
import { parseUrl } from '../../src/text/parse-url.rules.js';

describe('parseUrl', () => {
  it('returns null for a text that is not a URL', () => expect(parseUrl('http://')).toBeNull());

  it.each([
    [`https://${'a'.repeat(253)}/`, true],
    [`https://${'a'.repeat(254)}/`, false],
    [`https://name@${'a'.repeat(253)}/`, true],
    [`https:\\\\${'a'.repeat(254)}/`, false],
    [`https:${'a'.repeat(254)}/`, false],
    [`https://a.fr/${'a'.repeat(4_287)}`, true],
    [`https://a.fr/${'a'.repeat(4_288)}`, false],
    [`https://a.fr?${'a'.repeat(254)}`, true],
    [`https://a.fr#${'a'.repeat(254)}`, true],
  ])('accepts a host of at most 253 characters and a URL of at most 4300: %#', (text, isUrl) => {
    expect(parseUrl(text) !== null).toBe(isUrl);
  });

  it('reads an international host correctly 100 000 times', () => {
    const answers = new Set(Array.from({ length: 100_000 }, () => domainKey('https://Bücher.example/')));
    expect([...answers]).toEqual(['xn--bcher-kva.example']);
  });
});
