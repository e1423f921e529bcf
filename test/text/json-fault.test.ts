import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonFault } from '../../src/text/json-fault.js';

describe('token at which a text stops being JSON (Contract 7.1.5)', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['  [1, 2', 7],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['{"a" 1}', 5],
    ['{"a":"\n"}', 5],
    ['{"a":"\\x"}', 5],
    ['{"a":"\\u00g0"}', 5],
    ['{"a":"never ends', 5],
    ['{"a":01}', 6],
    ['[1.]', 1],
    ['[-]', 1],
    ['NaN', 0],
    ['nullify', 0],
    ['truth', 0],
    ['{}{}', 2],
    ['[}', 1],
    ['{]', 1],
    ['{"a":1]', 6],
    ['[1}', 2],
    ['{"a":}', 5],
    ['\uFEFF{}', 0],
  ])('in %j is %i', (text, place) => {
    expect(jsonFault(text)).toEqual({ index: place, line: 1, character: place + 1 });
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
        expect(jsonFault(text) === undefined).toBe(isJson);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is found in a text of 1 MiB, and the rest is not read', () => {
    expect(jsonFault(`{\n"a":"${'x\\n'.repeat(2 ** 18)}`)).toEqual({ index: 6, line: 2, character: 5 });
    expect(jsonFault('+ '.repeat(2 ** 19))).toEqual({ index: 0, line: 1, character: 1 });
  });
});
