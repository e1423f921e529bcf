import { type FastifyRequest, type onRequestAsyncHookHandler } from 'fastify';
import { type FailureLimiter } from '../access/failure-limiter.js';
import { type TokenVerifier } from '../access/token-verifier.js';
import { DomainError, unauthorized } from '../errors/domain-error.js';

/** Identifies the caller before any byte of the body is read (Contract 5.1). */
export function authentication(
  verify: TokenVerifier,
  options: { isTokenRequired: boolean },
): onRequestAsyncHookHandler {
  return async (request) => {
    try {
      request.caller = await verify(request.headers.authorization);
      if (!request.caller && options.isTokenRequired) throw unauthorized({ reason: 'no-token' });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unauthorized-limitation') throw error;
      throw request.countFailure() ?? error;
    }
  };
}

/**
 * Returns a function that counts the request as failed, at most once, against the caller's subject, or without a caller against the
 * address (Contract 8.3). The function returns an error if the quota is exceeded.
 */
export function failureCounter(failures: FailureLimiter, request: FastifyRequest): () => DomainError | null {
  let overdrawn: DomainError | null | undefined;
  // Read the address now: Node.js clears it when the socket closes.
  const { ip } = request;
  return () => {
    if (overdrawn === undefined) {
      const { caller } = request;
      const retryAfterSeconds = failures.consume(caller ? { subject: caller.subject } : { address: ip });
      overdrawn =
        retryAfterSeconds === null ? null : new DomainError('rate-limit-exceeded', { retryAfterSeconds });
    }
    return overdrawn;
  };
}
