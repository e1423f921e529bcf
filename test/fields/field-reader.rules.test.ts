import { describe, expect, it } from '@jest/globals';
import { codePointLength, FieldReader } from '../../src/fields/field-reader.rules.js';
import { trimTexts } from '../../src/fields/fields.rules.js';
import { fieldFault } from '../../src/errors/field-fault.js';
import { promptMs, startCpuClock } from '../support/prompt.js';

function read<T>(by: (reader: FieldReader) => T): [T, string[]] {
  const reader = new FieldReader([]);
  const value = by(reader);
  return [value, reader.faults.map(({ code }) => code)];
}

describe('text', () => {
  it.each([
    ['', undefined, ['salary-format-error']],
    ['😀😀😀', '😀😀😀', []],
    ['😀😀😀😀', undefined, ['salary-too-long']],
    ['a\ud800', undefined, ['salary-format-error']],
    ['a\0', undefined, ['salary-format-error']],
    ['a\u007f', undefined, ['salary-format-error']],
    ['a\u0085b', undefined, ['salary-format-error']],
    ['a\vb', undefined, ['salary-format-error']],
    ['a\fb', undefined, ['salary-format-error']],
    ['a\nb', 'a\nb', []],
    ['\u200d\ue000', '\u200d\ue000', []],
  ])('%p is read as %p (Contract 4.3.3.5, 7.4)', (given, value, faults) => {
    expect(read((reader) => reader.text('salary', given, 3))).toEqual([value, faults]);
  });
});

it('trimTexts trims only texts (Contract 4.3.3.4, 7.4)', () => {
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
  ])('keeps %s as given (Contract 4.1.7.6, 4.2.9.2)', (url) => {
    expect(read((reader) => reader.url('logoUrl', url, 2_048))).toEqual([url, []]);
  });

  it.each([
    ...'a.example //a.example ftp://a.example javascript:alert(1) data:,x http:a.example xhttps://a.example'.split(
      ' ',
    ),
    ...'https:// https:/// https:///a.com https://?a.com https://.. https://. https://a..com https://.a.com'.split(
      ' ',
    ),
    ...'https://good.com@evil.com https://@evil.com https://name:secret@a.example/apply https://['.split(' '),
    ...['https://good.com\\@evil.com', 'https://good.com/a\\b', 'https://a b', 'x https://a'],
    ...['https://a.example/\u0000', 'https://a.example/\n x'],
  ])('rejects %p (Contract 4.1.7.6, 4.2.9.2)', (url) => {
    expect(read((reader) => reader.url('logoUrl', url, 2_048))).toEqual([
      undefined,
      ['logo_url-format-error'],
    ]);
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
  ])('%p is read as %p (Contract 4.2.11.1, 4.2.11.2)', (given, value) => {
    expect(read((reader) => reader.emails('managerEmails', given, 4))).toEqual([value, []]);
  });

  it.each(
    [
      ...[
        '',
        ' ',
        ';',
        'a',
        'a@',
        '@b.fr',
        'a@b',
        'a@b.f',
        'a@@b.fr',
        'a@b.﹫c',
        'a＠b@c.fr',
        'a b@c.fr',
        'a,b@c.fr',
        '"a"@b.fr',
      ],
      ...['a@b.fr,c@d.fr', '<a@b.fr>', 'A <a@b.fr>', 'mailto:a@b.fr', 'a@b..', 'a@b.fr;c'],
      ...['a@b.fr\u0000', 'a\v@b.fr', 'a@b.fr\fc', 'a\ud800@b.fr'],
      ...['.a@b.fr', 'a.@b.fr', 'a..b@c.fr', 'a@.b.fr', 'a@b..fr', 'a@b.fr.'],
      ...['a@-.fr', 'a@-b.fr', 'a@b-.fr', 'a@b.-fr', 'a@b.fr-'],
      ...['\u200ba@b.fr', 'a\u00adb@c.fr', 'a\u200d@b.fr', 'a@\u200bb.fr', 'a@\u200d.fr', 'a@b.\u2060fr'],
      `${'a'.repeat(250)}@b.fr`,
    ].map((email) => [email]),
  )('rejects %p (Contract 4.2.11.2)', (email) => {
    expect(read((reader) => reader.emails('managerEmails', [email], 4))).toEqual([
      undefined,
      ['manager_emails-format-error'],
    ]);
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

  it('rejects half a million addresses quickly (Contract 4.2.11.2)', () => {
    const many = Array.from({ length: 500_000 }, (_, index) => `${index}@b.fr`).join(';');
    const cpuMs = startCpuClock();
    expect(read((reader) => reader.emails('managerEmails', [many], 4))[1]).toEqual([
      'manager_emails-too-long',
    ]);
    expect(cpuMs()).toBeLessThan(promptMs);
  });
});

