import { longestPublicId } from '../content/public-id.rules.js';

/** A code point of four bytes in UTF-8, each as `%` and two digits. */
const longestEncoded = 12;

/** The longest part of a path, in characters as sent: a public id of which every character is encoded. */
export const longestPart = longestEncoded * longestPublicId;

/** A path that nothing is at. */
const nowhere = '/%EF%BF%BD';

/**
 * The address for the router, without the host that it may name; `nowhere` if it cannot be read, a part is longer than any id, or
 * it is `*`, which the router takes for `/`. A request that the router itself refuses reaches no hook, and is neither
 * logged nor measured.
 */
export function routable(address = '/'): string {
  const url = address.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  const [path = ''] = url.split('?', 1);
  return path.startsWith('/') && isReadable(path) ? url : nowhere;
}

function isReadable(path: string): boolean {
  if (path.length > longestPart && path.split('/').some((part) => part.length > longestPart)) return false;
  try {
    return !path.includes('%') || decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
