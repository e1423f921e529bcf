/** UTF-16 units: a URL of 2048 code points may have twice as many. No host is longer than the other (RFC 1035, 2.3.4). */
const longestUrl = 4_300;
const longestHost = 253;

/**
 * The URL that a text is, or null. One that is too long is none, since the host of an international name takes time
 * that grows faster than its length. Node 20's own `URL.canParse` says false of URLs with letters such as ü once it has
 * been called often enough to be optimised.
 */
export function parseUrl(text: string): URL | null {
  // Whatever stands where a parser may look for the host: it forgives missing and doubled slashes.
  const authority = /^[^:]*:[\\/\s]*([^\\/?#]*)/.exec(text)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (text.length > longestUrl || host.length > longestHost) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
