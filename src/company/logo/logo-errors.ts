import { DomainError } from '../../errors/domain-error.js';
import { fieldFault } from '../../errors/field-fault.js';
import { tooLarge } from '../../errors/too-large.js';
import { malformedPart } from '../../http/multipart-parts.js';

/** The file is not a PNG, JPEG, WebP or GIF, is broken or truncated, or its picture is too large. */
export class LogoFormatError extends Error {
  override readonly name = 'LogoFormatError';
}

export class LogoWaitError extends Error {
  override readonly name = 'LogoWaitError';
}

export const logoTooLarge = (maxBytes: number, cause?: unknown): DomainError =>
  tooLarge(maxBytes, { en: 'logo', fr: 'logo' }, { cause, faults: [fieldFault.tooLarge('logo', maxBytes)] });

/** The error for a file that is too large, was cut off or was never sent. */
export function uploadError(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const isMalformed = (cause as Error).message === 'Malformed part header';
  return isMalformed ? malformedPart(cause) : new DomainError('body-format-error', { cause });
}
