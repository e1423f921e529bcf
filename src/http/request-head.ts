import { type IncomingMessage } from 'node:http';
import { DomainError, unreadable } from '../errors/domain-error.js';

/** Node.js silently keeps the first value of these headers. A proxy may have acted on a later value. */
const singleHeaders = new Set(['host', 'authorization', 'content-type']);

/** Node.js drops all later headers, which can include an `If-Match`. */
const mostHeaders = 1_000;

/** Returns an error if Node.js dropped a header (Contract 8.6.6). */
export function droppedHeader({ rawHeaders }: IncomingMessage): DomainError | undefined {
  if (rawHeaders.length > 2 * mostHeaders)
    return unreadable(
      `the request has more than ${mostHeaders} headers`,
      `la requête a plus de ${mostHeaders} en-têtes`,
    );
  const seen = new Set<string>();
  // `rawHeaders` alternates names and values.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const known = name.toLowerCase();
    if (seen.has(known))
      return unreadable(`${name} must be sent only once`, `${name} ne doit être envoyé qu’une fois`);
    if (singleHeaders.has(known)) seen.add(known);
  }
  return undefined;
}

/** @throws DomainError body-format-error if percent escapes in the query are not UTF-8; they would be read as U+FFFD */
export function assertQuery(url: string): void {
  try {
    decodeURIComponent(url.replace(/%(?![\da-f]{2})/gi, '%25'));
  } catch (cause) {
    throw unreadable('the query string is not UTF-8', 'les paramètres de l’URL ne sont pas en UTF-8', cause);
  }
}

/** @throws DomainError content-type-not-supported if the body is compressed (Contract 4.3.1) */
export function assertNotEncoded(contentEncoding = 'identity'): void {
  if (contentEncoding.toLowerCase() !== 'identity')
    throw new DomainError('content-type-not-supported', {
      hint: { en: 'the body must not be compressed', fr: 'le corps ne doit pas être compressé' },
    });
}
