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

export const isWithinLinkRelation = (value: string): boolean =>
  value.split(/\s+/).every((word) => linkRelation.split(' ').includes(word.toLowerCase()));

/** A relative URL would point to a different page on each site that shows the text. */
export function isSafeHref(href: string): boolean {
  // The URL parser ignores what browsers ignore, such as the line break in "java\nscript:".
  const url = href.length > longestHref ? null : parseUrl(href);
  return (
    url !== null &&
    (url.protocol === 'mailto:' || (webSchemes.includes(url.protocol) && hostRightAfterSlashes.test(href)))
  );
}
