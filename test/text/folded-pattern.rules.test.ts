import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import { foldedPattern } from '../../src/text/folded-pattern.rules.js';
import { nameKey } from '../../src/text/name-key.rules.js';

const matches = (text: string, stored: string) => new RegExp(foldedPattern(text) ?? '$^').test(stored);

describe('a folded pattern (Contract 4.3.4)', () => {
  it.each([
    ['ile de france', 'Île-de-France'],
    ['ILE-DE-FRANCE', 'I\u0302le de France'],
    ["provence-alpes-cote d'azur", 'Provence-Alpes-Côte d’Azur'],
    ['Bœuf', 'BOEUF'],
    ['boeuf', 'Bœuf'],
    ['weiss', 'Weiß'],
    ['Ɓa', 'ɓa'],
    ['ɓa', 'Ɓa'],
    ['a.b*[c]\\d^-', 'A.B*[C]\\D^-'],
  ])('of %j matches %j', (text, stored) => {
    expect(matches(text, stored)).toBe(true);
  });

  it.each([
    ['rhone', 'Auvergne-Rhône-Alpes'],
    ['rhone-alpes', 'Rhône'],
    ['.....', 'Rhône'],
    ['France', ''],
  ])('of %j does not match %j', (text, stored) => {
    expect(matches(text, stored)).toBe(false);
  });

  it('of any text matches what its key does, and is a pattern that databases take', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const key = nameKey(text).replace(/\p{Cc}/gu, '');
        const pattern = foldedPattern(text);
        expect(pattern === null).toBe(key === '');
        if (pattern === null) return;
        expect(new RegExp(pattern).test(key)).toBe(true);
        expect(pattern).not.toMatch(/\[[:.=]/);
        expect(() => BSON.serialize({ a: new RegExp(pattern) })).not.toThrow();
      }),
    );
  });
});
