import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { cleanHtml } from '../../src/text/html.rules.js';
import { isBlank } from '../../src/text/invisible.rules.js';
import { leastCpuMsOf, requestMs } from '../support/prompt.js';
import { sample } from '../support/sample.js';

const job = (text: string) => cleanHtml(text, { wrapPlainText: true, maximum: 2 ** 20 });
const company = (text: string) => cleanHtml(text, { wrapPlainText: false, maximum: 2 ** 20 });

const ALLOWED_OUTPUT =
  /^(?:[^<>]|<\/?(?:p|b|strong|i|em|u|ul|ol|li|h[234])>|<br \/>|<a(?: href="[^"<>]*")? rel="nofollow noopener">|<\/a>)*$/;
const ALLOWED_LINK = /^(?:https?:|mailto:)/i;
/** Text with `<` only where no tag can begin. */
const HARMLESS_TEXT = /^(?:[^<]|<(?![a-z/!?]|$))*$/i;

function expectHarmless(html: string) {
  if (HARMLESS_TEXT.test(html)) return;
  expect(html).toMatch(ALLOWED_OUTPUT);
  for (const [, href] of html.matchAll(/<a href="([^"]*)"/g)) {
    expect(new URL(href?.replaceAll('&amp;', '&') ?? '').protocol).toMatch(ALLOWED_LINK);
  }
}

const PIECES = [
  ...'<p> </p> <br> <b> </b> <i> <u/> <ul> </ul> <ol> <li> </li> <h1> <h2> </h2> <h3> <a> </a> <hr> <div> </div>'.split(
    ' ',
  ),
  ...'<span> </span> <script> </script> <style> </style> <svg> </svg> <math> <mtext> <noscript> <title>'.split(
    ' ',
  ),
  ...'<textarea> </textarea> <template> <table> </table> <tr> <td> <select> <option> <iframe> <xmp>'.split(
    ' ',
  ),
  ...'<!-- --> --!> <! <![CDATA[ ]]> <?php ?> </ < > " \' = & && &lt;script&gt; &lt &amp;lt; &#60; &nbsp;'.split(
    ' ',
  ),
  ...'&#0; &#1; &#11; &#x1f; &#x92; &#x8d; x été 😀 <rh@acme.example> <https://acme.example/> <scr<script>ipt>'.split(
    ' ',
  ),
  ...['\0', '\u0001', '\u007f', '\u0080', '\u008d', '\u0092', '\v', '\n', '\r\n', '\n\n', '\t', '\f', ' '],
  ...['\ud800', '\u2028', '<\0script>', 'a < b', '</i >', '<!doctype html>', '<a href="'],
  ...['<a href=data:text/html,x>'],
  ...['<a href="https://example.com/?a=1&b=2">', "<a href='mailto:a@b.fr'>", '<a href="//evil.example">'],
  ...['<a href="javascript:alert(1)">', '<a href=" java\tscript:alert(1)">', '<a href="&#1;javascript:x">'],
  ...['<a href="jav&#x0A;ascript:alert(1)">', '<img src=x onerror=alert(1)>', '<p onclick="x()">'],
  ...[
    '<p style=x title=">">',
    '<b style="font-weight:normal">',
    '<p hidden>',
    '<td style=display:none>',
    '<s>',
    '</s>',
  ],
  ...['<ol>', '</ol>', '<li data-list=bullet>', '<li data-list=ordered>', '&lt;b&gt;', '&amp;lt;p&amp;gt;'],
  ...[
    '<pre>',
    '</pre>',
    '\u2029',
    '&#x2028;',
    '&#13;',
    '\u200b',
    '\u2800',
    '&zwnj;',
    '&shy',
    '&section;',
    '&sect',
  ],
];
const hostileText = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PIECES) }, { weight: 1, arbitrary: fc.string() }),
    {
      maxLength: 14,
    },
  )
  .map((pieces) => pieces.join(''));

