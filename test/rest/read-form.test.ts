import { describe, expect, it } from '@jest/globals';
import { leastCpuMsOf } from '../support/prompt.js';
import { readForm, readJson } from '../../src/rest/read-body.js';

const unreadable = expect.objectContaining({ code: 'body-format-error' }) as unknown as Error;

describe('readForm', () => {
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
  ])('reads %s as %p (Contract 5.1.3)', (text, fields) => {
    expect(readForm(Buffer.from(text))).toEqual(fields);
  });

  it('reads __proto__ and constructor as plain fields (Contract 5.1.3)', () => {
    const fields = readForm(Buffer.from('__proto__=x&constructor=y'));
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
    expect(Object.entries(fields)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it.each([[Buffer.from([0x61, 0x3d, 0xff])], [Buffer.from('a=%FF')], [Buffer.from('a=%C3&b=1')]])(
    'rejects bytes that are not UTF-8: %p (Contract 5.1.2)',
    (body) => {
      expect(() => readForm(body)).toThrow(unreadable);
    },
  );

  it('accepts the escapes of all two-byte characters, in upper and lower case, in a form with U+FFFD', () => {
    const text = Array.from({ length: 0x780 }, (_, index) => String.fromCodePoint(0x80 + index)).join('');
    const escaped = `${encodeURIComponent(text)}%EF%BF%BD`;
    for (const spelling of [escaped, escaped.toLowerCase()])
      expect(readForm(Buffer.from(`a=${spelling}`))).toEqual({ a: `${text}\uFFFD` });
  });

  it('accepts a thousand fields and rejects 1001 (Contract 5.1.2)', () => {
    const form = (count: number) => Buffer.from(Array.from({ length: count }, () => 'a=1').join('&'));
    expect(readForm(form(1_000)).a).toHaveLength(1_000);
    expect(() => readForm(form(1_001))).toThrow(unreadable);
  });

  it('rejects one escape that is not UTF-8, even after 900 fields with U+FFFD (Contract 5.1.2)', () => {
    const many = `y=%EF%BF%BD&${Array.from({ length: 900 }, (_, index) => `a${index}=%EF%BF%BD`).join('&')}`;
    expect(Object.keys(readForm(Buffer.from(many)))).toHaveLength(901);
    expect(() => readForm(Buffer.from(`${many}&b=%FF`))).toThrow(unreadable);
    expect(() => readForm(Buffer.from(`${many}&%C3=1`))).toThrow(unreadable);
  });

  it('checks escapes once per form, not once per field (Contract 8.4.2)', async () => {
    const leastMs = (fields: number) => {
      const escapes = Array.from({ length: fields }, (_, index) => `a${index}=%EF%BF%BD`).join('&');
      const hostile = Buffer.from(`y=${'%EF%BF'.repeat(150_000)}&${escapes}`);
      return leastCpuMsOf(() => expect(() => readForm(hostile)).toThrow(unreadable));
    };
    // A check for each field would take hundreds of times as long.
    expect(await leastMs(980)).toBeLessThan(10 * (await leastMs(1)));
  });
});

describe('readJson', () => {
  it.each([
    ['{}', {}],
    [' {"a":null,"b":[1],"c":{"d":""}} ', { a: null, b: [1], c: { d: '' } }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{"a":1,"a":2}', { a: 2 }],
  ])('reads %s as %p (Contract 5.1.1)', (text, fields) => {
    expect(readJson(Buffer.from(text))).toEqual(fields);
  });

  it('accepts a thousand values and rejects more, at any depth (Contract 5.1.2)', () => {
    const keys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])));
    expect(Object.keys(readJson(Buffer.from(keys(1_000))))).toHaveLength(1_000);
    for (const hostile of [
      keys(1_001),
      `{"a":[${'1,'.repeat(1_000)}1]}`,
      `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      `{${'"a":1,'.repeat(1_001)}"a":1}`,
    ])
      expect(() => readJson(Buffer.from(hostile))).toThrow(unreadable);
  });

  it.each(['{[,'.repeat(2_000), '\\"'.repeat(2_000), '\\\\'.repeat(2_000), 'é😀"\n'.repeat(500)])(
    'does not count brackets and commas inside a text as values',
    (text) => {
      expect(readJson(Buffer.from(JSON.stringify({ [text]: text })))).toEqual({ [text]: text });
    },
  );
});
