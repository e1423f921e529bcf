import { type IncomingMessage } from 'node:http';
import { DomainError, unreadable } from '../errors/domain-error.js';

/** Node.js keeps the first of each of these and drops any other in silence. A proxy in front may have gone by one that was dropped. */
const singleHeaders = new Set(['host', 'authorization', 'content-type']);

/** Node.js reads no more than this, and drops the rest: with them a condition on what a request may do. */
const mostHeaders = 1_000;

/** The refusal of a request of which Node.js dropped a header, so that the rest would be taken for the whole (Contract 8.6.6). */
export function droppedHeader({ rawHeaders }: IncomingMessage): DomainError | undefined {
  if (rawHeaders.length > 2 * mostHeaders)
    return unreadable(`its headers are more than ${mostHeaders}`, `ses en-têtes sont plus de ${mostHeaders}`);
  const seen = new Set<string>();
  // Names and values take turns.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const known = name.toLowerCase();
    if (seen.has(known))
      return unreadable(`${name} must be there once`, `${name} doit y être une seule fois`);
    if (singleHeaders.has(known)) seen.add(known);
  }
  return undefined;
}

/** @throws DomainError body-format-error for escapes in the query that are no UTF-8, and would be read as U+FFFD */
export function assertQuery(url: string): void {
  try {
    decodeURIComponent(url.replace(/%(?![\da-f]{2})/gi, '%25'));
  } catch (cause) {
    throw unreadable(
      'the query of its address is not UTF-8',
      'les paramètres de son adresse ne sont pas en UTF-8',
      cause,
    );
  }
}

/** @throws DomainError content-type-not-supported when a body says that it is compressed (Contract 4.3.1) */
export function assertNotEncoded(contentEncoding = 'identity'): void {
  if (contentEncoding.toLowerCase() !== 'identity')
    throw new DomainError('content-type-not-supported', {
      hint: { en: 'the body must not be compressed', fr: 'le corps ne doit pas être compressé' },
    });
}
