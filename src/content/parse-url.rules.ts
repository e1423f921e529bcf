/**
 * The URL that a text is, or null. Node 20's own `URL.canParse` says false of URLs with letters such as ü once it has
 * been called often enough to be optimised.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
