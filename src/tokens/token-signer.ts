import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { type Settings } from '../settings/settings.js';
import { type Keys } from './keys.js';

export interface TokenClaims {
  sub: string;
  /** Separated by spaces. */
  scope?: string | undefined;
  roles?: readonly string[] | undefined;
  /** Public ids. */
  media?: readonly string[] | undefined;
  /** Public id. */
  brand?: string | undefined;
  /** Milliseconds from `now` to `exp`, which is rounded up to a whole second. */
  lifetimeMs: number;
}

/** Signs the claims without checking them. @throws Error if an identity provider signs the tokens */
export async function signToken(
  { signing }: Pick<Keys, 'signing'>,
  settings: Pick<Settings, 'jwtIssuer' | 'jwtAudience'>,
  claims: TokenClaims,
  now: Date,
): Promise<string> {
  if (signing === null)
    throw new Error(
      'JWT_PROVIDERS or JWT_JWKS_URL is set: an identity provider signs the tokens, and this gateway has no key to sign with',
    );
  const { sub, scope, roles, media, brand, lifetimeMs } = claims;
  return new SignJWT({ scope, roles, media, brand })
    .setProtectedHeader({ alg: signing.alg, kid: signing.kid, typ: 'JWT' })
    .setIssuer(settings.jwtIssuer)
    .setAudience(settings.jwtAudience)
    .setSubject(sub)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(Math.ceil((now.getTime() + lifetimeMs) / 1_000))
    .sign(signing.key);
}
