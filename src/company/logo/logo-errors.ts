import { DomainError, tooLarge, unreadable } from '../../errors/domain-error.js';
import { excerpt } from '../../errors/excerpt.js';
import { fieldFault } from '../../errors/field-fault.js';

/** The file is not a PNG, JPEG, WebP or GIF, is broken or truncated, or its picture is too large. */
export class LogoFormatError extends Error {
  override readonly name = 'LogoFormatError';
}

export class LogoWaitError extends Error {
  override readonly name = 'LogoWaitError';
}

/**
 * How far graphql-upload-minimal may read past our limit. One extra byte lets us reject a large file at once. With our own limit, the
 * library would truncate the file and report this only at the end.
 */
export const spareFileBytes = 1;

export const logoTooLarge = (maxBytes: number, cause?: unknown): DomainError =>
  tooLarge(maxBytes, { en: 'logo', fr: 'logo' }, { cause, faults: [fieldFault.tooLarge('logo', maxBytes)] });

export const malformedPart = (cause?: unknown): DomainError =>
  unreadable(
    'a part has a missing or invalid header, for example a file name with a control character',
    'une partie a un en-tête absent ou invalide, par exemple un nom de fichier avec un caractère de contrôle',
    cause,
  );

/** The error for a file that is too large, was cut off or was never sent. */
export function uploadError(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const { status, message } = cause as { status?: unknown; message?: string };
  if (message === 'Malformed part header') return malformedPart(cause);
  if (status !== 413) return new DomainError('body-format-error', { cause });
  // graphql-upload-minimal reports 413 for a large field, a large file and too many files; only the message names the case.
  const [isCut, name, bytes] =
    /^(?:The '(.*)' multipart field value|File truncated as it) exceeds the (\d+) byte/.exec(message ?? '') ??
    [];
  if (name !== undefined) return tooLarge(Number(bytes), { en: excerpt(name), fr: excerpt(name) }, { cause });
  if (isCut) return logoTooLarge(Number(bytes) - spareFileBytes, cause);
  const hint = { en: 'send at most one file', fr: 'envoyez un seul fichier' };
  return new DomainError('payload-too-large', { cause, hint });
}
