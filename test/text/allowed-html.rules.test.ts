import { describe, expect, it } from '@jest/globals';
import { cleanHtml } from '../../src/text/html.rules.js';

const clean = (text: string, maximum = 10_000) => cleanHtml(text, { wrapPlainText: true, maximum });
const htmlOf = (text: string) => clean(text).html;

const blocks =
  `address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer
  form h1 h5 h6 header hgroup hr legend main menu nav pre search section summary table tbody td tfoot th thead tr`.split(
    /\s+/,
  );
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

describe('removed tag', () => {
  it.each(blocks)('%s leaves its text as a paragraph, whatever tags are kept (Contract 4.2.6.6)', (tag) => {
    expect(clean(`a<${tag}>b</${tag}>c`)).toEqual({ html: '<p>a</p><p>b</p><p>c</p>', isChanged: true });
    expect(htmlOf(`<${tag}>a</${tag}>\n<${tag}>b <b>c</b></${tag}>`)).toBe('<p>a</p><p>b <b>c</b></p>');
  });

  it.each([
    ['nested blocks', '<div><div>a<div>b</div>c</div></div>', '<p>a</p><p>b</p><p>c</p>'],
    [
      'rows and cells',
      '<table><tr><th>a<th>b<tr><td>c<td><b>d</b></table>',
      '<p>a</p><p>b</p><p>c</p><p><b>d</b></p>',
    ],
    [
      'kept blocks',
      '<div>a<h2>b</h2>c<ul><li>d</ul>e<p>f</p></div>',
      '<p>a</p><h2>b</h2><p>c</p><ul><li>d</li></ul><p>e</p><p>f</p>',
    ],
    ['a paragraph', '<p>a<div>b</div>c', '<p>a</p><p>b</p><p>c</p>'],
    ['a loose item', '<div>a<li>b</li>c</div>', '<p>a</p><li>b</li><p>c</p>'],
    ['a blank line', '<div>a</div><div><br></div><div>b</div>', '<p>a</p><p><br /></p><p>b</p>'],
    ['nothing but space', '<div>a</div> <div>\n</div><div></div>b', '<p>a</p><p>b</p>'],
  ])('leaves paragraphs, without a gap, around %s (Contract 4.2.6.6)', (_, text, html) => {
    for (const wrapPlainText of [true, false])
      expect(cleanHtml(text, { wrapPlainText, maximum: 10_000 }).html).toBe(html);
  });

  it.each([
    ['a list item', '<ul><li><div>a</div> <div>b</div></li></ul>', '<ul><li>a<br />b</li></ul>'],
    ['a heading', '<h2><div>a</div>b<br><div>c</div></h2>', '<h2>a<br />b<br />c</h2>'],
    ['bold text', '<b><div>a</div><div>b</div></b>', '<p><b>a<br />b</b></p>'],
    [
      'items that hold bold text',
      '<li><b><div>a</div></b><div>b</div><ul><li>c</ul></li>',
      '<li><b>a</b><br />b<ul><li>c</li></ul></li>',
    ],
    ['an item with a paragraph', '<li><p>a</p><div>b</div></li>', '<li><p>a</p>b</li>'],
  ])('leaves lines inside %s (Contract 4.2.6.6)', (_, text, html) => {
    expect(htmlOf(text)).toBe(html);
  });

  it.each([
    [
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><p>a <b>b</b></p><p>c</p></b>',
      '<p>a <b>b</b></p><p>c</p>',
    ],
    ['<b style="color:red; FONT-WEIGHT : 400 !important">a</b>', '<p>a</p>'],
    ['<b style="font-weight:700">a</b>', '<b>a</b>'],
    ['<b style="x-font-weight:normal">a</b>', '<b>a</b>'],
    ['<b style="font-weight:700" style="font-weight:normal">a</b>', '<b>a</b>'],
    ['<b constructor=x>a</b>', '<b>a</b>'],
  ])(
    'b goes if its style takes the weight away, as around texts of Google Docs: %s (Contract 4.2.6.7)',
    (text, html) => {
      expect(clean(text)).toEqual({ html, isChanged: true });
    },
  );

  it('span leaves its text on the same line (Contract 4.2.6)', () => {
    expect(htmlOf('a<span>b</span>c')).toBe('<p>abc</p>');
  });
});

describe('tag without readable text', () => {
  it.each([
    ...['script', 'style', 'template', 'title', 'svg', 'math', 'textarea', 'select', 'option'],
    ...['iframe', 'noscript', 'noembed', 'noframes'],
  ])('%s is removed with its content (Contract 4.2.6)', (tag) => {
    expect(clean(`x<${tag}>hidden</${tag}>y`)).toEqual({ html: '<p>xy</p>', isChanged: true });
  });

  it.each([
    ['x<select>a<select>b</select>c</select>y', '<p>xy</p>'],
    ['x<select>a<option>b</select>y', '<p>xy</p>'],
    ['x<select>a<option>b</option>c</select>y', '<p>xy</p>'],
    ['x<svg>a<svg/>b</svg>y', '<p>xy</p>'],
    ['x<svg/>y', '<p>xy</p>'],
    ['x<math/>y', '<p>xy</p>'],
    ['x<select/>y</select>z', '<p>xz</p>'],
  ])('%s becomes %s', (text, html) => {
    expect(htmlOf(text)).toBe(html);
  });
});

