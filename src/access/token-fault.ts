import { errors } from 'jose';

/** The message quotes no part of the token, so it can be sent and logged. */
export class TokenFault extends Error {
  override readonly name = 'TokenFault';
}

const malformed = 'the token is malformed';

const descriptions: Record<string, string> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature does not verify',
  ERR_JWKS_NO_MATCHING_KEY: 'no known key has this kid and alg',
  ERR_JOSE_ALG_NOT_ALLOWED: 'the gateway does not accept this alg',
};

/** The `error_description` for a bad token (Contract 5.5). jose's errors may quote the token, so use only the claim's name. */
export function describeTokenFault(error: unknown): string {
  if (error instanceof TokenFault) return error.message;
  if (error instanceof errors.JWTClaimValidationFailed)
    return `the claim ${error.claim} is missing or does not have the expected value`;
  return descriptions[(error as { code?: string } | null)?.code ?? ''] ?? malformed;
}
