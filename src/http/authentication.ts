import { type onRequestAsyncHookHandler } from 'fastify';
import { type TokenVerifier } from '../access/token-verifier.js';
import { unauthorized } from '../errors/domain-error.js';

/** Identifies the caller before any byte of the body is read (Contract 5.1). */
export function authentication(
  verify: TokenVerifier,
  options: { isTokenRequired: boolean },
): onRequestAsyncHookHandler {
  return async (request) => {
    request.caller = await verify(request.headers.authorization);
    if (!request.caller && options.isTokenRequired) throw unauthorized({ reason: 'no-token' });
  };
}
