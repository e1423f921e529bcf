import { describe, expect, it } from '@jest/globals';
import { codePointLength, FieldReader } from '../../src/fields/field-reader.rules.js';
import { trimTexts } from '../../src/fields/fields.rules.js';
import { promptMs, startCpuClock } from '../support/prompt.js';

function read<T>(by: (reader: FieldReader) => T): [T, string[]] {
  const reader = new FieldReader([]);
  const value = by(reader);
  return [value, reader.faults.map(({ code }) => code)];
}

it('trimTexts trims only texts (Contract 5.1.8)', () => {
  const list = [' a '];
  expect(trimTexts({ one: ' \t\u00a0\u2003\ufeff', two: ' a b ', three: null, four: list })).toEqual({
    one: '',
    two: 'a b',
    three: null,
    four: list,
  });
});

describe('URL field', () => {
  it.each([
    'https://a.example',
    'HTTP://A.example:8080/é?b=c#d',
    'https://a.example/%20',
    'https://localhost',
    'http://[::1]/',
    'https://a.example/@name?to=b@c.example',
  ])('keeps %s as given (Contract 5.1.9)', (url) => {
    expect(read((reader) => reader.url('logoUrl', url, 2_048))).toEqual([url, []]);
  });

  it('loses the spaces and invisible characters at its ends (Contract 5.1.9)', () => {
    const url = '\ufeff \u200bhttps://a.example/\u200e\u{e0020}\u00a0';
    expect(read((reader) => reader.url('logoUrl', url, 2_048))).toEqual(['https://a.example/', []]);
  });
});

describe('list of e-mail addresses', () => {
  it.each([
    [[], []],
    [['a@b.fr'], ['a@b.fr']],
    [['a@b.fr; c@d.fr ;;'], ['a@b.fr', 'c@d.fr']],
    [['A@b.fr', 'a@B.fr'], ['A@b.fr']],
    [
      ['straße@b.fr', 'STRASSE@b.fr'],
      ['straße@b.fr', 'STRASSE@b.fr'],
    ],
    [[' a+tag@sub.b-c.example '], ['a+tag@sub.b-c.example']],
    [['é@exemple.fr'], ['é@exemple.fr']],
    [['a.b-@xn--bcher-kva.example'], ['a.b-@xn--bcher-kva.example']],
    [['用户@例え.テスト'], ['用户@例え.テスト']],
    [['a@نامه\u200cای.com'], ['a@نامه\u200cای.com']],
    [['', 'a@b.fr'], ['a@b.fr']],
    [[`${'a'.repeat(249)}@b.fr`], [`${'a'.repeat(249)}@b.fr`]],
    [['a@b.fr;'.repeat(99)], ['a@b.fr']],
    [
      ['1@b.fr', '2@b.fr', '3@b.fr', '4@b.fr'],
      ['1@b.fr', '2@b.fr', '3@b.fr', '4@b.fr'],
    ],
  ])('%p is read as %p (Contract 5.1.3, 5.4.7)', (given, value) => {
    expect(read((reader) => reader.emails('managerEmails', given, 4))).toEqual([value, []]);
  });

  it('rejects an almost valid address of any length quickly', () => {
    for (const text of ['a', 'a.', '-', 'a-', '\u200c', 'a@', 'a@a.', 'a@-.', 'a@a\u200c']) {
      const near = `a@${text.repeat(250)}`.slice(0, 253);
      const cpuMs = startCpuClock();
      for (const email of [`${near}-`, `${near}@`, `${near.slice(2)}@b.fr.`])
        expect(read((reader) => reader.emails('managerEmails', [email], 4))[0]).toBeUndefined();
      expect(cpuMs()).toBeLessThan(promptMs);
    }
  });

  it('rejects half a million addresses quickly (Contract 5.4.7)', () => {
    const many = Array.from({ length: 500_000 }, (_, index) => `${index}@b.fr`).join(';');
    const cpuMs = startCpuClock();
    expect(read((reader) => reader.emails('managerEmails', [many], 4))[1]).toEqual([
      'manager_emails-too-long',
    ]);
    expect(cpuMs()).toBeLessThan(promptMs);
  });
});

it.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 2],
  ['😀', 1],
  ['👨‍👩‍👧', 5],
  ['\uffffa\u{10000}', 3],
  ['\ud800\ud800', 2],
])('%p counts as %d code points (Contract 5.1.8)', (text, length) => {
  expect(codePointLength(text)).toBe(length);
});
