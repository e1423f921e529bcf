import { beforeAll, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { type Keys, loadKeys } from '../../src/tokens/keys.js';
import { signToken } from '../../src/tokens/token-signer.js';
import { parseSettings } from '../../src/settings/settings.js';
import { ownFolder } from '../support/own-folder.js';

const folder = ownFolder();
let keys: Keys;
beforeAll(async () => {
  keys = await loadKeys(parseSettings({ DATA_DIR: folder }));
});

const issuing = { jwtIssuer: 'the issuer', jwtAudience: 'the audience' };
const now = new Date('2026-11-22T12:00:00Z');
const sign = (claims: Parameters<typeof signToken>[2]) => signToken(keys, issuing, claims, now);

it('a token holds its claims, issuer and audience, and expires after its lifetime (Contract 5.4)', async () => {
  const claims = { sub: 's', scope: 'r_jobs', roles: ['media_admin'], media: ['m'], brand: 'b' };
  const token = await sign({ ...claims, lifetimeMs: 3_600_000 });
  const iat = now.getTime() / 1_000;
  expect(decodeJwt(token)).toEqual({
    ...claims,
    iss: 'the issuer',
    aud: 'the audience',
    jti: expect.stringMatching(/^[\da-f-]{36}$/),
    iat,
    exp: iat + 3_600,
  });
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: keys.signing?.kid, typ: 'JWT' });
  expect(Object.keys(decodeJwt(await sign({ sub: 's', lifetimeMs: 1 }))).sort()).toEqual([
    'aud',
    'exp',
    'iat',
    'iss',
    'jti',
    'sub',
  ]);
});

it.each([
  [1, 1],
  [1_000, 1],
  [1_001, 2],
])('a lifetime of %d ms ends after %d s', async (lifetimeMs, seconds) => {
  const { exp = 0, iat = 0 } = decodeJwt(await sign({ sub: 's', lifetimeMs }));
  expect(exp - iat).toBe(seconds);
});

it('the gateway signs no tokens if an identity provider does', async () => {
  await expect(signToken({ signing: null }, issuing, { sub: 's', lifetimeMs: 1 }, now)).rejects.toThrow(
    'JWT_PROVIDERS or JWT_JWKS_URL is set: an identity provider signs the tokens, and this gateway has no key to sign with',
  );
});
