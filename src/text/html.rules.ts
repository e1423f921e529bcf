import { decodeHTMLStrict } from 'entities';
import { AllowedHtml } from './allowed-html.rules.js';
import { allowedTags, type HtmlWriter } from './html-writer.rules.js';
import { isBlank, replaceControlCharacters } from './invisible.rules.js';

/** The start of a tag, comment or declaration. A `<` at the end counts too: a page may print a letter right after it. */
const markupStart = /<(?=[a-z/!?]|$)/gi;
/** `<ann@mail.example>` or `<https://site.example>`, as people write addresses in running text. */
const bracketedAddress = /<(?=(?:[^\s<>"'/=@]+@|[a-z]+:\/\/)[^\s<>]*>)/giu;
const anyTag = /<[^>]*>/g;
const lessThan = '&(?:lt|#0*60|#x0*3c);';
const greaterThan = '(?:>|&(?:gt|#0*62|#x0*3e);)';
/** `&lt;p&gt;`, `&#60;/p>` or `&lt;a href="https://site.example"&gt;`. */
const spelledTag = new RegExp(
  `${lessThan}/?(?:${allowedTags.join('|')})(?:[\\s/](?:(?!${lessThan}|${greaterThan})[^<])*)?${greaterThan}`,
  'i',
);
/** In cleaned HTML: a tag that begins a line. */
const lineTag = /<(?:p|br|[uo]l|li|h\d)\b/;
const tagOrLineEnd = /<[^>]*>|\r\n?|\n/g;
const reference = /&(?:(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);)?/gi;
const blankLines = /\n[^\S\n]*\n\s*/;

interface CleanedHtml {
  /** Safe to insert into a page unescaped; '' if no visible text is left. */
  html: string;
  /** Whether something was removed that a reader would miss, such as an image or the URL of a link, unlike an attribute or a comment. */
  isChanged: boolean;
  isEscaped?: boolean;
  /** If set, `html` is ''. */
  exceeds?: HtmlWriter['exceeds'];
}

/**
 * Allows the tags p br b strong i em u ul ol li h2 h3 h4 and a. The only allowed attribute is the href of a link, an absolute http, https
 * or mailto URL. Every link gets rel="nofollow noopener".
 *
 * A block that is not allowed becomes a paragraph, or a line inside another tag. What the source strikes out or does not show is removed
 * (`leftOutAs`), as are empty paragraphs at the end. A CDATA section is its content. A text without tags whose references spell allowed
 * tags (`&lt;p&gt;`) is that HTML.
 *
 * However malformed the text, the result has no other markup. Cleaning the result again changes nothing. The time is linear: about 0.1 s
 * for the worst text of 1 MiB. Closing, nesting, escaping, trimming, wrapping and replacing control characters do not set `isChanged`.
 *
 * @param options.maximum code points of the result; a text that far exceeds it is not read to the end
 * @param options.wrapPlainText turns a text without tags into paragraphs, split at blank lines; other line ends become `<br />`. If
 *   false, such a text is escaped only if it has a `<` that could begin a tag
 */
export function cleanHtml(text: string, options: { wrapPlainText: boolean; maximum: number }): CleanedHtml {
  const source = withoutCdataMarks(spelledHtml(withoutCdataMarks(text)));
  const replaced = replaceControlCharacters(source);
  // A replacement can leave a space at either end. Trim before the search, which looks for a `<` at the very end.
  const legible = replaced.text === text ? text : replaced.text.trim();
  if (!options.wrapPlainText && legible.search(markupStart) === -1)
    return { html: isBlank(legible) ? '' : legible, isChanged: replaced.hasRemoved };

  const marked = escapeLooseMarkup(legible);
  const tamed = marked.search(markupStart) === -1 ? escapeLooseReferences(marked) : marked;
  const { written, hasEscaped, hasRemoved } = new AllowedHtml(tamed, options.maximum);
  const isEscaped = hasEscaped || tamed !== legible;
  // The tokenizer skips `</>` without a callback.
  const isChanged = replaced.hasRemoved || hasRemoved || legible.includes('</>');
  if (written.exceeds) return { html: '', isChanged, exceeds: written.exceeds };

  const html = trimHtml(written.html);
  if (isBlank(html.replace(anyTag, ''))) return { html: '', isChanged };
  // Without a tag, the next cleaning would take a spelled tag for HTML.
  const isWrapped = options.wrapPlainText || spelledTag.test(html);
  return {
    html: html.includes('<') ? withLines(html) : isWrapped ? trimHtml(wrapInParagraphs(html)) : html,
    isChanged,
    ...(isEscaped && { isEscaped }),
  };
}

/** Escapes each `<` before an address, and each that has no `>` after it: "x <y" is text, not a cut-off tag. */
function escapeLooseMarkup(text: string, escaped = '&lt;'): string {
  const end = text.lastIndexOf('>') + 1;
  return (
    text.slice(0, end).replace(bracketedAddress, escaped) + text.slice(end).replace(markupStart, escaped)
  );
}

/** Several applicant systems escape a whole text. Returns other texts unchanged. */
function spelledHtml(text: string): string {
  if (!spelledTag.test(text)) return text;
  const marked = escapeLooseMarkup(text, '&amp;lt;');
  return marked.search(markupStart) === -1
    ? marked.replace(reference, (found) => decodeHTMLStrict(found))
    : text;
}

/** Job feeds wrap HTML in CDATA. Splits, because a pattern of both marks would take quadratic time if the end is missing. */
function withoutCdataMarks(text: string): string {
  const [first, ...sections] = text.split('<![CDATA[');
  return [first, ...sections.map((section) => section.replace(']]>', ''))].join('');
}

const isReference = (text: string): boolean => text !== '&' && decodeHTMLStrict(text) !== text;

/** For a text without tags, which is not written as HTML: `?id=1&section=2` has no `&sect`. */
const escapeLooseReferences = (text: string): string =>
  text.replace(reference, (found) => (isReference(found) ? found : `&amp;${found.slice(1)}`));

/** Without space around it, and without empty paragraphs at the end: editors add one to go on writing. */
function trimHtml(html: string): string {
  let trimmed = html.trim();
  while (trimmed.endsWith('</p>')) {
    const start = trimmed.lastIndexOf('<p>');
    const content = trimmed.slice(start, -'</p>'.length);
    if (content.includes('</p>') || !isBlank(content.replace(anyTag, ''))) break;
    trimmed = trimmed.slice(0, start).trimEnd();
  }
  return trimmed;
}

/** If all tags are inline, line ends are the only lines that the text has. A `<br>` means that they are written as HTML. */
const withLines = (html: string): string =>
  lineTag.test(html)
    ? html
    : html.replace(tagOrLineEnd, (found) => (found.startsWith('<') ? found : '<br />'));

function wrapInParagraphs(escaped: string): string {
  return escaped
    .replace(/\r\n?/g, '\n')
    .split(blankLines)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />')}</p>`)
    .join('');
}
