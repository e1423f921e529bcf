import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { replaceControlCharacters } from './invisible.rules.js';
import { linkRelation, safeHref } from './html-link.rules.js';
import { escapeHtml, HtmlWriter, isAllowed, type ListTag } from './html-writer.rules.js';
import { isVoid, leftOutAs, LeftOutElement, stylesOf } from './left-out.rules.js';

/** Removed together with their content. */
const tagsWithoutProse = [
  ...['script', 'style', 'template', 'title', 'svg', 'math'],
  ...['textarea', 'select', 'option', 'iframe', 'noscript', 'noembed', 'noframes'],
];

/** Removed tags that nobody misses. Those of Word have a colon, such as `<o:p>`. */
const unmissedTag =
  /^(?:article|aside|body|div|font|footer|head|header|html|link|main|meta|section|span|wbr|.*:.*)$/;

/** Only `href` is kept. */
const attributesRead = ['class', 'data-list', 'hidden', 'href', 'style'];

/** Quill writes every list as `<ol>`, and the kind of its items as `data-list`. */
const listTags: ReadonlyMap<string, ListTag> = new Map([
  ['ordered', 'ol'],
  ['bullet', 'ul'],
  ['checked', 'ul'],
  ['unchecked', 'ul'],
]);
const firstItem = /\s*<li\b[^>]*?\sdata-list\s*=\s*["']?(\w+)/iy;

/**
 * Copies no markup from the source: writes each tag from its name, and escapes everything else. So another parser cannot find a tag in
 * the result that our tokenizer missed.
 */
export class AllowedHtml implements TokenizerCallbacks {
  /** Whether something was removed that a reader would miss. */
  hasRemoved = false;
  /** Whether a literal `&` or `<` was escaped. */
  hasEscaped = false;
  /** Has the result, with every tag closed. If its `exceeds` is set, the rest of the text was not read. */
  readonly written: HtmlWriter;

  /** The tag whose content is being dropped, and how many tags of that name are open. */
  private dropped: { name: string; depth: number } | null = null;
  private leftOut: LeftOutElement | null = null;
  private tag: string | null = null;
  private attribute = '';
  private value = '';
  /** If an attribute is repeated, the first counts, as in a browser. */
  private readonly attributes = new Map<string, string>();

  /** @param maximum in code points; reading stops at twice as many UTF-16 units */
  constructor(
    private readonly source: string,
    maximum: number,
  ) {
    const tokenizer = new Tokenizer({}, this);
    this.written = new HtmlWriter(source, maximum, () => tokenizer.pause());
    tokenizer.write(source);
    tokenizer.end();
  }

  ontext(start: number, end: number): void {
    const text = this.source.slice(start, end);
    this.hasEscaped ||= this.isWriting() && /[&<]/.test(text);
    this.writeText(text);
  }

  ontextentity(codePoint: number): void {
    this.writeText(characterOf(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.source.slice(start, end).toLowerCase();
    this.attributes.clear();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.source.slice(start, end).toLowerCase();
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.value += characterOf(codePoint);
  }

  onattribend(): void {
    const isFirst = !this.attributes.has(this.attribute);
    if (isFirst && attributesRead.includes(this.attribute)) this.attributes.set(this.attribute, this.value);
  }

  onopentagend(end: number): void {
    this.begin(end + 1, false);
  }

  onselfclosingtag(end: number): void {
    this.begin(end + 1, this.isForeign(this.tag));
  }

  onclosetag(start: number, end: number): void {
    const name = this.source.slice(start, end).toLowerCase();
    if (this.dropped !== null) {
      if (name === this.dropped.name && --this.dropped.depth === 0) this.dropped = null;
      return;
    }
    if (this.leftOut !== null) {
      const isInside = this.leftOut.endTag(name);
      const isParent = !isInside && this.leftOut.endsWithParent && this.written.isOpen(name);
      if (this.leftOut.depth === 0 || isParent) this.endLeftOut(this.leftOut);
      if (!isParent) return;
    }
    if (!isAllowed(name)) this.written.endRemovedTag(name);
    else if (name === 'br') this.written.lineBreak();
    else this.written.endTag(name);
  }

  oncomment(): void {
    // Nobody misses it.
  }

  ondeclaration(): void {
    // Nobody misses it.
  }

  oncdata(): void {
    // The tokenizer calls this only inside SVG and MathML, which are removed.
  }

  onprocessinginstruction(): void {
    // The tokenizer calls this only for XML.
  }

  onend(): void {
    // The source ends inside a tag.
    if (this.tag !== null) this.hasRemoved = true;
    this.written.finish();
  }

  isInForeignContext(): boolean {
    return this.isForeign(this.dropped?.name);
  }

  private isForeign(name: string | null | undefined): boolean {
    return name === 'svg' || name === 'math';
  }

  /** @param end of the tag in the source */
  private begin(end: number, isClosed: boolean): void {
    const name = this.tag!;
    this.tag = null;
    if (this.dropped !== null) {
      if (name === this.dropped.name && !isClosed) this.dropped.depth += 1;
      return;
    }
    if (this.leftOut !== null) {
      if (this.leftOut.startTag(name)) return this.written.boundDepth(this.leftOut.depth);
      this.endLeftOut(this.leftOut);
    }
    const leftOut = leftOutAs(name, this.attributes);
    this.hasRemoved ||= leftOut === 'struck' || (!leftOut && !isAllowed(name) && !unmissedTag.test(name));
    if (leftOut) this.beginLeftOut(name);
    else if (!isAllowed(name)) {
      this.written.startRemovedTag(name);
      if (tagsWithoutProse.includes(name) && !isClosed) this.dropped = { name, depth: 1 };
    } else this.write(name, end);
  }

  private write(name: string, end: number): void {
    if (name === 'br') this.written.lineBreak();
    else if (name === 'a') this.written.startTag(name, this.link());
    else if (name === 'li') this.written.startItem(listTags.get(this.attributes.get('data-list') ?? ''));
    else if (name === 'ol' || name === 'ul') {
      firstItem.lastIndex = end;
      this.written.startList(name, listTags.get(firstItem.exec(this.source)?.[1] ?? ''));
    }
    // Google Docs wraps a whole text in such a tag.
    else if (name !== 'b' || !/^(?:normal|400)\b/.test(this.style('font-weight')))
      this.written.startTag(name);
  }

  private style(property: string): string {
    return stylesOf(this.attributes.get('style') ?? '').get(property) ?? '';
  }

  private beginLeftOut(name: string): void {
    if (isVoid(name)) return;
    this.leftOut = new LeftOutElement(name);
    this.written.startRemovedTag(name);
  }

  private endLeftOut({ name }: LeftOutElement): void {
    this.leftOut = null;
    this.written.endRemovedTag(name);
  }

  private link(): string {
    const given = this.attributes.get('href');
    const href = given === undefined ? null : safeHref(given);
    this.hasRemoved ||= given !== undefined && href === null;
    return `<a${href === null ? '' : ` href="${escapeHtml(href).replaceAll('"', '&quot;')}"`} rel="${linkRelation}">`;
  }

  private isWriting(): boolean {
    return this.dropped === null && this.leftOut === null;
  }

  private writeText(text: string): void {
    if (this.isWriting()) this.written.text(text);
  }
}

const characterOf = (codePoint: number): string =>
  replaceControlCharacters(String.fromCodePoint(codePoint)).text;
