import { AllowedHtml } from './allowed-html.rules.js';

const controlCharacters = /[^\P{Cc}\t\n\v\f\r]/gu;
/** What can begin a tag, comment or declaration. A `<` at the very end counts: a page may print a letter after it. */
const markupStart = /<(?=[a-z/!?]|$)/gi;
const anyTag = /<[^>]*>/g;
const blankLines = /\n[^\S\n]*\n\s*/;

interface CleanedHtml {
  /** Safe to place in a page as it is; '' if no visible text is left. */
  html: string;
  /** Whether anything was removed: a tag, an attribute, an unsafe link, a comment, a control character. */
  isChanged: boolean;
  /** Whether a `<` or `&` that was text has become an entity. */
  isEscaped?: boolean;
  /** The bound that the text exceeds, if any; `html` is '' then. */
  exceeds?: AllowedHtml['exceeds'];
}

/**
 * Cleans a text against the allow-list: p br b strong i em u ul ol li h2 h3 h4 and a, whose only attribute is an
 * absolute http, https or mailto href; every link says rel="nofollow noopener".
 *
 * Guarantees: the result holds no other markup, however malformed the text was; if it is cleaned again, it comes back
 * unchanged with `isChanged` false; the time grows linearly, to some 0.1 s for the worst 1 MiB. Putting markup in order
 * (closing, nesting, escaping, trimming, wrapping) is not a removal.
 *
 * @param options.maximum code points that the result may have; a text that would exceed it by far is not read to its end
 * @param options.wrapPlainText a text without tags becomes paragraphs: blank lines separate them, other line ends become
 *   `<br />`. If false, it stays exactly as it is, except that a `<` that could begin a tag is escaped.
 */
export function cleanHtml(text: string, options: { wrapPlainText: boolean; maximum: number }): CleanedHtml {
  const stripped = text.replace(controlCharacters, '');
  const isLegible = stripped === text;
  // What was removed may have stood after a space, which the trim of the request's texts could not see. Trimmed before anything
  // is looked for, since a `<` may end the text only then.
  const legible = isLegible ? text : stripped.trim();
  if (!options.wrapPlainText && legible.search(markupStart) === -1)
    return { html: isBlank(legible) ? '' : legible, isChanged: !isLegible };

  const tamed = escapeLooseMarkup(legible);
  const allowed = new AllowedHtml(tamed, options.maximum);
  const isEscaped = allowed.hasEscaped || tamed !== legible;
  // The tokenizer skips `</>` without calling us.
  const isChanged = !isLegible || allowed.hasRemoved || legible.includes('</>');
  if (allowed.exceeds) return { html: '', isChanged, exceeds: allowed.exceeds };

  // An entity such as &#1; has become a control character by now.
  const html = allowed.html.replace(controlCharacters, '').trim();
  if (isBlank(html.replace(anyTag, ''))) return { html: '', isChanged };
  return {
    html: allowed.markup > 0 || !options.wrapPlainText ? html : wrapInParagraphs(html),
    isChanged,
    ...(isEscaped && { isEscaped }),
  };
}

/** Escapes each `<` that cannot be part of a tag because no `>` follows: "x <y" is text, not a cut-off tag. */
function escapeLooseMarkup(text: string): string {
  const end = text.lastIndexOf('>') + 1;
  return text.slice(0, end) + text.slice(end).replace(markupStart, '&lt;');
}

function wrapInParagraphs(escaped: string): string {
  return escaped
    .replace(/\r\n?/g, '\n')
    .split(blankLines)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />')}</p>`)
    .join('');
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
