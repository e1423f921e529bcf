import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyPair, SignJWT, UnsecuredJWT, type JWK } from 'jose';
import { loadKeys } from '../../src/tokens/keys.js';
import { signToken, type TokenClaims } from '../../src/tokens/token-signer.js';
import { type Settings } from '../../src/settings/settings.js';

export type TokenFactory = (claims?: Partial<TokenClaims>) => Promise<string>;

export const usualClaims: TokenClaims = {
  sub: 'tester',
  roles: ['media_admin'],
  scope: 'r_w_jobs r_w_companies',
  media: ['demo-media'],
  lifetimeMs: 3_600_000,
};

/** Signs with the key of these settings. Leaves out a claim given as undefined. */
export async function tokenFactory(settings: Settings): Promise<TokenFactory> {
  const keys = await loadKeys(settings);
  return (claims = {}) => signToken(keys, settings, { ...usualClaims, ...claims }, new Date());
}

/** Tokens with exactly one fault each, which a gateway with these settings must refuse. */
export async function badTokens(settings: Settings) {
  const keys = await loadKeys(settings);
  const stranger = await generateKeyPair('ES256');
  const signing = { key: stranger.privateKey, kid: keys.signing?.kid ?? '', alg: 'ES256' };
  const now = new Date();
  const unsigned = new UnsecuredJWT({ ...usualClaims })
    .setIssuer(settings.jwtIssuer)
    .setAudience(settings.jwtAudience)
    .setExpirationTime('1h');
  return {
    expired: await signToken(keys, settings, { ...usualClaims, lifetimeMs: -60_000 }, now),
    wrongKey: await signToken({ signing }, settings, usualClaims, now),
    wrongAudience: await signToken(keys, { ...settings, jwtAudience: 'urn:other' }, usualClaims, now),
    wrongIssuer: await signToken(keys, { ...settings, jwtIssuer: 'urn:other' }, usualClaims, now),
    algNone: unsigned.encode(),
    hmacWithPublicKey: await new SignJWT({ ...usualClaims })
      .setProtectedHeader({ alg: 'HS256', kid: signing.kid })
      .setIssuer(settings.jwtIssuer)
      .setAudience(settings.jwtAudience)
      .setExpirationTime('1h')
      .sign(await publicKeyText(settings)),
    notAToken: 'not.a.token',
  };
}

/** The public key, which an attacker would try as an HMAC secret. */
async function publicKeyText(settings: Settings): Promise<Uint8Array> {
  const path = settings.keyFile ?? join(settings.dataDir, 'development-key.json');
  const { keys } = JSON.parse(await readFile(path, 'utf8')) as { keys: JWK[] };
  const publicKey = createPublicKey({ key: { ...keys[0] }, format: 'jwk' });
  return new TextEncoder().encode(publicKey.export({ type: 'spki', format: 'pem' }).toString());
}
