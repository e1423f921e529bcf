import { hasInvisible, trimInvisible } from './invisible.rules.js';
import { parseUrl } from './parse-url.rules.js';

const webSchemes = ['http:', 'https:'];
/**
 * With fewer than two slashes, browsers resolve the link as a path on the site that shows the text. Browsers skip extra slashes, but
 * other programs don't.
 */
const hostRightAfterSlashes = /^[^:]*:\/\/[^\\/]/;
export const linkRelation = 'nofollow noopener';

/** A few longer links could use up the whole length of a text. */
const longestHref = 2_048;

/** Without the spaces and invisible characters at its ends. Null for a relative URL, which would point to a different page on each site. */
export function safeHref(given: string): string | null {
  const href = trimInvisible(given);
  // The URL parser ignores what browsers ignore, such as the line break in "java\nscript:".
  const url = href.length > longestHref || hasInvisible(href) ? null : parseUrl(href);
  const isSafe =
    url?.protocol === 'mailto:' ||
    (webSchemes.includes(url?.protocol ?? '') && hostRightAfterSlashes.test(href));
  return isSafe ? href : null;
}