describe('an open tag ends where a browser would end it', () => {
  it.each(['p', 'ul', 'ol', ...headings, ...blocks])('a paragraph ends before %s', (tag) => {
    expect(htmlOf(`<p>a<${tag}>b`)).toMatch(/^<p>a\n?<\/p>/);
  });

  it.each(['h2', 'h3', 'h4'])('%s ends before every heading, but not before <b>', (tag) => {
    for (const next of headings)
      expect(htmlOf(`<${tag}>a<${next}>b`)).toMatch(new RegExp(`^<${tag}>a\n?</${tag}>`));
    expect(htmlOf(`<${tag}>a<b>b</b></${tag}>`)).toBe(`<${tag}>a<b>b</b></${tag}>`);
  });

  it.each([
    ['<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<a>x<a>y', '<a rel="nofollow noopener">x</a><a rel="nofollow noopener">y</a>'],
    ['<b>a<b>c', '<b>a<b>c</b></b>'],
    ['<p><b>x<p>y', '<p><b>x<p>y</p></b></p>'],
    ['<b>a<i>b</b>c', '<b>a<i>b</i></b>c'],
    ['a</p>b', 'a<p></p>b'],
    ['a</br>b', 'a<br />b'],
    ['a</b>c', '<p>ac</p>'],
  ])('%s becomes %s', (text, html) => {
    expect(htmlOf(text)).toBe(html);
  });
});

describe('attribute', () => {
  const link = '<a href="https://a.fr/" rel="nofollow noopener">x</a>';
  it.each([
    ['<A HREF="https://a.fr/">x</A>', false],
    ['<a rel="NOOPENER nofollow" href="https://a.fr/">x</a>', false],
    ['<a rel="nofollow  noopener" href="https://a.fr/">x</a>', false],
    ['<a rel="nofollow me" href="https://a.fr/">x</a>', true],
    ['<a title="x" href="https://a.fr/">x</a>', true],
    ['<a href="https://a.fr/" href="https://b.fr/">x</a>', true],
    ['<a href="https://a.fr/" target>x</a>', true],
  ])('is removed from a link and reported unless allowed: %s (Contract 4.2.6)', (text, isChanged) => {
    expect(clean(text)).toEqual({ html: link, isChanged });
  });

  it('href is kept only on links (Contract 4.2.6)', () => {
    expect(clean('<b href="https://a.fr/">x</b>')).toEqual({ html: '<b>x</b>', isChanged: true });
  });

  it('href of one link is not copied to the next link (Contract 4.2.6)', () => {
    expect(htmlOf('<a href="https://a.fr/">x</a><a>y</a>')).toBe(`${link}<a rel="nofollow noopener">y</a>`);
  });

  it('href of more than 2048 characters is removed (Contract 4.2.6)', () => {
    const href = (length: number) => `https://a.fr/${'x'.repeat(length - 13)}`;
    expect(htmlOf(`<a href="${href(2_048)}">x</a>`)).toContain(' href=');
    expect(clean(`<a href="${href(2_049)}">x</a>`)).toMatchObject({ isChanged: true });
    expect(htmlOf(`<a href="${href(2_049)}">x</a>`)).not.toContain(' href=');
  });
});

describe('removal of markup that is not a tag', () => {
  it.each(['a</>b', '<p>a</p><b title=">', 'a&#1;b<b>c</b>', 'a\u0001b', '<!-- x -->a', '<!x>a', '<?x>a'])(
    'is reported, except for the entity of a control character: %j (Contract 4.2.6)',
    (text) => expect(clean(text).isChanged).toBe(!text.includes('&#1;')),
  );
});

describe('text limits', () => {
  it.each([
    ['a hundred nested tags are allowed', '<b>'.repeat(100) + 'x', 10_000, undefined],
    ['101 nested tags are too many', '<b>'.repeat(101) + 'x', 10_000, 'depth'],
    ['two UTF-16 units per code point are allowed', '😀'.repeat(10), 10, undefined],
    ['one UTF-16 unit more is too many', '😀'.repeat(10) + 'x', 10, 'length'],
    ['tags of the maximum length are allowed', '<b>x</b>', 7, undefined],
    ['longer tags are refused', '<b>x</b>', 6, 'length'],
  ])('stop reading only past the limit: %s (Contract 4.2.6, 8.5)', (_, text, maximum, exceeds) => {
    const { html, ...cleaned } = clean(text, maximum);
    expect(cleaned.exceeds).toBe(exceeds);
    expect(html === '').toBe(exceeds !== undefined);
  });

  it('still report markup that was removed before reading stopped (Contract 4.2.6)', () => {
    expect(clean('<i onclick=x>' + 'x'.repeat(30), 10)).toEqual({
      html: '',
      isChanged: true,
      exceeds: 'length',
    });
  });
});
