import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FieldReader } from '../../src/fields/field-reader.rules.js';
import { withoutAddresses } from '../../src/text/seen-text.rules.js';
import { sample } from '../support/sample.js';

describe('withoutAddresses(text)', () => {
  it.each([
    ...['ann@a_b.example', '😀@mail.example', 'ann@😀.example', 'ann+jobs@mail.example', 'a/@mail.example'],
    ...['«ann»@mail.example', 'ann@!.example', 'ann＠mail.example', 'ann﹫mail.example', 'ann@mail。example'],
    ...[
      'ａｎｎ＠ｍａｉｌ．ｅｘａｍｐｌｅ',
      'ann@[192.0.2.1]',
      'ann@[IPv6:2001:db8::1]',
      'ann@localhost',
      'ann@LocalHost',
    ],
    ...['"ann b"@mail.example', 'ann&#64;mail&period;example', 'ann%40mail.example'],
    ...['a<b>nn</b>@mail.exam\u200Bple', 'ann@mail.example@mail.example'],
  ])('removes %s (Contract 4.5.3)', (address) => {
    for (const [before, after] of [
      ['', ''],
      ['Write to ', '.'],
      ['<p>(', ')</p>'],
      ['an <', '>, now'],
    ] as const) {
      const left = withoutAddresses(before + address + after);
      expect([left.slice(0, before.length), left.slice(-after.length || left.length)]).toEqual([
        before,
        after,
      ]);
      expect(left).not.toMatch(/@|mail|ｍａｉｌ|64|40/);
    }
  });

  it.each([
    ['Write to ann@mail.example!', 'Write to !'],
    ["'ann@mail.example'?", "'?"],
    ['«ann@mail.example», please', '«», please'],
    ['联系 ann@mail.example。谢谢', '联系 。谢谢'],
    ['https://x.example/?to=ann@mail.example&job=7', 'https://x.example/?to=&job=7'],
    ['https://video.example/@acme.jobs', 'https://video.example/@acme.jobs'],
    ['@acme, 3 @ 5 €, at ann@home', '@acme, 3 @ 5 €, at ann@home'],
  ])('keeps what stands around the address: %s (Contract 4.5.3)', (text, left) => {
    expect(withoutAddresses(text)).toBe(left);
  });

  it('removes every address that the lists of a job accept, in any context (Contract 4.5.3)', () => {
    const character = fc.oneof(
      { arbitrary: fc.constantFrom(...'abcABC019-_'), weight: 4 },
      fc.constantFrom(..."!#$%&'*+/=?^`{|}~’«»…。．"),
      fc.constantFrom('é', '漢', '😀', '👩‍💻', 'e\u0301', '\u3164', '€', '\u{1F3FB}'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    );
    const word = fc.array(character, { minLength: 1, maxLength: 5 }).map((all) => all.join(''));
    const words = (least: number) => fc.array(word, { minLength: least, maxLength: 3 });
    const isAccepted = (address: string) => {
      const emails = new FieldReader().emails('managerEmails', [address], 4);
      return emails?.length === 1 && emails[0] === address;
    };
    const address = fc
      .tuple(words(1), words(2))
      .map(([local, domain]) => `${local.join('.')}@${domain.join('.')}`)
      .filter(isAccepted);
    const around = fc.constantFrom('', ' ', '<', '>', '(', ')', ',', '<p>', '</p>', '"', ':', 'x ', '; ');
    fc.assert(
      fc.property(address, address, around, around, (one, other, before, after) => {
        const text = before + one + after + other + before;
        const left = withoutAddresses(text);
        for (const found of left.matchAll(/[^\s<>(),;:"]+/g)) expect(isAccepted(found[0])).toBe(false);
        expect(withoutAddresses(one)).not.toContain('@');
      }),
      sample(2_000),
    );
  });
});
