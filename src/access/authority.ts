import { DomainError, unauthorized } from '../errors/domain-error.js';
import { type ErrorCode } from '../errors/catalogue.js';
import { type Caller } from './caller.js';
import { coversMedia } from './reach.rules.js';

/**
 * The answer for a record that is absent: the given 404 to a caller whose reach covers the whole media; to every other
 * the refusal that it gets for a foreign record, so that it cannot tell the two apart (Contract 5.7).
 */
export function absent(caller: Caller, mediaPublicId: string, code: ErrorCode): DomainError {
  return coversMedia(caller, mediaPublicId) ? new DomainError(code) : unauthorized();
}