describe('HTML cleaning', () => {
  it('keeps every allowed tag (Contract 5.6.1)', () => {
    const html =
      '<h2>A</h2><h3>B</h3><h4>C</h4><p>1 <b>2</b> <strong>3</strong> <i>4</i> <em>5</em> <u>6</u><br />7</p>' +
      '<ul><li>a</li></ul><ol><li>b</li></ol><a href="https://example.com/" rel="nofollow noopener">c</a>';
    expect(job(html)).toEqual({ html, isChanged: false });
  });

  it.each([
    ['an attribute', '<p class="x">x</p>', '<p>x</p>'],
    ['an event handler', '<b onclick=alert(1)>x</b>', '<b>x</b>'],
    ['a conditional comment', '<!--[if mso]><p>y</p><![endif]--><p>x</p>', '<p>x</p>'],
    ['a declaration', '<!doctype html><p>x</p>', '<p>x</p>'],
    ['a processing instruction', '<?xml:namespace prefix="o" ?><p>x</p>', '<p>x</p>'],
    ['a stray disallowed closing tag', '<p>x</p></h1>', '<p>x</p>'],
    ['tags without a look', '<div><p><span>x</span><o:p></o:p></p></div>', '<p>x</p>'],
    ['empty paragraphs at the end', '<p>x</p><p></p>\n<p><br><b></b></p><p>&nbsp;</p>', '<p>x</p>'],
    ['the empty paragraph after a list', '<ul><li>x</li></ul><p></p>', '<ul><li>x</li></ul>'],
    ['the empty paragraph after a text', 'x<p></p>', '<p>x</p>'],
  ])('removes %s and reports nothing', (_, text, html) => {
    expect(job(text)).toEqual({ html, isChanged: false });
  });

  it.each([
    ['&lt;p&gt;Caf&amp;eacute; R&amp;amp;D&lt;/p&gt;', '<p>Café R&amp;D</p>', false],
    ['&#60;ul>&#x3C;li&#62;a', '<ul><li>a</li></ul>', false],
    ['<![CDATA[&lt;P class="x"&gt;a&lt;br/&gt;b&lt;/P&gt;]]>', '<p>a<br />b</p>', false],
    ['&lt;![CDATA[&lt;b&gt;a&lt;/b&gt;]]&gt;', '<b>a</b>', false],
    ['&lt;script&gt;1&lt;/script&gt;&lt;b&gt;a', '<b>a</b>', true],
    ['RH &lt;rh@acme.example&gt; &lt;b&gt;a', 'RH &lt;rh@acme.example&gt; <b>a</b>', false],
    // The first is a text of its own, the others have a tag.
    ['&amp;lt;p&amp;gt;', '<p>&amp;lt;p&amp;gt;</p>', false],
    ['<i>&lt;b&gt;a</i>', '<i>&lt;b&gt;a</i>', false],
    ['<script>1</script>&lt;b&gt;a', '<p>&lt;b&gt;a</p>', true],
  ])(
    'takes a text without tags whose references spell allowed tags for HTML: %j (Contract 5.6.3)',
    (text, html, isChanged) => {
      expect(job(text)).toMatchObject({ html, isChanged });
    },
  );

  it.each([
    ['javascript:alert(1)'],
    ['JaVaScRiPt:alert(1)'],
    [' javascript:alert(1)'],
    ['java\nscript:alert(1)'],
    ['java&#x09;script:alert(1)'],
    ['&#106;avascript:alert(1)'],
    ['javascript&colon;alert(1)'],
    ['\u0001javascript:alert(1)'],
    ['vbscript:x'],
    ['data:text/html;base64,PHNjcmlwdD4='],
    ['file:///etc/passwd'],
    ['//evil.example'],
    ['\\\\evil.example'],
    ['/jobs'],
    // On an https page, `https:/logout` and `https:admin` are relative.
    ['https:/logout?all=1'],
    ['https:/logout://a.fr'],
    ['https:admin'],
    ['https:/&#9;/evil.example'],
    ['https:///evil.example'],
    ['https:\\\\evil.example'],
    ['https://\\evil.example'],
    ['jobs.html'],
    ['#top'],
    [''],
    ['https://exam\u200bple.com/'],
    ['mailto:jobs\u00ad@example.com'],
    [`https://example.com/${'x'.repeat(2_048)}`],
  ])('removes the href %j but keeps the link text', (href) => {
    expect(job(`<a href="${href}">x</a>`)).toEqual({
      html: '<a rel="nofollow noopener">x</a>',
      isChanged: true,
    });
  });

  it.each([
    ['http://example.com', 'http://example.com'],
    ['HTTPS://example.com/é?a=1&b=2#c', 'HTTPS://example.com/é?a=1&amp;b=2#c'],
    [' \u200bhttps://example.com/a b\ufeff ', 'https://example.com/a b'],
    ['mailto:jobs@example.com', 'mailto:jobs@example.com'],
  ])('keeps the href %j', (href, escaped) => {
    const html = `<a href="${escaped}" rel="nofollow noopener">x</a>`;
    expect(job(`<a href="${href}">x</a>`)).toEqual({ html, isChanged: false });
  });

  it.each([
    ...[
      '<p></p>',
      '<p><br></p>',
      '<p>&nbsp;</p>',
      ' \n',
      '',
      '<p>\u200b</p>',
      '&zwnj;',
      '<b>&#8203; &shy;</b>',
    ],
    ...[
      '\u2060',
      '\u00ad',
      '\ufe0f',
      '\u3164',
      '\u2800',
      '\u200b\u2028',
      '<![CDATA[ ]]>',
      '<![CDATA[<p></p>]]>',
    ],
  ])('treats %j as empty (Contract 5.1.7)', (text) => {
    expect(job(text).html).toBe('');
    if (!text.startsWith('&')) expect(company(text)).toEqual({ html: '', isChanged: false });
  });

  it('keeps invisible characters in a text that can be seen (Contract 5.6.1)', () => {
    for (const html of [
      '<p>می\u200cخواهم</p>',
      '<p>👩\u200d💻</p>',
      '<p>❤\ufe0f</p>',
      '<p>co\u00adopérer</p>',
    ])
      expect(job(html)).toEqual({ html, isChanged: false });
  });

  it.each([
    ['<![CDATA[<p>Texte</p>]]>', '<p>Texte</p>'],
    ['<![CDATA[ Texte ]]>', '<p>Texte</p>'],
    ['<![CDATA[un\ndeux]]>', '<p>un<br />deux</p>'],
    ['<p>x<![CDATA[ y ]]></p>', '<p>x y </p>'],
    ['<![CDATA[<p>x</p>]]><![CDATA[<p>y</p>]]>', '<p>x</p><p>y</p>'],
    ['<![CDATA[<p>a]]]]><![CDATA[>b</p>]]>', '<p>a]]&gt;b</p>'],
    ['<![CDATA[<p>cut', '<p>cut</p>'],
    ['<p>a[b[0]]>c</p>', '<p>a[b[0]]&gt;c</p>'],
  ])('takes a CDATA section as its content: %j', (text, html) => {
    expect(job(text)).toEqual({ html, isChanged: false });
  });

  it('takes the CDATA section of a company as its content (Contract 5.2.2)', () => {
    expect(company('<![CDATA[ R&D\n2 < 3 ]]>')).toEqual({ html: 'R&D\n2 < 3', isChanged: false });
    expect(company('<![CDATA[<p>a</p><script>b</script>]]>')).toEqual({ html: '<p>a</p>', isChanged: true });
  });

  it('repairs markup that a removed tag leaves invalid', () => {
    expect(job('<p>a<span><ul><li>b</li></ul></span></p>').html).toBe('<p>a</p><ul><li>b</li></ul>');
  });
});

