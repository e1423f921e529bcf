import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { replaceControlCharacters } from './invisible.rules.js';
import { isSafeHref, isWithinLinkRelation, linkRelation } from './html-link.rules.js';
import { escapeHtml, HtmlWriter, isAllowed } from './html-writer.rules.js';

/** Removed together with their content. */
const tagsWithoutProse = [
  ...['script', 'style', 'template', 'title', 'svg', 'math'],
  ...['textarea', 'select', 'option', 'iframe', 'noscript', 'noembed', 'noframes'],
];

/** Only those of a link are kept. */
const attributesRead = ['a href', 'a rel', 'b style'];

const normalWeight = /(?:^|;)\s*font-weight\s*:\s*(?:normal|400)\s*(?:!|;|$)/i;

/**
 * Copies no markup from the source: writes each tag from its name, and escapes everything else. So another parser cannot find a tag in
 * the result that our tokenizer missed.
 */
export class AllowedHtml implements TokenizerCallbacks {
  hasRemoved = false;
  /** Whether a literal `&` or `<` was escaped. */
  hasEscaped = false;
  /** Has the result, with every tag closed. If its `exceeds` is set, the rest of the text was not read. */
  readonly written: HtmlWriter;

  /** The tag whose content is being dropped, and how many tags of that name are open. */
  private dropped: { name: string; depth: number } | null = null;
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
    this.hasEscaped ||= this.dropped === null && /[&<]/.test(text);
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
    const isRead = isFirst && attributesRead.includes(`${this.tag} ${this.attribute}`);
    if (isRead) this.attributes.set(this.attribute, this.value);
    this.hasRemoved ||= !isRead || this.tag !== 'a';
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
    if (!isAllowed(name)) {
      this.hasRemoved = true;
      this.written.endRemovedTag(name);
    } else if (name === 'br') this.written.lineBreak();
    else this.written.endTag(name);
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
    this.written.finish();
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
    if (!isAllowed(name)) {
      this.hasRemoved = true;
      this.written.startRemovedTag(name);
      if (tagsWithoutProse.includes(name) && !isClosed) this.dropped = { name, depth: 1 };
    } else if (name === 'br') this.written.lineBreak();
    else if (name === 'a') this.written.startTag(name, this.link());
    // Google Docs wraps a whole text in such a tag.
    else if (name !== 'b' || !normalWeight.test(this.attributes.get('style') ?? ''))
      this.written.startTag(name);
  }

  private link(): string {
    const { href, rel } = Object.fromEntries(this.attributes);
    const isSafe = href !== undefined && isSafeHref(href);
    this.hasRemoved ||= (href !== undefined && !isSafe) || (rel !== undefined && !isWithinLinkRelation(rel));
    return `<a${isSafe ? ` href="${escapeHtml(href).replaceAll('"', '&quot;')}"` : ''} rel="${linkRelation}">`;
  }

  private writeText(text: string): void {
    if (this.dropped === null) this.written.text(text);
  }
}

const characterOf = (codePoint: number): string =>
  replaceControlCharacters(String.fromCodePoint(codePoint)).text;
