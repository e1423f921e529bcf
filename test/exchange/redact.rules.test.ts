import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { erased, erasedShort, redactionOf } from '../../src/exchange/erase/redact.rules.js';

describe('redactionOf(address)', () => {
  it('puts a mark in place of the address (Contract 9.2.7)', () => {
    expect(redactionOf('ab+c@d.fr').redact('ab+c@d.fr')).toBe('[erased]');
  });

  it('uses a mark no longer than the address (Contract 9.2.4, 9.2.7)', () => {
    for (const [address, mark] of [
      ['a@b.c', '[...]'],
      ['\u{1D49C}\u{1D49C}@b.fr', '[...]'],
      ['abc@d.fr', '[erased]'],
    ] as const)
      expect(redactionOf(address).redact(`To ${address}`)).toBe(`To ${mark}`);
  });

  it.each([
    ['a@b.fr', 'write to A@B.fr.', `write to ${erasedShort}.`],
    ['a@b.fr', 'a@b.fr,a@b.fr', `${erasedShort},${erasedShort}`],
    ['a@b.fr', 'mailto:%20a@b.fr', `mailto:%20${erasedShort}`],
    ['a+b@c.fr', 'a+b@c.fr', erased],
    ['a*$b@c.fr', '<a*$b@c.fr>', `<${erased}>`],
    ['é@b.fr', 'É@b.fr', erasedShort],
  ])('removes %s from %j (Contract 9.2.7)', (address, text, left) => {
    const { isIn, redact } = redactionOf(address);
    expect(redact(text)).toBe(left);
    expect(isIn(text)).toBe(true);
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
    // This domain has no ASCII form.
    ['a@xn--é.fr', 'a@, a@ b.fr'],
    ['aab+c@b.fr', 'aabbc@b.fr'],
  ])('does not find %s in %j (Contract 9.2.7)', (address, text) => {
    expect(redactionOf(address).redact(text)).toBe(text);
  });

  it('removes the address from nested lists and records, and returns other values as the same object (Contract 9.2.7)', () => {
    const { redact, isIn } = redactionOf('a@b.fr');
    const at = new Date();
    const kept = { at, list: ['x'], nothing: null, count: 1 };
    expect(redact(kept)).toBe(kept);
    expect(redact({ list: ['a@b.fr', 'x'], kept, at })).toEqual({ list: [erasedShort, 'x'], kept, at });
    expect(redact({ kept, text: 'a@b.fr' }).kept).toBe(kept);
    expect(redact(['a@b.fr'])).toEqual([erasedShort]);
    expect(redact(undefined)).toBeUndefined();
    expect(isIn('nothing')).toBe(false);
  });

  const own = 'john@mail.example';

  it.each([
    `Write to ${own}.`,
    `'${own}'`,
    `’${own}’`,
    `"${own}"`,
    `&quot;${own}&quot;`,
    `&#39;${own}&#x27;`,
    `\`${own}\``,
    `*${own}*`,
    `(${own})`,
    `[${own}]`,
    `{${own}}`,
    `<${own}>`,
    `&lt;${own}&gt;`,
    `%E2%80%9C${own}%E2%80%9D`,
    `&nbsp;${own}`,
    `jane@mail.example;${own}`,
    `jane@mail.example,${own}`,
    `jane@mail.example/${own}`,
    `jane@mail.example|${own}`,
    `e-mail:${own}`,
    `/${own}`,
    `...${own}...`,
    `- ${own} -`,
    `-${own}- `,
    `«${own}»`,
    `${own}/jane@mail.example`,
    `<a href="mailto:${own}" rel="nofollow noopener">`,
    `<a href="mailto:jane@mail.example?cc=${own}&amp;bcc=${own}" rel="nofollow noopener">`,
    `mailto:?subject=x&to=${own}`,
    `https://x.example/${own}`,
    `https://x.example:80/users/${own}/edit`,
    `https://x.example/?to=${own}`,
    `https://x.example/?${own}`,
    `https://x.example/#${own}`,
    `https://x.example/?a=1&to=%20${own}`,
    `https://x.example/?to='${own}'`,
    `https://x.example/?next=%2Fy%3Fto%3D${own}`,
    `x.example/apply?to=${own}`,
  ])('removes an address that stands alone: %s (Contract 9.2.7)', (text) => {
    expect(redactionOf(own).redact({ text })).toEqual({ text: text.replaceAll(own, erased) });
  });

  it.each([...`!#$%&'’*+-/=?^_\`{|}~.`])(
    'keeps a longer address that has %s before the erased one (Contract 9.2.7)',
    (sign) => {
      const { redact, isIn } = redactionOf(own);
      const other = `o${sign}${own}`;
      const texts = [
        other,
        `Write to ${other}.`,
        `(${other}), '${other}'; <${other}>`,
        `&lt;${other}&gt;`,
        `<a href="mailto:${other}">`,
        `mailto:jane@mail.example?cc=o${encodeURIComponent(sign)}${own}`,
      ];
      expect(redact({ texts, other: texts.join('\n') })).toEqual({ texts, other: texts.join('\n') });
      expect(isIn({ texts })).toBe(false);
      // In a list, each element is a whole address, so a sign at its start makes it another address.
      expect(redact([`${sign}${own}`, other, own])).toEqual([`${sign}${own}`, other, erased]);
    },
  );

  it.each([
    ['d@mail.example', 'r&d@mail.example'],
    ['d@mail.example', 'r&amp;d@mail.example'],
    ['d@mail.example', '&eacute;d@mail.example r&plus;d@mail.example'],
    ['d@mail.example', '&eacute;@mail.example d&commat;mail&comma;example'],
    ['bob@munchen.example', 'bob@xn--mnchen-3ya.example'],
    ['jose@mail.example', 'jose\u0301@mail.example'],
    ['d@mail.example', 'r&#38;d@mail.example'],
    ['d@mail.example', 'mailto:r%26d@mail.example'],
    ['d@mail.example', 'mailto:r%26d%40mail.example'],
    ['d@mail.example', 'https://x.example/?to=r&d@mail.example'],
    ['26d@mail.example', 'mailto:%26d@mail.example'],
    ['ric@mail.example', 'mailto:%C3%A9ric@mail.example'],
    ['ric@mail.example', 'mailto:%E9ric@mail.example'],
    ['ric@mail.example', 'e\u0301ric@mail.example'],
    ['brien@mail.example', 'o&#x27;brien@mail.example O&#X27;brien@mail.example'],
    ['d@mail.example', 'r&AMP;d@mail.example'],
    ['d@mail.example', 'x&#9999999;d@mail.example'],
    ['straße@mail.example', 'strasse@mail.example'],
    ['brien@mail.example', `l'adresse d'o'brien@mail.example`],
    ['brien@mail.example', `https://x.example/o'brien@mail.example`],
    [own, 'john%40mail.example@relay.example'],
    [own, 'john@mail.example%2Efr'],
    [own, 'john@mail.example&#46;fr john@mail.example-a john@mail.example--a'],
  ])('keeps a text without the address: %s is not in %s (Contract 9.2.7)', (address, text) => {
    expect(redactionOf(address).redact({ text })).toEqual({ text });
  });

  it.each([
    ['r&d@mail.example', 'r&amp;d@mail.example, r&#38;d@mail.example'],
    ['r&d@mail.example', 'mailto:r%26d@mail.example, mailto:r%26d%40mail.example'],
    [own, 'mailto:john%40mail.example, mailto:%6A%4f%68n%40mail%2eexample'],
    [own, 'john&#64;mail.example, john&#x40;mail&#046;example'],
    [own, 'john&commat;mail.example, john@mail&period;example'],
    ['j_r@mail.example', 'j&lowbar;r@mail.example, j&UnderBar;r@mail.example'],
    [
      'josé@mail.example',
      'jose\u0301@mail.example, JOSE\u0301@mail.example, mailto:jose%CC%81%40mail.example',
    ],
    ['jose\u0301@mail.example', 'josé@mail.example, jos&eacute;@mail.example, jose&#769;@mail.example'],
    [
      'bob@münchen.example',
      'bob@xn--mnchen-3ya.example, bob@XN--MNCHEN-3YA.example, bob@mu\u0308nchen.example',
    ],
    [
      'bob@xn--mnchen-3ya.example',
      'bob@münchen.example, bob@m&uuml;nchen.example, mailto:bob%40m%C3%BCnchen.example',
    ],
    ['É@mail.example', 'mailto:%C3%A9%40mail.example, mailto:%C3%89@mail.example'],
    ['é@mail.example', 'mailto:%C3%A9%40mail.example, mailto:%C3%89@mail.example, &#233;@mail.example'],
    [`o'brien@mail.example`, `o&#39;brien@mail.example, o%27brien@mail.example, o&apos;brien@mail.example`],
  ])('removes %s in every encoding: %s (Contract 9.2.7)', (address, text) => {
    const left = text.replace(/(^|, )(mailto:)?[^,]+/g, `$1$2${erased}`);
    expect(redactionOf(address).redact({ text })).toEqual({ text: left });
  });

  it.each([
    ['<p><b>john</b>@mail.example</p>', '<p><b>[erased]</b></p>'],
    ['jo<i>hn@mail<b>.exam</b></i>ple and <br/>', '[erased]<i><b></b></i> and <br/>'],
    [
      '<b>-</b><a href="mailto:john@mail.example">jo<u>hn</u>@mail.example</a>',
      '<b>-</b><a href="mailto:[erased]">[erased]<u></u></a>',
    ],
    ['john\u200B@\u00ADmail&shy;.exam&#8203;ple', '[erased]'],
    ['mailto:john%E2%80%8B%40mail.example', 'mailto:[erased]'],
    ['<li>x</li><li>john@mail.example</li><li>.fr</li>', '<li>x</li><li>[erased]</li><li>.fr</li>'],
  ])('removes the address if a browser would show it: %s (Contract 9.2.7)', (text, left) => {
    expect(redactionOf(own).redact({ text, list: [text] }).text).toBe(left);
  });

  it.each([
    'x<b>john@mail.example</b>',
    'john@mail.example<b>.fr</b>',
    'x\u200Bjohn@mail.example',
    'john@<br>mail.example',
  ])('keeps a text in which a browser shows another address: %s (Contract 9.2.7)', (text) => {
    expect(redactionOf(own).redact({ text })).toEqual({ text });
  });

  it('removes the address in any encoding and with invisible characters, and keeps all tags (Contract 9.2.7)', () => {
    fc.assert(
      fc.property(disguised('zoé.öberg+x@mail.example'), disguised('jane@mail.example'), (one, other) => {
        const text = `<p>${other}, ${one} (${one})</p>`;
        const left = redactionOf('zoé.öberg+x@mail.example').redact(text);
        const before = seen(text);
        expect(before.text).toBe('jane@mail.example, zoé.öberg+x@mail.example (zoé.öberg+x@mail.example)');
        expect(seen(left)).toEqual({ text: `jane@mail.example, ${erased} (${erased})`, tags: before.tags });
        expect(left).toContain(other);
      }),
    );
  });

  it('keeps a longer address that starts or ends with the erased one, in any encoding (Contract 9.2.7)', () => {
    fc.assert(
      fc.property(
        fc
          .constantFrom(
            'xjohn@mail.example',
            'x.john@mail.example',
            'john@mail.example.fr',
            'éjohn@mail.example',
          )
          .chain(disguised),
        (other) => {
          const text = `<p>${other}, ${other}</p>`;
          expect(redactionOf(own).redact(text)).toBe(text);
          expect(redactionOf(own).isIn(text)).toBe(false);
        },
      ),
    );
  });

  it('removes the address from a subject that starts with the name of a directory (Contract 9.2.7)', () => {
    const { redact } = redactionOf(own);
    expect(redact({ actor: `samlp|acme|${own}`, createdBy: `uid=${own}`, salary: `a|${own}` })).toEqual({
      actor: `samlp|acme|${erased}`,
      createdBy: `uid=${erased}`,
      salary: `a|${own}`,
    });
  });

  it('keeps the address in a public id (Contract 9.2.7)', () => {
    const { redact, isIn } = redactionOf(own);
    const ids = { publicId: own, media: own, company: own, brand: own, offices: [{ publicId: own }] };
    expect(redact({ ...ids, name: own })).toEqual({ ...ids, name: erased });
    expect([isIn(ids), isIn({ name: 'x' })]).toEqual([true, false]);
  });
});

