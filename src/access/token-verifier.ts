import {
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';
import { DomainError } from '../errors/domain-error.js';
import { type Settings } from '../settings.js';
import { type Caller } from './caller.js';
import { type Keys } from './keys.js';
import { tokenAlgorithms } from './token-algorithms.js';
import { callerFromClaims } from './token-claims.js';
import { describeTokenFault, TokenFault } from './token-fault.js';

interface TokenVerifierOptions {
  settings: Pick<Settings, 'jwtIssuer' | 'jwtAudience'>;
  keys: Pick<Keys, 'resolve'>;
  clock: () => Date;
}

/** Takes the `Authorization` header of a request; null means that there is none. */
export type TokenVerifier = (authorization: string | undefined) => Promise<Caller | null>;

const skewSeconds = 30;
const longestToken = 8_192;
const bearer = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * Verifies bearer tokens (Contract 5.1, 5.4): signature by an allow-listed algorithm, `iss`, `aud`, `exp`, `nbf` and
 * `iat` with 30 s for clocks that differ, `typ`, `sub`, and the types of the other claims. At most 8192 characters a
 * token. A verified token is kept for 15 s, never past its `exp`; the same token in parallel is verified once.
 *
 * For whatever is wrong with the header, the verifier rejects with DomainError unauthorized-limitation and the
 * challenge `invalid-token`; its `cause` holds nothing of the token. When no key is known, it rejects with
 * service-unavailable.
 */
export function createTokenVerifier({ settings, keys, clock }: TokenVerifierOptions): TokenVerifier {
  const cache = new TokenCache();
  const underway = new Map<string, Promise<Caller>>();

  async function verify(authorization: string): Promise<Caller> {
    const now = clock();
    try {
      const { payload, protectedHeader } = await verifyJwt(tokenOf(authorization), keys.resolve, {
        algorithms: [...tokenAlgorithms],
        issuer: settings.jwtIssuer,
        audience: settings.jwtAudience,
        clockTolerance: skewSeconds,
        currentDate: now,
      });
      assertAccessToken(protectedHeader.typ);
      if (payload.iat !== undefined && payload.iat > now.getTime() / 1_000 + skewSeconds)
        throw new TokenFault('iat is in the future');
      const caller = callerFromClaims(payload);
      cache.keep(authorization, caller, now.getTime());
      return caller;
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw new DomainError('unauthorized-limitation', {
        challenge: { reason: 'invalid-token', description: describeTokenFault(error) },
        cause: withoutToken(error),
      });
    }
  }

  return async (authorization) => {
    if (authorization === undefined) return null;
    const known = cache.find(authorization, clock().getTime());
    if (known !== undefined) return known;
    const others = underway.get(authorization);
    if (others !== undefined) return others;
    const verifying = verify(authorization).finally(() => underway.delete(authorization));
    underway.set(authorization, verifying);
    return verifying;
  };
}

/** Verifies a token by its key, or by each of the keys that share its `kid`, as two may while one replaces the other. */
async function verifyJwt(
  token: string,
  resolve: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, resolve, options);
  } catch (error) {
    // Without a `kid` these would be all keys of the set: trying them would cost more than it gives.
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

/** Another kind of token signed with the same key, such as a logout token, says nothing of what its bearer may do here. */
function assertAccessToken(type: string | undefined): void {
  const isAccessToken = type === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(type);
  if (!isAccessToken) throw new TokenFault('typ is neither JWT nor at+jwt');
}

function tokenOf(authorization: string): string {
  const token = bearer.exec(authorization)?.[1];
  if (token === undefined) throw new TokenFault('the header is not Bearer and a token');
  if (token.length > longestToken)
    throw new TokenFault(`the token is longer than ${longestToken} characters`);
  return token;
}

/** The errors of jose carry the claims, and the parser's beneath them quote the token: only the outermost message is logged. */
function withoutToken(error: unknown): Error {
  const { message } = error as Error;
  return new Error(error instanceof errors.JOSEError ? `${error.code}: ${message}` : message);
}

// Half of the 30 s in which a key that was taken out must stop working; the key set's own age is the other half.
const keptMs = 15_000;
const mostTokens = 2_000;

interface Entry {
  caller: Caller;
  fromMs: number;
  untilMs: number;
}

/** The callers of tokens that were verified within the last 15 s, never past a token's `exp`; at most 2,000. */
export class TokenCache {
  // The header itself is the key: hashing it would cost more than the rest of a hit.
  readonly #entries = new Map<string, Entry>();

  find(authorization: string, nowMs: number): Caller | undefined {
    const entry = this.#entries.get(authorization);
    // The lower bound holds when the clock is set back.
    return entry && nowMs >= entry.fromMs && nowMs < entry.untilMs ? entry.caller : undefined;
  }

  /** Keeps the caller of a token that was verified at `nowMs`. */
  keep(authorization: string, caller: Caller, nowMs: number): void {
    this.#entries.delete(authorization);
    // A map keeps its order of insertion, which here is about the order in which entries lapse.
    const [oldest = ''] = this.#entries.keys();
    if (this.#entries.size >= mostTokens) this.#entries.delete(oldest);
    const untilMs = Math.min(nowMs + keptMs, caller.expiresAt.getTime());
    this.#entries.set(authorization, { caller, fromMs: nowMs, untilMs });
  }
}
