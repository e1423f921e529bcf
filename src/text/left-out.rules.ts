import { endedBy } from './html-writer.rules.js';

const voidTags = 'area base br col embed hr img input link meta param source track wbr'.split(' ');

/** Whether the tag has no content and no end tag. */
export const isVoid = (tag: string): boolean => voidTags.includes(tag);

/** Their effect lasts beyond the end of their parent, as in browsers. */
const formattingTags = 'a b big code em font i nobr s small strike strong tt u'.split(' ');

const strikingTags = ['del', 's', 'strike'];

/** Word shows a comment as a mark in the text, and the comments themselves at the end. */
const commentClass = /(?:^|\s)(?:msocom(?:anchor|off|txt)|msocommentreference)(?:\s|$)/i;

/**
 * Whether an element is left out with its content: 'hidden' if the source does not show it, 'struck' if the source strikes
 * it out, or if it belongs to a comment of Word.
 */
export function leftOutAs(
  tag: string,
  attributes: ReadonlyMap<string, string>,
): 'hidden' | 'struck' | undefined {
  if (attributes.size === 0) return strikingTags.includes(tag) ? 'struck' : undefined;
  const styles = stylesOf(attributes.get('style') ?? '');
  const says = (property: string, value: RegExp) => value.test(styles.get(property) ?? '');
  if (
    attributes.has('hidden') ||
    says('display', /^none\b/) ||
    says('visibility', /^(?:hidden|collapse)\b/) ||
    says('mso-hide', /^all\b/)
  )
    return 'hidden';
  const isStruck =
    strikingTags.includes(tag) ||
    says('text-decoration', /\bline-through\b/) ||
    says('text-decoration-line', /\bline-through\b/) ||
    says('mso-element', /^comment/) ||
    says('mso-special-character', /^comment/) ||
    commentClass.test(attributes.get('class') ?? '');
  return isStruck ? 'struck' : undefined;
}

/** If a property is repeated, the last counts. */
export const stylesOf = (style: string): ReadonlyMap<string, string> =>
  new Map(
    style
      .toLowerCase()
      .split(';')
      .map((declaration) => {
        const colon = declaration.indexOf(':');
        return [declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim()] as const;
      }),
  );

/** An element that is left out with its content. It ends where it ends in a browser, also without an end tag. */
export class LeftOutElement {
  /** The element, and those that are open inside it. */
  private readonly open: string[];
  /** Whether its parent's end tag ends it. */
  readonly endsWithParent: boolean;

  constructor(readonly name: string) {
    this.open = [name];
    this.endsWithParent = !formattingTags.includes(name);
  }

  /** 0 once the element has ended. */
  get depth(): number {
    return this.open.length;
  }

  /** @returns false if the tag ends the element and comes after it */
  startTag(name: string): boolean {
    while (endedBy[this.open.at(-1) ?? '']?.includes(name)) this.open.pop();
    if (this.depth === 0) return false;
    if (!isVoid(name)) this.open.push(name);
    return true;
  }

  /** @returns false if no such element is open, from this one on */
  endTag(name: string): boolean {
    const at = this.open.lastIndexOf(name);
    if (at !== -1) this.open.length = at;
    return at !== -1;
  }
}
