import { AllowedHtml } from './allowed-html.rules.js';

const controlCharacters = /[^\P{Cc}\t\n\v\f\r]/gu;
/** The start of a tag, comment or declaration. A `<` at the end counts too: a page may print a letter right after it. */
const markupStart = /<(?=[a-z/!?]|$)/gi;
const anyTag = /<[^>]*>/g;
const blankLines = /\n[^\S\n]*\n\s*/;

interface CleanedHtml {
  /** Safe to insert into a page unescaped; '' if no visible text is left. */
  html: string;
  /** Whether a tag, attribute, unsafe link, comment or control character was removed. */
  isChanged: boolean;
  isEscaped?: boolean;
  /** If set, `html` is ''. */
  exceeds?: AllowedHtml['exceeds'];
}

/**
 * Allows the tags p br b strong i em u ul ol li h2 h3 h4 and a. The only allowed attribute is the href of a link, an absolute http, https
 * or mailto URL. Every link gets rel="nofollow noopener".
 *
 * However malformed the text, the result has no other markup. Cleaning the result again changes nothing. The time is linear: about 0.1 s
 * for the worst text of 1 MiB. Closing, nesting, escaping, trimming and wrapping do not set `isChanged`.
 *
 * @param options.maximum code points of the result; a text that far exceeds it is not read to the end
 * @param options.wrapPlainText turns a text without tags into paragraphs, split at blank lines; other line ends become `<br />`. If
 *   false, such a text is escaped only if it has a `<` that could begin a tag
 */
export function cleanHtml(text: string, options: { wrapPlainText: boolean; maximum: number }): CleanedHtml {
  const stripped = text.replace(controlCharacters, '');
  const isLegible = stripped === text;
  // Removing a control character can leave a space at either end. Trim before the search, which looks for a `<` at the very end.
  const legible = isLegible ? text : stripped.trim();
  if (!options.wrapPlainText && legible.search(markupStart) === -1)
    return { html: isBlank(legible) ? '' : legible, isChanged: !isLegible };

  const tamed = escapeLooseMarkup(legible);
  const allowed = new AllowedHtml(tamed, options.maximum);
  const isEscaped = allowed.hasEscaped || tamed !== legible;
  // The tokenizer skips `</>` without a callback.
  const isChanged = !isLegible || allowed.hasRemoved || legible.includes('</>');
  if (allowed.exceeds) return { html: '', isChanged, exceeds: allowed.exceeds };

  // Decoding an entity such as &#1; yields a control character.
  const html = allowed.html.replace(controlCharacters, '').trim();
  if (isBlank(html.replace(anyTag, ''))) return { html: '', isChanged };
  return {
    html: allowed.markup > 0 || !options.wrapPlainText ? html : wrapInParagraphs(html),
    isChanged,
    ...(isEscaped && { isEscaped }),
  };
}

/** Escapes each `<` that has no `>` after it: "x <y" is text, not a cut-off tag. */
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
