import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findJsonFault } from '../../src/text/json-fault.js';

describe('position where a text stops being JSON (Contract 7.1.5)', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['  [1, 2', 7],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['{"a" 1}', 5],
    ['{"a":"\n"}', 6],
    ['{"a":"\\x"}', 6],
    ['{"a":"\\u00g0"}', 6],
    ['{"a":"never ends', 16],
    ['{"a":01}', 6],
    ['[1.]', 2],
    ['[-]', 1],
    ['NaN', 0],
    ['nullify', 4],
    ['truth', 0],
    ['{}{}', 2],
    ['[}', 1],
    ['{]', 1],
    ['{"a":1]', 6],
    ['[1}', 2],
    ['{"a":}', 5],
    ['\uFEFF{}', 0],
  ])('in %j is %i', (text, place) => {
    expect(findJsonFault(text)).toBe(place);
  });

  it('exists exactly when JSON.parse fails', () => {
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', '\\', ':', '1', ' ', 'e', '\u0001'))
      .map(([text, at, piece]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + piece + text.slice(place + 1);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(findJsonFault(text) === null).toBe(isJson);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is found in a text of 1 MiB', () => {
    expect(findJsonFault(`{"a":"${'x\\n'.repeat(2 ** 18)}`)).toBe(6 + 3 * 2 ** 18);
  });
});
