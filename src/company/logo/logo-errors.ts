import { DomainError } from '../../errors/domain-error.js';
import { tooLarge } from '../../errors/too-large.js';

/** We cannot keep the file as a logo: it is no PNG, JPEG, WebP or GIF, is broken or cut short, or the picture is too large. */
export class LogoFormatError extends Error {
  override readonly name = 'LogoFormatError';
}

/** The file is larger than `maxBytes`. Nobody knows by how much: the rest was not read. */
export class LogoTooLargeError extends Error {
  override readonly name = 'LogoTooLargeError';

  constructor(readonly maxBytes: number) {
    super(`The logo is larger than ${maxBytes} bytes.`);
  }
}

/** The picture waited too long for its turn to be decoded. */
export class LogoWaitError extends Error {
  override readonly name = 'LogoWaitError';
}

/** What a caller is told whose upload could not be read: the file is too large, or was cut off or never sent. */
export function uploadError(cause: unknown): DomainError {
  if (cause instanceof LogoTooLargeError) return tooLarge(cause.maxBytes, { en: 'logo', fr: 'logo' }, cause);
  // graphql-upload-minimal says 413 if it cut the file short before we read any of it.
  const isTooLarge = (cause as { status?: unknown }).status === 413;
  return new DomainError(isTooLarge ? 'payload-too-large' : 'body-format-error', { cause });
}
