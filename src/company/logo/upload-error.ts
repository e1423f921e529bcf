import { DomainError } from '../../errors/domain-error.js';
import { LogoTooLargeError } from './logo-too-large-error.js';

/** Why an upload could not be read: too large, or cut off, or a file that was announced but not sent. */
export const uploadError = (cause: unknown): DomainError =>
  new DomainError(cause instanceof LogoTooLargeError ? 'payload-too-large' : 'body-format-error', { cause });
