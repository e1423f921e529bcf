import sanitizeHtml, { type Attributes } from 'sanitize-html';
import { parseUrl } from './parse-url.rules.js';

const ALLOWED_TAGS = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'h2', 'h3', 'h4', 'a'];
const ALLOWED_SCHEMES = ['http', 'https', 'mailto'];
const LINK_RELATION = 'nofollow noopener';

/** Tags whose content is not prose either: it goes with them. */
const TAGS_WITHOUT_PROSE = [
  ...['script', 'style', 'template', 'title', 'svg', 'math'],
  ...['textarea', 'select', 'option', 'iframe', 'noscript', 'noembed', 'noframes'],
];

/** Beyond this an href is refused. Checking a longer one is also where the sanitizer stops being linear. */
const MAX_HREF_LENGTH = 2_048;

/** The sanitizer's time grows with open tags times stray closing tags: 20 000 tags cost 0.3 s at worst. */
const MAX_TAGS = 20_000;

const CONTROL_CHARACTERS = /[^\P{Cc}\t\n\v\f\r]/gu;
/** What can begin a tag, comment or declaration; a last `<` too, for what a page may print after it. */
const MARKUP_START = /<(?=[a-z/!?]|$)/gi;
const ANY_TAG = /<[^>]*>/g;
const BLANK_LINES = /\n[^\S\n]*\n\s*/;

/** Removed tags that had their text stand on a line of its own. */
const BLOCK_TAG_START =
  /<\/?(?:address|article|aside|blockquote|center|d[dlt]|div|fieldset|figcaption|figure|footer|form|h[156r]|header|main|nav|pre|section|table|t[dhr])\b/gi;

/** A whole tag; quotes delimit only after an equals sign. Each part excludes the next: it never backtracks far. */
const WHOLE_TAG = /<\/?([a-z][^\s/>]*)[^>=]*(?:=\s*(?:"[^"]*"|'[^']*'|(?!["'\s]))[^>=]*)*>/iy;

export interface CleanedHtml {
  /** Safe to place in a page as it is; '' when no visible text is left. */
  html: string;
  /** Whether anything that was sent is gone: a tag, an attribute, an unsafe link, a comment, a control character. */
  isChanged: boolean;
}

/**
 * Cleans a text against the allow-list: p br b strong i em u ul ol li h2 h3 h4 and a, whose only attribute is an
 * absolute http, https or mailto href; every link says rel="nofollow noopener".
 *
 * Guarantees: the result holds no other markup, however the text was malformed; cleaning it again returns it
 * unchanged with `isChanged` false; time grows linearly, some 0.5 s for the worst 1 MiB. Putting markup in order
 * (closing, nesting, escaping, trimming, wrapping) is no removal. A text with more than 20 000 tags is taken for
 * plain text and escaped.
 *
 * @param options.wrapPlainText a text without tags becomes paragraphs: one per blank line, `<br />` per line.
 *   When false it stays exactly as it is, unless a `<` in it could begin a tag, which is then escaped.
 */
export function cleanHtml(text: string, options: { wrapPlainText: boolean }): CleanedHtml {
  const legible = text.replace(CONTROL_CHARACTERS, '');
  const isLegible = legible === text;
  if (!options.wrapPlainText && legible.search(MARKUP_START) === -1) {
    return { html: isBlank(legible) ? '' : legible, isChanged: !isLegible };
  }

  const source = escapeLooseMarkup(legible);
  const first = sanitize(source.replace(BLOCK_TAG_START, '\n$&'));
  // Taking a tag out can leave its neighbours nested as no parser nests them (a list in a paragraph). A second
  // pass puts that in order, and having nothing to take out, it leaves what a third would leave.
  const html = (first.hasRemoved ? sanitize(first.html).html : first.html).trim();
  const isChanged = !isLegible || first.hasRemoved || hasForeignMarkup(source);

  if (isBlank(html.replace(ANY_TAG, ''))) return { html: '', isChanged };
  const isPlain = !html.includes('<');
  return { html: isPlain && options.wrapPlainText ? wrapInParagraphs(html) : html, isChanged };
}

function sanitize(source: string): { html: string; hasRemoved: boolean } {
  let hasRemoved = false;
  const html = sanitizeHtml(source, {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ALLOWED_SCHEMES,
    nonTextTags: TAGS_WITHOUT_PROSE,
    onOpenTag: (name, attributes) => {
      hasRemoved ||= !ALLOWED_TAGS.includes(name) || !keepsAttributes(name, attributes);
    },
    transformTags: {
      a: (tagName, { href }) => ({
        tagName,
        attribs: { ...(href !== undefined && isSafeHref(href) && { href }), rel: LINK_RELATION },
      }),
    },
  });
  // An entity such as &#1; has become the character by now.
  return { html: html.replace(CONTROL_CHARACTERS, ''), hasRemoved };
}

function keepsAttributes(tag: string, attributes: Attributes): boolean {
  return Object.entries(attributes).every(
    ([name, value]) =>
      tag === 'a' &&
      ((name === 'href' && isSafeHref(value)) || (name === 'rel' && isWithinLinkRelation(value))),
  );
}

function isWithinLinkRelation(value: string): boolean {
  return value.split(/\s+/).every((word) => LINK_RELATION.split(' ').includes(word.toLowerCase()));
}

/** Absolute only: a relative or protocol-relative link would mean another page on each site that shows it. */
function isSafeHref(href: string): boolean {
  // The URL parser skips what browsers skip (spaces and control characters in "java\nscript:").
  const url = href.length > MAX_HREF_LENGTH ? null : parseUrl(href);
  return url !== null && ALLOWED_SCHEMES.includes(url.protocol.slice(0, -1));
}

/** Escapes each `<` that cannot be part of a tag because no `>` follows: "x <y" is text, not a cut-off tag. */
function escapeLooseMarkup(text: string): string {
  const isTooMuch = (text.match(MARKUP_START)?.length ?? 0) > MAX_TAGS;
  const end = isTooMuch ? 0 : text.lastIndexOf('>') + 1;
  return text.slice(0, end) + text.slice(end).replace(MARKUP_START, '&lt;');
}

/** Finds what the sanitizer drops without saying so: comments, declarations, closing tags, unfinished tags. */
function hasForeignMarkup(source: string): boolean {
  for (let start = nextMarkup(source, 0); start !== -1; start = nextMarkup(source, WHOLE_TAG.lastIndex)) {
    WHOLE_TAG.lastIndex = start;
    const name = WHOLE_TAG.exec(source)?.[1]?.toLowerCase();
    if (name === undefined || !ALLOWED_TAGS.includes(name)) return true;
  }
  return false;
}

function nextMarkup(source: string, from: number): number {
  MARKUP_START.lastIndex = from;
  return MARKUP_START.exec(source)?.index ?? -1;
}

function wrapInParagraphs(escaped: string): string {
  return escaped
    .replace(/\r\n?/g, '\n')
    .split(BLANK_LINES)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />')}</p>`)
    .join('');
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
