import { DomainError, unreadable } from '../../errors/domain-error.js';
import { excerpt } from '../../errors/excerpt.js';
import { tooLarge } from '../../errors/too-large.js';

/** We cannot keep the file as a logo: it is no PNG, JPEG, WebP or GIF, is broken or cut short, or the picture is too large. */
export class LogoFormatError extends Error {
  override readonly name = 'LogoFormatError';
}

/** The picture waited too long for its turn to be decoded. */
export class LogoWaitError extends Error {
  override readonly name = 'LogoWaitError';
}

/**
 * Bytes that graphql-upload-minimal may read past our own bound. With the byte too many we refuse a file at once. At the bound
 * itself the library would cut it, and say so only at its end.
 */
export const spareFileBytes = 1;

/** payload-too-large for a file of more than `maxBytes`. */
export const logoTooLarge = (maxBytes: number, cause?: unknown): DomainError =>
  tooLarge(maxBytes, { en: 'logo', fr: 'logo' }, cause);

/** A part of a multipart body lacks a header, or has one that cannot be read. */
export const malformedPart = (cause?: unknown): DomainError =>
  unreadable(
    'a header of a part is missing or broken, or has a control character, as in the name of a file',
    'un en-tête d’une partie manque, est mal formé ou a un caractère de contrôle, comme dans le nom d’un fichier',
    cause,
  );

/** What a caller is told whose upload could not be read: the file is too large, or was cut off or never sent. */
export function uploadError(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const { status, message } = cause as { status?: unknown; message?: string };
  if (message === 'Malformed part header') return malformedPart(cause);
  if (status !== 413) return new DomainError('body-format-error', { cause });
  // graphql-upload-minimal says 413 where it has cut something short. What it cut and at which bound, its message alone says.
  const [isCut, name, bytes] =
    /^(?:The '(.*)' multipart field value|File truncated as it) exceeds the (\d+) byte/.exec(message ?? '') ??
    [];
  if (name !== undefined) return tooLarge(Number(bytes), { en: excerpt(name), fr: excerpt(name) }, cause);
  if (isCut) return logoTooLarge(Number(bytes) - spareFileBytes, cause);
  const hint = { en: 'it must have one file at most', fr: 'elle doit avoir un fichier au plus' };
  return new DomainError('payload-too-large', { cause, hint });
}
