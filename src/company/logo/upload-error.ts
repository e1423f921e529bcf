import { DomainError } from '../../errors/domain-error.js';
import { tooLarge } from '../../errors/too-large.js';
import { LogoTooLargeError } from './logo-errors.js';

/** Why an upload could not be read: too large, or cut off, or a file that was announced but not sent. */
export function uploadError(cause: unknown): DomainError {
  // The reader of GraphQL's multipart says 413 when it has cut a file short before anybody read it.
  if (cause instanceof LogoTooLargeError) return tooLarge(cause.maxBytes, { en: 'logo', fr: 'logo' }, cause);
  const isTooLarge = (cause as { status?: unknown }).status === 413;
  return new DomainError(isTooLarge ? 'payload-too-large' : 'body-format-error', { cause });
}
