import { createHash, randomBytes } from 'node:crypto';
import { nameKey } from '../text/name-key.rules.js';

/** In UTF-16 units: no valid name is longer. */
const longestName = 300;
const longestSlug = 93;
const suffixLength = 6;
const suffixCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A public id made of the job's name and six characters: of a call with an idempotency key from its digest, so that a repeated call finds
 * its job; otherwise random.
 * @param attempt counts the ids that were taken by other jobs
 */
export function newPublicId(name: string, key: string | undefined, attempt: number): string {
  const slug = nameKey(name.slice(0, longestName))
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replace(/^-|-$/g, '');
  const bytes =
    key === undefined ? randomBytes(suffixLength) : createHash('sha256').update(`${key} ${attempt}`).digest();
  const suffix = Array.from(
    bytes.subarray(0, suffixLength),
    (byte) => suffixCharacters[byte % suffixCharacters.length],
  ).join('');
  return slug === '' ? suffix : `${slug}-${suffix}`;
}
