import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { parseUrl } from './parse-url.rules.js';

/** How deep tags may be nested. */
export const deepestHtml = 100;

const allowedTags = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'h2', 'h3', 'h4', 'a'];
const webSchemes = ['http:', 'https:'];
/**
 * With fewer than two slashes, browsers resolve the link as a path on the site that shows the text. Browsers skip extra slashes, but
 * other programs don't.
 */
const hostRightAfterSlashes = /^[^:]*:\/\/[^\\/]/;
const linkRelation = 'nofollow noopener';

/** Removed together with their content. */
const tagsWithoutProse = [
  ...['script', 'style', 'template', 'title', 'svg', 'math'],
  ...['textarea', 'select', 'option', 'iframe', 'noscript', 'noembed', 'noframes'],
];

/** A line break replaces these tags, because their text was a block of its own. */
const blockTags = (
  'address article aside blockquote center dd div dl dt fieldset figcaption figure footer form h1 h5 h6 hr header main ' +
  'nav pre section table td th tr'
).split(' ');

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** For each tag, the tags that close it when they start directly inside it, as in browsers. */
const endedBy: Readonly<Record<string, readonly string[]>> = {
  p: ['p', 'ul', 'ol', ...headings, ...blockTags],
  h2: headings,
  h3: headings,
  h4: headings,
  li: ['li'],
  a: ['a'],
};

/** A few longer links could use up the whole length of a text. */
const longestHref = 2_048;

/**
 * Copies no markup from the source: writes each tag from its name, and escapes everything else. So another parser cannot find a tag in
 * the result that our tokenizer missed.
 */
export class AllowedHtml implements TokenizerCallbacks {
  /** The result, with every tag closed. */
  html = '';
  hasRemoved = false;
  /** Whether a literal `&` or `<` was escaped. */
  hasEscaped = false;
  /** The length of all tags in `html`, in UTF-16 units. */
  markup = 0;
  /** If set, the rest of the text was not read. */
  exceeds: 'length' | 'depth' | undefined;

  private readonly tokenizer: Tokenizer;
  private readonly open: string[] = [];
  /** The tag whose content is being dropped, and how many tags of that name are open. */
  private dropped: { name: string; depth: number } | null = null;
  private tag: string | null = null;
  private attribute = '';
  private value = '';
  /** If an attribute is repeated, the first counts, as in a browser. */
  private readonly linkAttributes = new Map<string, string>();

  /** @param maximum in code points; reading stops at twice as many UTF-16 units */
  constructor(
    private readonly source: string,
    private readonly maximum: number,
  ) {
    this.tokenizer = new Tokenizer({}, this);
    this.tokenizer.write(source);
    this.tokenizer.end();
  }

  ontext(start: number, end: number): void {
    const text = this.source.slice(start, end);
    this.hasEscaped ||= this.dropped === null && /[&<]/.test(text);
    this.writeText(text);
  }

  ontextentity(codePoint: number): void {
    this.writeText(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.source.slice(start, end).toLowerCase();
    this.linkAttributes.clear();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.source.slice(start, end).toLowerCase();
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    const isFirst = !this.linkAttributes.has(this.attribute);
    const isOfLink = this.tag === 'a' && (this.attribute === 'href' || this.attribute === 'rel') && isFirst;
    if (isOfLink) this.linkAttributes.set(this.attribute, this.value);
    else this.hasRemoved = true;
  }

  onopentagend(): void {
    this.begin(false);
  }

  onselfclosingtag(): void {
    this.begin(this.isForeign(this.tag));
  }

  onclosetag(start: number, end: number): void {
    const name = this.source.slice(start, end).toLowerCase();
    if (this.dropped !== null) {
      if (name === this.dropped.name && --this.dropped.depth === 0) this.dropped = null;
      return;
    }
    if (!allowedTags.includes(name)) {
      this.hasRemoved = true;
      if (blockTags.includes(name)) this.write('\n');
    } else if (name === 'br') this.writeTag('<br />');
    else if (this.open.includes(name)) this.closeUpTo(name);
    else if (name === 'p') this.writeTag('<p></p>');
  }

  oncomment(): void {
    this.hasRemoved = true;
  }

  ondeclaration(): void {
    this.hasRemoved = true;
  }

  oncdata(): void {
    this.hasRemoved = true;
  }

  onprocessinginstruction(): void {
    // The tokenizer calls this only for XML.
  }

  onend(): void {
    // The source ends inside a tag.
    if (this.tag !== null) this.hasRemoved = true;
    while (this.open.length > 0) this.close();
  }

  isInForeignContext(): boolean {
    return this.isForeign(this.dropped?.name);
  }

  private isForeign(name: string | null | undefined): boolean {
    return name === 'svg' || name === 'math';
  }

  private begin(isClosed: boolean): void {
    const name = this.tag!;
    this.tag = null;
    if (this.dropped !== null) {
      if (name === this.dropped.name && !isClosed) this.dropped.depth += 1;
      return;
    }
    if (blockTags.includes(name)) this.write('\n');
    while (endedBy[this.open.at(-1) ?? '']?.includes(name)) this.close();
    if (!allowedTags.includes(name)) {
      this.hasRemoved = true;
      if (tagsWithoutProse.includes(name) && !isClosed) this.dropped = { name, depth: 1 };
    } else if (name === 'br') this.writeTag('<br />');
    else {
      this.open.push(name);
      if (this.open.length > deepestHtml) this.stop('depth');
      this.writeTag(name === 'a' ? this.link() : `<${name}>`);
    }
  }

  private link(): string {
    const { href, rel } = Object.fromEntries(this.linkAttributes);
    const isSafe = href !== undefined && isSafeHref(href);
    this.hasRemoved ||= (href !== undefined && !isSafe) || (rel !== undefined && !isWithinLinkRelation(rel));
    return `<a${isSafe ? ` href="${escape(href).replaceAll('"', '&quot;')}"` : ''} rel="${linkRelation}">`;
  }

  private closeUpTo(name: string): void {
    while (this.open.at(-1) !== name) this.close();
    this.close();
  }

  private close(): void {
    this.writeTag(`</${this.open.pop()}>`);
  }

  private writeText(text: string): void {
    if (this.dropped === null) this.write(escape(text));
  }

  private writeTag(html: string): void {
    this.markup += html.length;
    this.write(html);
  }

  private write(html: string): void {
    this.html += html;
    // Text may have two units per code point, and may still be trimmed, so its limit is twice as high. Tags never get shorter.
    if (this.markup > this.maximum || this.html.length > 2 * this.maximum) this.stop('length');
  }

  private stop(bound: 'length' | 'depth'): void {
    this.exceeds ??= bound;
    this.tokenizer.pause();
  }
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const isWithinLinkRelation = (value: string): boolean =>
  value.split(/\s+/).every((word) => linkRelation.split(' ').includes(word.toLowerCase()));

/** A relative URL would point to a different page on each site that shows the text. */
function isSafeHref(href: string): boolean {
  // The URL parser ignores what browsers ignore, such as the line break in "java\nscript:".
  const url = href.length > longestHref ? null : parseUrl(href);
  return (
    url !== null &&
    (url.protocol === 'mailto:' || (webSchemes.includes(url.protocol) && hostRightAfterSlashes.test(href)))
  );
}
