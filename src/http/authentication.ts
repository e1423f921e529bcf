import { type FastifyRequest, type onRequestAsyncHookHandler } from 'fastify';
import { type FailureLimiter } from '../access/failure-limiter.js';
import { type TokenVerifier } from '../access/token-verifier.js';
import { DomainError, unauthorized } from '../errors/domain-error.js';

/**
 * Finds out who calls before a byte of the body is read (Contract 5.1). Failures are counted by address, those with a
 * valid token by its subject; past the quota they are answered 429 (Contract 8.3).
 */
export function authentication(
  verify: TokenVerifier,
  failures: FailureLimiter,
  options: { isTokenRequired: boolean },
): onRequestAsyncHookHandler {
  return async (request) => {
    // The rule of a field that refuses counts the failure too, but each request counts once.
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

/** Counts one failure. Answers null while the quota lasts, then the error to answer with. */
async function countFailure(
  failures: FailureLimiter,
  { caller, ip }: FastifyRequest,
): Promise<DomainError | null> {
  const retryAfterSeconds = await failures.consume(caller ? { subject: caller.subject } : { address: ip });
  return retryAfterSeconds === null ? null : new DomainError('rate-limit-exceeded', { retryAfterSeconds });
}
