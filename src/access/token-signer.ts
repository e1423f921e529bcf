import { SignJWT } from 'jose';
import { type Settings } from '../settings.js';
import { type Keys } from './keys.js';

/** What a token is to say (Contract 5.4). What is absent makes no claim. */
export interface TokenClaims {
  sub: string;
  /** Scopes separated by spaces. */
  scope?: string | undefined;
  roles?: readonly string[] | undefined;
  /** Public ids of media. */
  media?: readonly string[] | undefined;
  /** Public id of a brand. */
  brand?: string | undefined;
  /** From `now` to the token's `exp`, in milliseconds, rounded up to whole seconds. */
  lifetimeMs: number;
}

/** Signs what it is given, unknown roles and scopes included. @throws Error when an identity provider signs the tokens */
export async function signToken(
  { signing }: Pick<Keys, 'signing'>,
  settings: Pick<Settings, 'jwtIssuer' | 'jwtAudience'>,
  claims: TokenClaims,
  now: Date,
): Promise<string> {
  if (signing === null)
    throw new Error(
      'JWT_JWKS_URL is set: its identity provider signs the tokens, there is no key to sign with here',
    );
  const { sub, scope, roles, media, brand, lifetimeMs } = claims;
  return new SignJWT({ scope, roles, media, brand })
    .setProtectedHeader({ alg: signing.alg, kid: signing.kid, typ: 'JWT' })
    .setIssuer(settings.jwtIssuer)
    .setAudience(settings.jwtAudience)
    .setSubject(sub)
    .setIssuedAt(now)
    .setExpirationTime(Math.ceil((now.getTime() + lifetimeMs) / 1_000))
    .sign(signing.key);
}
