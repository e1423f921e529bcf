import { DomainError, unauthorized } from '../errors/domain-error.js';
import { type ErrorCode } from '../errors/catalogue.js';
import { type Caller } from './caller.js';
import { coversMedia } from './reach.rules.js';

/** The given 404, or, to a caller that does not cover the media, the refusal of somebody else's record (Contract 5.7). */
export function absent(caller: Caller, mediaPublicId: string, code: ErrorCode): DomainError {
  return coversMedia(caller, mediaPublicId) ? new DomainError(code) : unauthorized();
}