/** Texts that a browser shows as `text`, with escaped and percent-encoded characters and invisible parts between them. */
function disguised(text: string): fc.Arbitrary<string> {
  const unseen = fc.constantFrom(
    ...['', '', '<b>', '</b>', '<em></em>', '<a href="https://x.example/?a=1&amp;b" rel="nofollow">', '</a>'],
    ...['\u200B', '\u00AD', '\u2060', '\uFEFF', '\u200E', '&shy;', '&#8203;', '&#x200d;', '%E2%80%8B'],
  );
  const written = [...text].map((character) =>
    fc.constantFrom(
      ...[character, character, character, `&#${character.codePointAt(0)};`],
      `&#x${character.codePointAt(0)?.toString(16)};`,
      [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    ),
  );
  return fc
    .tuple(...written.flatMap((character, index) => (index === 0 ? [character] : [unseen, character])))
    .map((parts) => parts.join(''));
}

function seen(html: string): { text: string; tags: string[] } {
  const tags: string[] = [];
  let text = '';
  const parser = new Parser({
    onopentagname: (name) => tags.push(name),
    onclosetag: (name) => tags.push(`/${name}`),
    ontext: (part) => (text += part),
  });
  parser.end(html);
  return {
    text: decodeURIComponent(text).replace(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, ''),
    tags,
  };
}