describe('text without tags', () => {
  it.each([
    ['the text becomes a paragraph', 'Hello', '<p>Hello</p>'],
    ['a new line becomes a break', 'a\nb\r\nc', '<p>a<br />b<br />c</p>'],
    ['a blank line starts a paragraph', 'a\n\nb\r\n \r\n\r\nc', '<p>a</p><p>b</p><p>c</p>'],
    ['escaped markup stays text', '&lt;script&gt;', '<p>&lt;script&gt;</p>'],
    ['a `>` stays text', '3 > 2', '<p>3 &gt; 2</p>'],
    ['a reference is its character', 'caf&eacute; &sect; &#8211; &amp;copy;', '<p>café § – &amp;copy;</p>'],
  ])('is wrapped for a job: %s (Contract 5.6.1)', (_, text, html) => {
    expect(job(text)).toEqual({ html, isChanged: false });
  });

  it.each([
    ['comparisons', '1 < 2 && 3 > 2', '<p>1 &lt; 2 &amp;&amp; 3 &gt; 2</p>'],
    ['an ampersand, even between tags', '<p>R&D</p>', '<p>R&amp;D</p>'],
    ['an unfinished tag', 'x <y and z', '<p>x &lt;y and z</p>'],
    [
      'an unfinished tag with an event handler',
      '<img src=x onerror=alert(1) ',
      '<p>&lt;img src=x onerror=alert(1)</p>',
    ],
  ])('is escaped for a job, with a warning: %s (Contract 5.6.4)', (_, text, html) => {
    expect(job(text)).toEqual({ html, isChanged: false, isEscaped: true });
  });

  it.each([
    ['https://jobs.example/?id=1&section=2', 'https://jobs.example/?id=1&amp;section=2'],
    ['a&copy b&notit; c&#38 d&amp', 'a&amp;copy b&amp;notit; c&amp;#38 d&amp;amp'],
    ['x <y &lt b', 'x &lt;y &amp;lt b'],
    ['RH <rh@acme.example> &reg', 'RH &lt;rh@acme.example&gt; &amp;reg'],
  ])('has no reference without a semicolon: %j', (text, html) => {
    expect(job(text)).toEqual({ html: `<p>${html}</p>`, isChanged: false, isEscaped: true });
  });

  it('has references without a semicolon if it has a tag, as in browsers', () => {
    expect(job('<b>a</b> &copy 2026').html).toBe('<b>a</b> © 2026');
  });

  it.each([
    ['<img src=x onerror=alert(1) ', '&lt;img src=x onerror=alert(1)'],
    ['<!-- ', '&lt;!--'],
    ['a <', 'a &lt;'],
    ['Budget <x & y', 'Budget &lt;x &amp; y'],
  ])('is escaped for a company if a `<` could begin markup: %j (Contract 5.2.2)', (text, html) => {
    expect(company(text)).toEqual({ html, isChanged: false, isEscaped: true });
  });

  it.each([
    ['RH <rh@acme.example>', 'RH &lt;rh@acme.example&gt;'],
    ['<a.b+c@acme.example> or <Zoë@acme.example>', '&lt;a.b+c@acme.example&gt; or &lt;Zoë@acme.example&gt;'],
    ['see <https://acme.example/jobs?a=1>', 'see &lt;https://acme.example/jobs?a=1&gt;'],
    ['see <HTTPS://acme.example>', 'see &lt;HTTPS://acme.example&gt;'],
  ])('keeps an address in angle brackets, escaped, with a warning: %s', (text, html) => {
    expect(job(text)).toEqual({ html: `<p>${html}</p>`, isChanged: false, isEscaped: true });
    expect(company(text)).toEqual({ html, isChanged: false, isEscaped: true });
    expect(job(`<p><b>${text}</b></p>`)).toEqual({
      html: `<p><b>${html}</b></p>`,
      isChanged: false,
      isEscaped: true,
    });
  });

  it('gets the characters that Windows-1252 has at U+0080 to U+009F', () => {
    expect(company('l\u0092offre \u0093A\u0094 \u0096 5 \u0080\u0085')).toEqual({
      html: 'l’offre “A” – 5 €…',
      isChanged: false,
    });
    expect(job('<p>l\u0092offre &#146; &#x81;</p>')).toEqual({ html: '<p>l’offre ’ </p>', isChanged: false });
    expect(job('a\u0081b')).toEqual({ html: '<p>ab</p>', isChanged: true });
  });

  it('has U+2028 and U+2029 read as line breaks', () => {
    expect(job('a\u2028b\u2029c\u2029\u2029d')).toEqual({
      html: '<p>a<br />b<br />c</p><p>d</p>',
      isChanged: false,
    });
    expect(job('<p>a\u2028b&#x2029;c</p>')).toEqual({ html: '<p>a\nb\nc</p>', isChanged: false });
    expect(company('a\u2028b')).toEqual({ html: 'a\nb', isChanged: false });
  });

  it('loses null bytes, which could hide a tag', () => {
    expect(company('<\0script>x')).toEqual({ html: '', isChanged: true });
    expect(company('a\0b')).toEqual({ html: 'ab', isChanged: true });
  });
});

