/** In UTF-16 units: a URL of 2048 code points may have twice as many. */
const longestUrl = 4_300;
/** RFC 1035, 2.3.4. */
const longestHost = 253;
/** A host without empty labels. It may end with a dot. */
const wholeHost = /^[^.]+(?:\.[^.]+)*\.?$/;

/**
 * Parses a URL; null if it is none or too long: the time to parse an international host grows faster than its length. We do not
 * use `URL.canParse`, which in Node.js 20, once optimised, answers false for URLs with letters such as ü.
 */
export function parseUrl(text: string): URL | null {
  // A parser forgives missing and doubled slashes, so we look for the host wherever it would.
  const authority = /^[^:]*:[\\/\s]*([^\\/?#]*)/.exec(text)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (text.length > longestUrl || host.length > longestHost) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Parses an http or https URL; null if the text is none, or one of which two readers may see different hosts. */
export function parseHttpUrl(text: string): URL | null {
  // Browsers read a backslash as a slash and skip extra slashes; people take the name before an `@` for the host.
  const isHttp = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\\]*)?$/iu.test(text);
  const url = isHttp ? parseUrl(text) : null;
  return url && wholeHost.test(url.hostname) ? url : null;
}
