import { type onRequestAsyncHookHandler } from 'fastify';
import { type FailureLimiter } from '../access/failure-limiter.js';
import { type TokenVerifier } from '../access/token-verifier.js';
import { DomainError, unauthorized } from '../errors/domain-error.js';

/**
 * Says who calls before a byte of the body is read (Contract 5.1). Failures are counted by address; past their quota
 * they answer 429, while a valid token is never refused for its address (Contract 8.3).
 */
export function authentication(
  verify: TokenVerifier,
  failures: FailureLimiter,
  options: { isTokenRequired: boolean },
): onRequestAsyncHookHandler {
  return async (request) => {
    try {
      request.caller = await verify(request.headers.authorization);
      if (!request.caller && options.isTokenRequired) throw unauthorized({ reason: 'no-token' });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unauthorized-limitation') throw error;
      const retryAfterSeconds = await failures.consume(request.ip);
      throw retryAfterSeconds === null
        ? error
        : new DomainError('rate-limit-exceeded', { retryAfterSeconds });
    }
  };
}
