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
    // Where only some fields need a token, their rule counts the failure, once a request.
    let counted: Promise<DomainError | null> | undefined;
    request.countFailure = () => (counted ??= countFailure(failures, request.ip));
    try {
      request.caller = await verify(request.headers.authorization);
      if (!request.caller && options.isTokenRequired) throw unauthorized({ reason: 'no-token' });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unauthorized-limitation') throw error;
      throw (await request.countFailure()) ?? error;
    }
  };
}

/** Counts one failed authentication: null while the quota of the address lasts, then what answers it instead. */
async function countFailure(failures: FailureLimiter, address: string): Promise<DomainError | null> {
  const retryAfterSeconds = await failures.consume(address);
  return retryAfterSeconds === null ? null : new DomainError('rate-limit-exceeded', { retryAfterSeconds });
}
