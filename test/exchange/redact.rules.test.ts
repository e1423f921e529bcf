import { describe, expect, it } from '@jest/globals';
import { erased, redactionOf } from '../../src/exchange/erase/redact.rules.js';

describe('an address that is erased', () => {
  it('leaves a mark in its place (Contract 12.5.1)', () => {
    expect(redactionOf('a@b.fr').redact('a@b.fr')).toBe('[erased]');
  });

  it.each([
    ['a@b.fr', 'write to A@B.fr.', `write to ${erased}.`],
    ['a@b.fr', 'a@b.fr,a@b.fr', `${erased},${erased}`],
    ['a@b.fr', 'mailto:%20a@b.fr', `mailto:%20${erased}`],
    ['a+b@c.fr', 'a+b@c.fr', erased],
    ['a*$b@c.fr', '<a*$b@c.fr>', `<${erased}>`],
    ['é@b.fr', 'É@b.fr', erased],
  ])('%s goes from %j (Contract 12.5.1)', (address, text, left) => {
    const { mayBeIn, redact } = redactionOf(address);
    expect(redact(text)).toBe(left);
    expect(mayBeIn(text)).toBe(true);
  });

  it.each([
    ['a@b.fr', 'xa@b.fr'],
    ['a@b.fr', 'x.a@b.fr'],
    ['a@b.fr', 'x_a@b.fr x%a@b.fr x+a@b.fr x-a@b.fr éa@b.fr 1a@b.fr'],
    ['a@b.fr', 'a@b.fra'],
    ['a@b.fr', 'a@b.fr-x'],
    ['a@b.fr', 'a@b.fr.example'],
    ['a@b.fr', 'a@b.fré a@b.fr1 a@b.fr.é'],
    ['a@b.fr', 'a@bxfr'],
    ['aab+c@b.fr', 'aabbc@b.fr'],
  ])('%s is another than any in %j (Contract 12.5.1)', (address, text) => {
    expect(redactionOf(address).redact(text)).toBe(text);
  });

  it('goes from whatever is within lists and records, and leaves all else the very same (Contract 12.5.1)', () => {
    const { redact, mayBeIn } = redactionOf('a@b.fr');
    const at = new Date();
    const kept = { at, list: ['x'], nothing: null, count: 1 };
    expect(redact(kept)).toBe(kept);
    expect(redact({ list: ['a@b.fr', 'x'], kept, at })).toEqual({ list: [erased, 'x'], kept, at });
    expect(redact({ kept, text: 'a@b.fr' }).kept).toBe(kept);
    expect(redact(['a@b.fr'])).toEqual([erased]);
    expect(redact(undefined)).toBeUndefined();
    expect(mayBeIn('nothing')).toBe(false);
  });
});
