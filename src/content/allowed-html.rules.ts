import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { parseUrl } from './parse-url.rules.js';

/** Most tags that may stand within each other. */
export const deepestHtml = 100;

const allowedTags = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'h2', 'h3', 'h4', 'a'];
const allowedSchemes = ['http:', 'https:', 'mailto:'];
const linkRelation = 'nofollow noopener';

/** Tags whose content is not prose either: it goes with them. */
const tagsWithoutProse = [
  ...['script', 'style', 'template', 'title', 'svg', 'math'],
  ...['textarea', 'select', 'option', 'iframe', 'noscript', 'noembed', 'noframes'],
];

/** Tags that are removed, but whose text stood on a line of its own and must still do so. */
const blockTags = [
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'center',
    'dd',
    'div',
    'dl',
    'dt',
    'fieldset',
    'figcaption',
  ],
  ...['figure', 'footer', 'form', 'h1', 'h5', 'h6', 'hr', 'header', 'main', 'nav', 'pre', 'section', 'table'],
  ...['td', 'th', 'tr'],
];

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Whose beginning ends a tag that it stands right within, as a browser has it. */
const endedBy: Readonly<Record<string, readonly string[]>> = {
  p: ['p', 'ul', 'ol', ...headings, ...blockTags],
  h2: headings,
  h3: headings,
  h4: headings,
  li: ['li'],
  a: ['a'],
};

/** A longer href is refused, so that a few links fill what may be stored of a text. */
const longestHref = 2_048;

/**
 * Writes what the allow-list lets through of a text, tag by tag as the tokenizer finds them. Nothing of the source
 * is written as it came: tags are written anew by their name, and all else is escaped, so that no parser can find
 * in it what this one did not.
 */
export class AllowedHtml implements TokenizerCallbacks {
  /** What was let through, every tag closed. */
  html = '';
  hasRemoved = false;
  /** Characters of `html` that are tags. */
  markup = 0;
  /** Which bound the text passed, if any; it was not read to its end then. */
  exceeds: 'length' | 'depth' | undefined;

  private readonly tokenizer: Tokenizer;
  private readonly open: string[] = [];
  /** The tag whose content is being left out, and how many of its name are open. */
  private dropped: { name: string; depth: number } | null = null;
  /** The tag that is being read. */
  private tag: string | null = null;
  private attribute = '';
  private value = '';
  /** Of several with one name the first counts, as in a browser. */
  private readonly linkAttributes = new Map<string, string>();

  /** @param maximum code points that may be written; the text is read at most until twice as many UTF-16 units are */
  constructor(
    private readonly source: string,
    private readonly maximum: number,
  ) {
    this.tokenizer = new Tokenizer({}, this);
    this.tokenizer.write(source);
    this.tokenizer.end();
  }

  ontext(start: number, end: number): void {
    this.writeText(this.source.slice(start, end));
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

  oncdata(): void {
    this.hasRemoved = true;
  }

  ondeclaration(): void {
    this.hasRemoved = true;
  }

  onprocessinginstruction(): void {
    this.hasRemoved = true;
  }

  onend(): void {
    // A tag that never ended, as behind an open quote.
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
    // Text may yet lose spaces at its ends, and a code point of it may have two units; tags stay as they are.
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

/** Absolute only: a relative or protocol-relative link would mean another page on each site that shows it. */
function isSafeHref(href: string): boolean {
  // The URL parser skips what browsers skip (spaces and control characters in "java\nscript:").
  const url = href.length > longestHref ? null : parseUrl(href);
  return url !== null && allowedSchemes.includes(url.protocol);
}
