import { type FastifyRequest, type onRequestAsyncHookHandler } from 'fastify';
import { type FailureLimiter } from '../access/failure-limiter.js';
import { type TokenVerifier } from '../access/token-verifier.js';
import { DomainError, unauthorized } from '../errors/domain-error.js';

/**
 * Says who calls before a byte of the body is read (Contract 5.1). Failures are counted by address, those of a valid
 * token by its subject; past their quota they answer 429 (Contract 8.3).
 */
export function authentication(
  verify: TokenVerifier,
  failures: FailureLimiter,
  options: { isTokenRequired: boolean },
): onRequestAsyncHookHandler {
  return async (request) => {
    // Where the rule of a field refuses, it counts the failure, once a request.
    let counted: Promise<DomainError | null> | undefined;
    request.countFailure = () => (counted ??= countFailure(failures, request));
    try {
      request.caller = await verify(request.headers.authorization);
      if (!request.caller && options.isTokenRequired) throw unauthorized({ reason: 'no-token' });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unauthorized-limitation') throw error;
      throw (await request.countFailure()) ?? error;
    }
  };
}

/** Counts one failure: null while the quota lasts, then what answers it instead. */
async function countFailure(
  failures: FailureLimiter,
  { caller, ip }: FastifyRequest,
): Promise<DomainError | null> {
  const retryAfterSeconds = await failures.consume(caller ? { subject: caller.subject } : { address: ip });
  return retryAfterSeconds === null ? null : new DomainError('rate-limit-exceeded', { retryAfterSeconds });
}
