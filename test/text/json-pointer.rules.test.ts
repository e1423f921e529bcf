import { describe, expect, it } from '@jest/globals';
import { parseJsonPointer, valueAt } from '../../src/text/json-pointer.rules.js';

const document = {
  plain: { list: ['first'] },
  'a/b': { '~': 1 },
  '': { '': 2 },
  nothing: null,
  text: 'abc',
};

describe('a JSON pointer (RFC 6901, Contract 9.1.1)', () => {
  it.each([
    ['/plain/list', ['first']],
    ['/plain/list/0', 'first'],
    ['/a~1b/~0', 1],
    ['//', 2],
    ['/nothing', null],
    ['/nothing/x', undefined],
    ['/absent/x', undefined],
    ['/text/0', undefined],
    ['/constructor/name', undefined],
    ['/__proto__', undefined],
    ['/plain/toString', undefined],
    ['/~01', undefined],
  ])('%s leads to %j', (pointer, value) => {
    expect(valueAt(parseJsonPointer(pointer), document)).toEqual(value);
  });

  it('follows own properties alone, even of the name __proto__', () => {
    const claims: unknown = JSON.parse('{"__proto__": {"roles": "own"}}');
    expect(valueAt(parseJsonPointer('/__proto__/roles'), claims)).toBe('own');
    expect(valueAt(parseJsonPointer('/roles'), claims)).toBeUndefined();
  });

  it.each(['', 'roles', '/a~2', '/~', '#/a', 7, null, undefined])('is not %j', (text) => {
    expect(() => parseJsonPointer(text)).toThrow('must be a JSON pointer such as /realm_access/roles');
  });
});