/** Parses HTML as a browser does, and lists the elements and attributes that are not allowed. */
function foreignIn(html: string): string[] {
  const found: string[] = [];
  const walk = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]) => {
    for (const node of nodes) {
      if (node.nodeName === '#text') continue;
      const attributes = 'attrs' in node ? node.attrs.map(({ name, value }) => `${name}=${value}`) : [];
      const shown = attributes.filter(
        (attribute) =>
          node.nodeName !== 'a' || !/^(?:href=\s*(?:https?|mailto):|rel=nofollow noopener$)/i.test(attribute),
      );
      if (!ALLOWED_TAGS.has(node.nodeName) || shown.length > 0)
        found.push([node.nodeName, ...shown].join(' '));
      if ('childNodes' in node) walk(node.childNodes);
    }
  };
  walk(parseFragment(html).childNodes);
  return found;
}
/** The lines that a browser shows, without empty lines. */
function linesIn(html: string): string[] {
  let shown = '';
  const walk = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]) => {
    for (const node of nodes) {
      const separator = /^(?:p|br|[uo]l|li|h\d)$/.test(node.nodeName) ? '\n' : '';
      shown += separator;
      if ('value' in node) shown += node.value.replaceAll('\n', ' ');
      if ('childNodes' in node) walk(node.childNodes);
      shown += separator;
    }
  };
  walk(parseFragment(html).childNodes);
  return shown.split('\n').flatMap((line) => line.trim() || []);
}