describe('HTML text', () => {
  const html = (given: string, maximum = 10) => {
    const reader = new FieldReader([]);
    const value = reader.html('description', given, maximum, { wrapPlainText: true });
    return [
      value,
      ...reader.faults.map(({ message }) => message.en),
      ...reader.warnings.map(({ code }) => code),
    ];
  };

  it.each([
    ['', [null]],
    ['<p></p>', [null]],
    ['abc', ['<p>abc</p>']],
    [`abc<!--${'x'.repeat(40)}-->`, ['<p>abc</p>', 'html-cleaned']],
    [
      `abc<!--${'x'.repeat(41)}-->`,
      [undefined, 'This field must have at most 50 characters before it is cleaned.'],
    ],
    ['abcd', [undefined, 'This field must have at most 10 characters.']],
    ['<b>x</b><b>y</b>', [undefined, 'This field must have at most 10 characters.']],
    ['a<span>b</span>', ['<p>ab</p>', 'html-cleaned']],
    ['a&#xd800;b', ['<p>a\ufffdb</p>']],
  ])('%j is read as %j (Contract 4.2.6)', (given, read) => {
    expect(html(given)).toEqual(read);
  });

  it('allows at most a hundred nested tags (Contract 4.2.6)', () => {
    expect(html('<b>'.repeat(101), 1_000)).toEqual([
      undefined,
      'This field must have at most 100 levels of nested tags.',
    ]);
  });
});

describe('fault message in both languages', () => {
  it.each([
    [(reader: FieldReader) => reader.text('name', '', 3), 'a non-empty text', 'un texte non vide'],
    [(reader: FieldReader) => reader.url('name', 'x', 3), 'an http or https URL', 'une URL http ou https'],
    [
      (reader: FieldReader) => reader.emails('name', ['x'], 3),
      'e-mail addresses, as a list or separated by ;',
      'des adresses e-mail, en liste ou séparées par ;',
    ],
    [
      (reader: FieldReader) => reader.text('name', '\0', 3),
      'whole Unicode characters, without control characters',
      'composé de caractères Unicode entiers, sans caractère de contrôle',
    ],
  ])('says what the field must be: %# (Contract 7.3)', (by, en, fr) => {
    const reader = new FieldReader([]);
    by(reader);
    const message = { en: `This field must be ${en}.`, fr: `Ce champ doit être ${fr}.` };
    expect(reader.faults.map((fault) => fault.message)).toEqual([message]);
  });

  it.each([
    [(reader: FieldReader) => reader.emails('name', ['a@b.fr;c@d.fr'], 1), '1 addresses', '1 adresses'],
    [(reader: FieldReader) => reader.emails('name', [';'.repeat(100)], 1), '1 addresses', '1 adresses'],
    [
      (reader: FieldReader) => reader.html('name', 'x'.repeat(6), 1, { wrapPlainText: false }),
      '5 characters before it is cleaned',
      '5 caractères avant d’être nettoyé',
    ],
    [
      (reader: FieldReader) => reader.html('name', '<b>'.repeat(101), 999, { wrapPlainText: false }),
      '100 levels of nested tags',
      '100 niveaux de balises imbriquées',
    ],
  ])('says how much the field may hold: %# (Contract 7.3)', (by, en, fr) => {
    const reader = new FieldReader([]);
    by(reader);
    const message = { en: `This field must have at most ${en}.`, fr: `Ce champ ne doit pas dépasser ${fr}.` };
    expect(reader.faults.map((fault) => fault.message)).toEqual([message]);
  });
});

it('FieldReader adds its faults after the faults of the API (Contract 7.3.1)', () => {
  const reader = new FieldReader([fieldFault.mustBe('state', 'string')]);
  reader.text('name', '', 3);
  reader.url('logoUrl', 'x', 10);
  expect(reader.faults.map(({ code }) => code)).toEqual([
    'state-must-be-string',
    'name-format-error',
    'logo_url-format-error',
  ]);
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
])('%p counts as %d code points (Contract 7.4)', (text, length) => {
  expect(codePointLength(text)).toBe(length);
});
