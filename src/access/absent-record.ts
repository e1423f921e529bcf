import { DomainError, unauthorized } from '../errors/domain-error.js';
import { type ErrorCode } from '../errors/catalogue.js';
import { type Caller } from './caller.js';
import { coversMedia } from './reach.rules.js';

/**
 * The error for a record that is not there. A caller whose reach covers the whole media gets the given 404. Any other
 * gets the refusal that it would get for somebody else's record, so that it cannot find out which records exist
 * (Contract 5.7).
 */
export function absent(caller: Caller, mediaPublicId: string, code: ErrorCode): DomainError {
  return coversMedia(caller, mediaPublicId) ? new DomainError(code) : unauthorized();
}