const ALLOWED_TAGS = new Set('p br b strong i em u ul ol li h2 h3 h4 a'.split(' '));

describe('a browser that shows cleaned HTML', () => {
  it.each([
    ['<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">'],
    ['<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">'],
    ['<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">'],
    ['<svg><title><b title="</title><img src=x onerror=alert(1)>">'],
    ['<svg><foreignObject><b><style><a title="</style><img src onerror=alert(1)>">'],
    ['<textarea><b title="</textarea><img src=x onerror=alert(1)>">'],
    ['<xmp><b title="</xmp><img src=x onerror=alert(1)>">'],
    ['<plaintext><img src=x onerror=alert(1)>'],
    ['<iframe><!--</iframe><img src=x onerror=alert(1)>-->'],
    ['<noembed><img title="</noembed><img src=x onerror=alert(1)>"></noembed>'],
    ['<template><p></template><img src=x onerror=alert(1)>'],
    [
      '<select><template><style><!--</style><a rel="--></style></template></select><img src onerror=alert(1)>">',
    ],
    [
      '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml>',
    ],
    ['<a href="https://a.fr/&quot;onmouseover=alert(1) x=&quot;">x</a>'],
    ['<a href="https://a.fr/"onmouseover="alert(1)">x</a>'],
    ['<a href=https://a.fr/`onmouseover=alert(1)>x</a>'],
    ['<a href="https://a.fr/" href="javascript:alert(1)">x</a>'],
    ['<a href="javascript:alert(1)" href="https://a.fr/">x</a>'],
    ['<a/href="javascript:alert(1)"/rel=x>x</a>'],
    ['<a href="&#14;javascript:alert(1)">x</a>'],
    ['<A HREF="JaVaScRiPt:alert(1)">x</A>'],
    ['<b/onclick=alert(1)/>x'],
    ['<b <script>alert(1)</script>>x'],
    ['<<script>alert(1)//<</script>'],
    ['<scr<!-- -->ipt>alert(1)</script>'],
    ['<!--><img src=x onerror=alert(1)>-->'],
    ['<!---><img src=x onerror=alert(1)>-->'],
    ['<!-- --!><img src=x onerror=alert(1)>-->'],
    ['<!-x><img src=x onerror=alert(1)>'],
    ['<![CDATA[><img src=x onerror=alert(1)>]]>'],
    ['<?x><img src=x onerror=alert(1)>?>'],
    ['</x y="><img src=x onerror=alert(1)>">'],
    ['&lt;img src=x onerror=alert(1)&gt;'],
    ['&amp;lt;img src=x onerror=alert(1)&amp;gt;'],
    ['&#60;img src=x onerror=alert(1)&#62;'],
    ['&lt&#x200b;img src=x onerror=alert(1)>'],
    ['<img src=x onerror=alert(1)//'],
    ['<\u0000img src=x onerror=alert(1)>'],
    ['<img\u000bsrc=x onerror=alert(1)>'],
    ['\uff1cimg src=x onerror=alert(1)\uff1e'],
    ['<p><b><i><p></b></i><table><a><svg><a></table><p>x'],
    ['<p><a><b><p><a><ul><a><li></p></a><h2><a>x'],
  ])('finds only allowed elements and attributes in %j', (text) => {
    for (const clean of [job, company]) {
      expect(foreignIn(clean(text).html)).toEqual([]);
      expect(foreignIn(`<div>${clean(text).html}</div><p title="a">`).length).toBe(2);
    }
  });
});

