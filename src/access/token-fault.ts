import { errors } from 'jose';

/** What is wrong with a token. The message quotes nothing of it, so it may be told and logged. */
export class TokenFault extends Error {
  override readonly name = 'TokenFault';
}

const malformed = 'the token is malformed';

const descriptions: Record<string, string> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature does not verify',
  ERR_JWKS_NO_MATCHING_KEY: 'no key of this kid and alg is known here',
  ERR_JOSE_ALG_NOT_ALLOWED: 'the alg is not one of those accepted here',
};

/** The `error_description` of a bad token (Contract 5.5). Errors of jose may quote the token, so only a claim's name is told. */
export function describeTokenFault(error: unknown): string {
  if (error instanceof TokenFault) return error.message;
  if (error instanceof errors.JWTClaimValidationFailed)
    return `the claim ${error.claim} is missing or not what is expected here`;
  return descriptions[(error as { code?: string } | null)?.code ?? ''] ?? malformed;
}
