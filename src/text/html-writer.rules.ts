/** How deep tags may be nested. */
export const deepestHtml = 100;

const allowedBlocks = ['p', 'ul', 'ol', 'li', 'h2', 'h3', 'h4'];
export const allowedTags = [...allowedBlocks, 'br', 'b', 'strong', 'i', 'em', 'u', 'a'];

/** Blocks that are not allowed. */
const otherBlocks = (
  'address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
  'h1 h5 h6 header hgroup hr legend main menu nav pre search section summary table tbody td tfoot th thead tr'
).split(' ');
const otherBlock = new RegExp(`</?(?:${otherBlocks.join('|')})\\b`, 'i');

const lineEnd = /\r\n?|\n/;

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** For each tag, the tags that close it when they start directly inside it, as in browsers. */
export const endedBy: Readonly<Record<string, readonly string[]>> = {
  p: ['p', 'ul', 'ol', ...headings, ...otherBlocks],
  h2: headings,
  h3: headings,
  h4: headings,
  li: ['li'],
  a: ['a'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  td: ['td', 'th', 'tr'],
  th: ['td', 'th', 'tr'],
  tr: ['tr'],
};

export type ListTag = 'ol' | 'ul';

const isList = (tag: string | undefined): boolean => tag === 'ol' || tag === 'ul';

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const isAllowed = (tag: string): boolean => allowedTags.includes(tag);

/**
 * Writes allowed tags and text, closes what is open, and keeps lines apart: if the source has blocks that are not allowed, its text
 * becomes paragraphs; inside a list item, a heading or inline tags, the blocks' text is separated by `<br />`. So are the lines of a `pre`.
 */
export class HtmlWriter {
  html = '';
  /** The length of all tags in `html`, in UTF-16 units. */
  markup = 0;
  /** Set when a bound is exceeded. */
  exceeds: 'length' | 'depth' | undefined;

  /** As the source names them. */
  private readonly open: string[] = [];
  /** How the open lists were written. */
  private readonly lists: string[] = [];
  /** How many removed tags of a name are open. */
  private readonly openRemoved = new Map<string, number>();
  private readonly hasOtherBlocks: boolean;
  /** The outermost open tag is a paragraph that the source doesn't have. */
  private isInOwnParagraph = false;
  private hasLineContent = false;
  /** How many `<br />` come before the next content of this block. */
  private breaksDue = 0;

  /**
   * @param maximum of the result, in code points; `exceeds` is set at twice as many UTF-16 units
   * @param onExceeded called once a bound is exceeded
   */
  constructor(
    source: string,
    private readonly maximum: number,
    private readonly onExceeded: () => void,
  ) {
    this.hasOtherBlocks = otherBlock.test(source);
  }

  text(text: string): void {
    if (this.countRemoved('pre') === 0) return this.writeText(text);
    for (const [index, line] of text.split(lineEnd).entries()) {
      if (index > 0 && this.hasLineContent) this.breaksDue += 1;
      this.writeText(line);
    }
  }

  private writeText(text: string): void {
    const written = this.breaksDue > 0 || this.lacksParagraph() ? text.trimStart() : text;
    if (written === '') return;
    this.continueLine();
    this.hasLineContent = true;
    this.write(escapeHtml(written));
  }

  lineBreak(): void {
    this.continueLine();
    this.writeTag('<br />');
    this.hasLineContent = false;
  }

  /** @param html the tag with its attributes */
  startTag(name: string, html = `<${name}>`): void {
    this.closeEndedBy(name);
    if (allowedBlocks.includes(name)) this.beginBlock();
    else this.continueLine();
    this.open.push(name);
    this.boundDepth(this.open.length);
    this.writeTag(html);
  }

  /** @param kind of its first item, if known */
  startList(name: ListTag, kind: ListTag = name): void {
    this.startTag(name, `<${kind}>`);
    this.lists.push(kind);
  }

  /** An item of another kind than its list begins another list. */
  startItem(kind: ListTag | undefined): void {
    this.closeEndedBy('li');
    const list = this.lists.at(-1);
    if (kind && kind !== list && isList(this.open.at(-1))) {
      this.writeTag(`</${list}><${kind}>`);
      this.lists.splice(-1, 1, kind);
    }
    this.startTag('li');
  }

  isOpen(name: string): boolean {
    return this.open.includes(name) || this.countRemoved(name) > 0;
  }

  private countRemoved(name: string): number {
    return this.openRemoved.get(name) ?? 0;
  }

  boundDepth(depth: number): void {
    if (depth > deepestHtml) this.stop('depth');
  }

  /** A closing tag without its opening tag is dropped; that of a paragraph gives an empty paragraph, as in browsers. */
  endTag(name: string): void {
    if (this.open.includes(name)) {
      while (this.open.at(-1) !== name) this.close();
      this.close();
    } else if (name === 'p') {
      this.beginBlock();
      this.writeTag('<p></p>');
    }
  }

  /** @param name a tag that is not allowed, or one that is left out with its content */
  startRemovedTag(name: string): void {
    this.closeEndedBy(name);
    this.separate(name);
    this.openRemoved.set(name, this.countRemoved(name) + 1);
  }

  endRemovedTag(name: string): void {
    this.separate(name);
    this.openRemoved.set(name, Math.max(0, this.countRemoved(name) - 1));
  }

  private separate(name: string): void {
    if (!otherBlocks.includes(name) && !allowedBlocks.includes(name)) return;
    this.closeOwnParagraph();
    this.breaksDue ||= Number(this.hasLineContent);
    this.hasLineContent = false;
  }

  finish(): void {
    while (this.open.length > 0) this.close();
  }

  private lacksParagraph(): boolean {
    return this.hasOtherBlocks && this.open.length === 0;
  }

  private continueLine(): void {
    if (this.lacksParagraph()) {
      this.isInOwnParagraph = true;
      this.open.push('p');
      this.writeTag('<p>');
    } else if (this.breaksDue > 0) this.writeTag('<br />'.repeat(this.breaksDue));
    this.breaksDue = 0;
  }

  private beginBlock(): void {
    this.closeOwnParagraph();
    this.hasLineContent = false;
    this.breaksDue = 0;
  }

  private closeOwnParagraph(): void {
    if (this.isInOwnParagraph && this.open.length === 1) this.close();
  }

  private closeEndedBy(name: string): void {
    while (endedBy[this.open.at(-1) ?? '']?.includes(name)) this.close();
  }

  private close(): void {
    const name = this.open.pop() ?? '';
    this.writeTag(`</${isList(name) ? this.lists.pop() : name}>`);
    if (allowedBlocks.includes(name)) {
      this.hasLineContent = false;
      this.breaksDue = 0;
    }
    if (this.open.length === 0) this.isInOwnParagraph = false;
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
    this.onExceeded();
  }
}