describe('HTML cleaning of any text', () => {
  it.each([
    ['job', job],
    ['company', company],
  ])(
    'for a %s returns nothing executable, and changes nothing when repeated (Contract 5.6.1)',
    (_, clean) => {
      fc.assert(
        fc.property(hostileText, (text) => {
          const { html } = clean(text);
          expectHarmless(html);
          expect(foreignIn(html)).toEqual([]);
          expect(clean(html)).toEqual({ html, isChanged: false });
        }),
        sample(3_000),
      );
    },
  );

  it('does not change a company text that has no `<` and no control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!isBlank(text) && !/<|[^\P{Cc}\t\n\r]|[\u2028\u2029]/u.test(text));
        expect(company(text)).toEqual({ html: text, isChanged: false });
      }),
    );
  });

  it('keeps every word of a text, whatever markup stands between them (Contract 5.6)', () => {
    const markup = [
      ...'<p> </p> <br> <b> </b> <i> <u/> <ul> </ul> <li> <h2> <h1> <a> </a> <div> </div> <table> <td> <span>'.split(
        ' ',
      ),
      ...'<pre> </pre> <![CDATA[ ]]> < > & &nbsp; &zwnj; &#0; &sect &section; <img> <font> </x> \0 \u0001'.split(
        ' ',
      ),
      ...[
        '<!-- x -->',
        '<!doctype html>',
        '<script>x</script>',
        '<b style="font-weight:normal">',
        '\u2028',
        '\n',
      ],
      ...['<a href="https://a.fr/?a=1&b">', '<p title=">">', '<ann@mail.example>', '\u200b', '\ufe0f'],
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...markup), { minLength: 1, maxLength: 8 }), (pieces) => {
        const words = pieces.map((_, index) => `mot${index}`);
        const text = pieces.map((piece, index) => `${piece} ${words[index]} `).join('');
        for (const clean of [job, company])
          expect(linesIn(clean(text).html).join(' ').match(/mot\d/g)).toEqual(words);
      }),
      sample(2_000),
    );
  });

  it('keeps every line of a text without tags, with inline tags alone, or in pre', () => {
    const lineEnds = ['\n', '\r\n', '\r', '\n\n', '\n \r\n', '\u2028', '\u2029', '\v', '\f'];
    const tags = ['<b>', '<i>', '<span>', '<a href="https://a.fr/?b\n=1">', '<font color=red>', ''];
    const word = fc.stringMatching(/^[a-zéß漢😀0-9]{1,6}$/u);
    const line = fc.tuple(fc.constantFrom(...tags), word, fc.constantFrom(...lineEnds));
    const around = fc.constantFrom(['', ''], ['<![CDATA[', ']]>'], ['<em>', '</em>'], ['<pre>', '</pre>']);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), around, (lines, [before, after]) => {
        const written = lines.map(([tag, each, end]) => {
          const name = /\w+/.exec(tag)?.[0];
          return `${tag}${each}${name ? `</${name}>` : ''}${end}`;
        });
        const { html } = job(`${before}${written.join('')}${after}`);
        expect(linesIn(html)).toEqual(lines.map(([, each]) => each));
      }),
      sample(2_000),
    );
  });

  /** An update may send five texts of this length: five times the stored maximum. */
  const longest = 100_000;
  const cleanFive = (text: string) => {
    for (let field = 0; field < 5; field += 1) cleanHtml(text, { wrapPlainText: true, maximum: 20_000 });
  };

  it.each([
    ...'< <b> </b> <p> <a@b> <!-- <![CDATA[ &lt; &notit; http:// <title>&lt; <svg> <select><option> <ul><li>'.split(
      ' ',
    ),
    ..."&CounterClockwiseContourIntegra <div>x <b><div>x <pre>x ]]> <a=' <x&#32;y=z>".split(' '),
    ...[
      '\n',
      '\u0001',
      '</ >',
      '<x y=z>',
      "<a '",
      '<span><a href=http://[></span>',
      '<b style=";font-weight:">',
    ],
    ...['<p hidden>x', '<ol><li data-list=bullet>', '&lt;b&gt;'],
  ])('cleans five long texts of repeated %j within the time limit of a request', async (unit) => {
    const text = unit.repeat(longest / unit.length);
    expect(await leastCpuMsOf(() => cleanFive(`${text}>x`), requestMs)).toBeLessThan(requestMs);
  });

  it.each([
    ['open and stray closing tags', '<b>'.repeat(10_000) + '</i>'.repeat(9_990)],
    ['the deepest nesting, and stray closing tags', '<b>'.repeat(100) + '</i>'.repeat(24_000)],
    ['the deepest nesting, repeated', ('<b>'.repeat(100) + '</b>'.repeat(100)).repeat(140)],
    ['raw text that never ends', `<style>${'</'.repeat(49_000)}`],
    ['comments in a link', `<a href="https://a.fr/${'<!---->'.repeat(14_000)}">x</a>`],
    ['attributes', `<p ${'a=1 '.repeat(24_000)}>x</p>`],
    ['attributes of a link', `<a ${'href=http://[ '.repeat(7_000)}>x</a>`],
    ['one long style', `<b style="${';font-weight: '.repeat(7_000)}">x</b>`],
    ['paragraphs of space', `<div>x</div>${' '.repeat(90_000)}`],
    ['one long name', `<${'x'.repeat(99_000)}>`],
    ['line ends in pre', `<pre>x${'\n'.repeat(98_000)}x`],
    ['references, unknown and without tags', `${'&a;'.repeat(33_000)}`],
  ])('cleans five long texts with %s within the time limit of a request', async (_, text) => {
    expect(await leastCpuMsOf(() => cleanFive(text), requestMs)).toBeLessThan(requestMs);
  });
});
