import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';
import { DomainError } from '../errors/domain-error.js';
import { valueAt } from '../text/json-pointer.rules.js';
import { type Caller } from './caller.js';
import { type Keys, type TrustedProvider } from './keys.js';
import { tokenAlgorithms } from './key-set.js';
import { type IssuedToken } from './revocations.js';
import { callerFromClaims, describeTokenFault, TokenFault } from './token-claims.js';

interface TokenVerifierOptions {
  keys: Pick<Keys, 'providers'>;
  isRevoked?: (token: IssuedToken, now: Date) => boolean;
  clock: () => Date;
}

export type TokenVerifier = ReturnType<typeof createTokenVerifier>;

const skewSeconds = 30;
const longestToken = 12_288;
const bearer = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * Verifies bearer tokens of at most 12,288 characters. Tolerates clocks that differ by 30 s. Caches callers for 15 s,
 * never past `exp`. Parallel requests with the same token share one verification.
 * @throws DomainError unauthorized-limitation with `token_expired` or `token_invalid`, and no part of the token in its `cause`;
 *   service-unavailable if no key is known
 */
export function createTokenVerifier({ keys, isRevoked = () => false, clock }: TokenVerifierOptions) {
  const providers = new Map(keys.providers.map((provider) => [provider.issuer, provider]));
  const cache = new TokenCache();
  const underway = new Map<string, Promise<Caller>>();

  async function verify(authorization: string): Promise<Caller> {
    const now = clock();
    try {
      const token = tokenOf(authorization);
      const provider = providers.get(decodeJwt(token).iss ?? '') ?? wrongClaim('iss');
      const { payload, protectedHeader } = await verifyJwt(token, provider.resolve, {
        algorithms: [...tokenAlgorithms],
        issuer: provider.issuer,
        clockTolerance: skewSeconds,
        currentDate: now,
      });
      assertAudience(payload, provider);
      assertAccessToken(payload, protectedHeader.typ);
      if (payload.iat !== undefined && payload.iat > now.getTime() / 1_000 + skewSeconds)
        throw new TokenFault('iat is in the future');
      const caller = callerFromClaims(payload, provider);
      const { jti: tokenId, iat: issuedAt } = payload;
      if (isRevoked({ issuer: provider.issuer, subject: caller.subject, tokenId, issuedAt }, now))
        throw new TokenFault('the token is revoked');
      cache.keep(authorization, caller, now.getTime());
      return caller;
    } catch (error) {
      if (error instanceof DomainError) throw error;
      // jose checks `exp` after the signature.
      const reason = error instanceof errors.JWTExpired ? 'token_expired' : 'token_invalid';
      throw new DomainError('unauthorized-limitation', {
        lack: { reason, description: describeTokenFault(error) },
        cause: withoutToken(error),
      });
    }
  }

  /** Null without an `Authorization` header. */
  return async (authorization: string | undefined): Promise<Caller | null> => {
    if (authorization === undefined) return null;
    const known = cache.find(authorization, clock().getTime()) ?? underway.get(authorization);
    if (known !== undefined) return known;
    const verifying = verify(authorization).finally(() => underway.delete(authorization));
    underway.set(authorization, verifying);
    return verifying;
  };
}

/** If several keys share the `kid`, as can happen during a rotation, tries each of them. */
async function verifyJwt(token: string, resolve: JWTVerifyGetKey, options: JWTVerifyOptions) {
  try {
    return await jwtVerify(token, resolve, options);
  } catch (error) {
    // Without a `kid`, trying every key of the set is not worth the cost.
    const isShared =
      error instanceof errors.JWKSMultipleMatchingKeys && decodeProtectedHeader(token).kid !== undefined;
    if (!isShared) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (fault) {
        if (!(fault instanceof errors.JWSSignatureVerificationFailed)) throw fault;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function assertAudience(payload: JWTPayload, { audience, audienceClaim }: TrustedProvider): void {
  const audiences: unknown[] = [valueAt(audienceClaim, payload)].flat();
  if (!audiences.includes(audience)) wrongClaim('aud');
}

/** Rejects tokens that grant no access, such as logout and ID tokens, which the provider may sign with the same key. */
function assertAccessToken({ token_use: use, typ, nonce, cnf }: JWTPayload, type: string | undefined): void {
  const isAccessToken = type === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(type);
  if (!isAccessToken) throw new TokenFault('typ is neither JWT nor at+jwt');
  // Before version 25, Keycloak put the nonce of a login into access tokens, too.
  const mayHaveNonce = typ === 'Bearer' || /at\+jwt$/i.test(type ?? '');
  if (use === 'id' || typ === 'ID' || (nonce !== undefined && !mayHaveNonce))
    throw new TokenFault('the token is an ID token, which grants no access');
  // A thief of such a token must not be able to use it.
  if (cnf !== undefined)
    throw new TokenFault('the token is bound to a key by cnf, and the gateway checks no such proof');
}

function wrongClaim(name: string): never {
  throw new TokenFault(`the claim ${name} is missing or does not have the expected value`);
}

function tokenOf(authorization: string): string {
  const token = bearer.exec(authorization)?.[1];
  if (token === undefined) throw new TokenFault('the header is not Bearer and a token');
  if (token.length > longestToken)
    throw new TokenFault(`the token is longer than ${longestToken} characters`);
  return token;
}

/** Keeps only the outermost message: jose's errors carry the claims, and their causes quote the token. */
function withoutToken(error: unknown): Error {
  const { message } = error as Error;
  return new Error(error instanceof errors.JOSEError ? `${error.code}: ${message}` : message);
}

// A removed key must stop working within 30 s: 15 s here, and 15 s until the key set is reloaded.
const keptMs = 15_000;
const mostTokens = 2_000;

interface CachedCaller {
  caller: Caller;
  fromMs: number;
  untilMs: number;
}

/** Holds at most 2,000 callers for 15 s, never past a token's `exp`. */
export class TokenCache {
  // Use the header itself as the key: hashing it would cost more than the rest of the lookup.
  readonly #entries = new Map<string, CachedCaller>();

  find(authorization: string, nowMs: number): Caller | undefined {
    const entry = this.#entries.get(authorization);
    // The lower bound matters if the clock is set back.
    return entry && nowMs >= entry.fromMs && nowMs < entry.untilMs ? entry.caller : undefined;
  }

  keep(authorization: string, caller: Caller, nowMs: number): void {
    this.#entries.delete(authorization);
    const [oldest = ''] = this.#entries.keys();
    if (this.#entries.size >= mostTokens) this.#entries.delete(oldest);
    const untilMs = Math.min(nowMs + keptMs, caller.expiresAt.getTime());
    this.#entries.set(authorization, { caller, fromMs: nowMs, untilMs });
  }
}
