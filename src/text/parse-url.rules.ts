/** In UTF-16 units: a URL of 2048 code points can have twice as many. */
const longestUrl = 4_300;
/** RFC 1035, 2.3.4. */
const longestHost = 253;
/** A host without empty labels. */
const wholeHost = /^[^.]+(?:\.[^.]+)*\.?$/;

/**
 * Returns null if the text is not a URL or is too long: parsing an international host takes more than linear time. Avoids `URL.canParse`:
 * once Node.js 20 has optimised the call, it returns false for URLs with letters such as ü.
 */
export function parseUrl(text: string): URL | null {
  // URL parsers accept any number of slashes before the host.
  const authority = /^[^:]*:[\\/\s]*([^\\/?#]*)/.exec(text)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (text.length > longestUrl || host.length > longestHost) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Returns null for anything but an http or https URL, and for a URL whose host another program could read differently. */
export function parseHttpUrl(text: string): URL | null {
  // Browsers read a backslash as a slash and skip extra slashes. People take the name before an `@` for the host.
  const isHttp = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\\]*)?$/iu.test(text);
  const url = isHttp ? parseUrl(text) : null;
  return url && wholeHost.test(url.hostname) ? url : null;
}
