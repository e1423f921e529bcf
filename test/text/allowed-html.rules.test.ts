import { describe, expect, it } from '@jest/globals';
import { cleanHtml } from '../../src/text/html.rules.js';

const clean = (text: string, maximum = 10_000) => cleanHtml(text, { wrapPlainText: true, maximum });
const htmlOf = (text: string) => clean(text).html;

const blocks =
  `address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer
  form h1 h5 h6 header hgroup hr legend main menu nav pre search section summary table tbody td tfoot th thead tr`.split(
    /\s+/,
  );
/** Nobody misses them: they have no look of their own. */
const plainBlocks = ['article', 'aside', 'div', 'footer', 'header', 'main', 'section'];

describe('removed tag', () => {
  it.each(blocks)('%s leaves its text as a paragraph, whatever tags are kept', (tag) => {
    expect(clean(`a<${tag}>b</${tag}>c`)).toEqual({
      html: '<p>a</p><p>b</p><p>c</p>',
      isChanged: !plainBlocks.includes(tag),
    });
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
  ])('leaves paragraphs, without a gap, around %s', (_, text, html) => {
    for (const wrapPlainText of [true, false])
      expect(cleanHtml(text, { wrapPlainText, maximum: 10_000 }).html).toBe(html);
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
  ])('b goes if its style takes the weight away, as around texts of Google Docs: %s', (text, html) => {
    expect(clean(text)).toEqual({ html, isChanged: false });
  });

  it('span leaves its text on the same line (Contract 5.6)', () => {
    expect(htmlOf('a<span>b</span>c')).toBe('<p>abc</p>');
  });
});

describe('tag without readable text', () => {
  it.each([
    ...['script', 'style', 'template', 'title', 'svg', 'math', 'textarea', 'select', 'option'],
    ...['iframe', 'noscript', 'noembed', 'noframes'],
  ])('%s is removed with its content (Contract 5.6)', (tag) => {
    expect(clean(`x<${tag}>hidden</${tag}>y`)).toEqual({ html: '<p>xy</p>', isChanged: true });
  });
});

describe('attribute', () => {
  const link = '<a href="https://a.fr/" rel="nofollow noopener">x</a>';
  it.each([
    '<A HREF="https://a.fr/">x</A>',
    '<a rel="nofollow me" title="x" href="https://a.fr/">x</a>',
    '<a href="https://a.fr/" href="https://b.fr/">x</a>',
    '<a href="https://a.fr/" target>x</a>',
  ])('is removed from a link unless allowed, and not reported: %s (Contract 5.6.1, 5.6.4)', (text) => {
    expect(clean(text)).toEqual({ html: link, isChanged: false });
  });

  it('href is kept only on links (Contract 5.6)', () => {
    expect(htmlOf('<b href="https://a.fr/">x</b>')).toBe('<b>x</b>');
  });

  it('href of more than 2048 characters is removed (Contract 5.6)', () => {
    const href = (length: number) => `https://a.fr/${'x'.repeat(length - 13)}`;
    expect(htmlOf(`<a href="${href(2_048)}">x</a>`)).toContain(' href=');
    expect(clean(`<a href="${href(2_049)}">x</a>`)).toMatchObject({ isChanged: true });
    expect(htmlOf(`<a href="${href(2_049)}">x</a>`)).not.toContain(' href=');
  });
});

describe('what the source strikes out or does not show', () => {
  it.each([
    ['x <del>30 k€ max</del> y', '<p>x  y</p>'],
    ['<p>a<s>b</s><strike>c</strike><ins>d</ins></p>', '<p>ad</p>'],
    ['<p><span style="TEXT-DECORATION: underline Line-Through">a</span>b</p>', '<p>b</p>'],
    ['<p style="text-decoration-line:line-through">a</p>b', '<p>b</p>'],
    // In browsers, <s> goes on after its paragraph.
    ['<p>a<s>b</p><p>c</s></p>', '<p>a</p>'],
    ['<p>a<span class="x MsoCommentReference"><a class=msocomanchor>[AB1]</a></span></p>', '<p>a</p>'],
    [
      '<p>a</p><div style="mso-element:comment-list"><hr class=msocomoff><div><p>b</p></div></div>',
      '<p>a</p>',
    ],
  ])(
    'is removed and reported if struck out, or a comment of Word: %s (Contract 5.6.2, 5.6.4)',
    (text, html) => {
      expect(clean(text)).toEqual({ html, isChanged: true });
    },
  );

  it.each([
    ['<p hidden>a</p><p>b</p>', '<p>b</p>'],
    ['a<p hidden="until-found">b</p>c', 'a<br />c'],
    ['<p>a<b style="color:red; DISPLAY : none !important">b</b>c</p>', '<p>ac</p>'],
    ['<div style="visibility:hidden">a<div>b</div>c</div>d', '<p>d</p>'],
    ['<span style="mso-hide:all">a</span>b<img hidden>c<br hidden>d', '<p>bcd</p>'],
    ['<p hidden>a<script>"</p>"</script>b</p>c', '<p>c</p>'],
    ['<span style="display:none;display:inline">a</span>', '<p>a</p>'],
  ])('is removed without a report if not shown: %s (Contract 5.6.2)', (text, html) => {
    expect(clean(text)).toEqual({ html, isChanged: false });
  });
});

describe('a list of Quill (Contract 5.6.2)', () => {
  it.each([
    [
      '<ol><li data-list="bullet"><span class="ql-ui"></span>a</li><li data-list="bullet">b</li></ol>',
      '<ul><li>a</li><li>b</li></ul>',
    ],
    ["<OL>\n<LI class=x DATA-LIST='ordered'>a</OL>b", '<ol>\n<li>a</li></ol>b'],
    ['<ol><li data-list=checked>a<li data-list=unchecked>b</ol>', '<ul><li>a</li><li>b</li></ul>'],
    [
      '<ol><li>a</li><li data-list="bullet">b</li><li data-list="ordered">c</li><li>d</li></ol><ol><li>e</li></ol>',
      '<ol><li>a</li></ol><ul><li>b</li></ul><ol><li>c</li><li>d</li></ol><ol><li>e</li></ol>',
    ],
    ['<ol><li data-list="bullet">a<ol><li>b</li></ol></li></ol>', '<ul><li>a<ol><li>b</li></ol></li></ul>'],
    ['<ol><li data-list="x">a</li></ol><li data-list="bullet">b</li>', '<ol><li>a</li></ol><li>b</li>'],
  ])('keeps its kind, and changes it between items: %s', (text, html) => {
    expect(clean(text)).toEqual({ html, isChanged: false });
  });
});

describe('text limits', () => {
  it.each([
    ['a hundred nested tags are allowed', '<b>'.repeat(100) + 'x', 10_000, undefined],
    ['101 nested tags are too many', '<b>'.repeat(101) + 'x', 10_000, 'depth'],
    ['101 nested tags that are not shown are too many', '<u hidden>'.repeat(101), 10_000, 'depth'],
    ['two UTF-16 units per code point are allowed', '😀'.repeat(10), 10, undefined],
    ['one UTF-16 unit more is too many', '😀'.repeat(10) + 'x', 10, 'length'],
    ['tags of the maximum length are allowed', '<b>x</b>', 7, undefined],
    ['longer tags are refused', '<b>x</b>', 6, 'length'],
  ])('stop reading only past the limit: %s (Contract 5.2.2, 5.4.2, 5.6)', (_, text, maximum, exceeds) => {
    const { html, ...cleaned } = clean(text, maximum);
    expect(cleaned.exceeds).toBe(exceeds);
    expect(html === '').toBe(exceeds !== undefined);
  });
});
