import { describe, expect, it } from '@jest/globals';
import { readForm, readJson } from '../../src/rest/read-form.js';

const unreadable = expect.objectContaining({ code: 'body-format-error' }) as unknown as Error;

describe('a form', () => {
  it.each([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2&a=1', { a: ['1', '2', '1'] }],
    ['a[]=1&a[]=2', { 'a[]': ['1', '2'] }],
    ['a', { a: '' }],
    ['a=&b', { a: '', b: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=x+y%20z%2B', { a: 'x y z+' }],
    ['a=%C3%A9&b=é', { a: 'é', b: 'é' }],
    ['a=%F0%9F%98%80', { a: '😀' }],
    ['a=100%', { a: '100%' }],
    ['a=%EF%BF%BD', { a: '\uFFFD' }],
  ])('%s is read as %p (Contract 4.3.2)', (text, fields) => {
    expect(readForm(Buffer.from(text))).toEqual(fields);
  });

  it('does not let a name reach an object’s prototype (Contract 4.3.2)', () => {
    const fields = readForm(Buffer.from('__proto__=x&constructor=y'));
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
    expect(Object.entries(fields)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it.each([[Buffer.from([0x61, 0x3d, 0xff])], [Buffer.from('a=%FF')], [Buffer.from('a=%C3&b=1')]])(
    'that is not UTF-8 is refused: %p (Contract 4.3.5)',
    (body) => {
      expect(() => readForm(body)).toThrow(unreadable);
    },
  );

  it('has at most a thousand fields (Contract 4.3.5)', () => {
    const form = (count: number) => Buffer.from(Array.from({ length: count }, () => 'a=1').join('&'));
    expect(readForm(form(1_000)).a).toHaveLength(1_000);
    expect(() => readForm(form(1_001))).toThrow(unreadable);
  });
});

describe('JSON', () => {
  it.each([
    ['{}', {}],
    [' {"a":null,"b":[1],"c":{"d":""}} ', { a: null, b: [1], c: { d: '' } }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{"a":1,"a":2}', { a: 2 }],
  ])('%s is read as %p (Contract 4.3.1)', (text, fields) => {
    expect(readJson(Buffer.from(text))).toEqual(fields);
  });

  it.each([
    '',
    ' ',
    'null',
    'true',
    '1',
    '"a"',
    '[]',
    '{',
    '{"a"}',
    '{a:1}',
    "{'a':1}",
    '{"a":1}x',
    '{"a":1,}',
  ])('%p is refused (Contract 4.3.5)', (text) => {
    expect(() => readJson(Buffer.from(text))).toThrow(unreadable);
  });
});
